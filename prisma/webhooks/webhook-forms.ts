/** The events that webhooks get, and their forms: the command line reads both lists without loading a database. */
export const webhookForms = ['standard', 'cloudevents', 'alarm'] as const;
export type WebhookForm = (typeof webhookForms)[number];

/** The event types of the specification, by their names there. */
export const specifiedEventTypes = ['maintenance.host', 'maintenance.session', 'maintenance.planned'] as const;

/** A receiver that knows the specification alone may refuse other events, so it must name what it wants of them. */
export const webhookEventTypes = [...specifiedEventTypes, 'maintenance.coming', 'maintenance.act'] as const;
