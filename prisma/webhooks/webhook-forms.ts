/** The events that webhooks get, and their forms: the command line reads both lists without loading a database. */
export const webhookForms = ['standard', 'cloudevents', 'alarm'] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** Event types have their names in the specification. */
export const webhookEventTypes = ['maintenance.host', 'maintenance.session', 'maintenance.planned'] as const;
