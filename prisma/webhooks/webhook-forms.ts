/** The forms in which webhooks get events. The command line reads this list, and loads no database for it. */
export const webhookForms = ['standard', 'cloudevents', 'alarm'] as const;
export type WebhookForm = (typeof webhookForms)[number];
