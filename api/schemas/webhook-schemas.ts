/** Webhooks, as admins register and read them: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, CountField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { webhookEventTypes, webhookForms } from '../../prisma/webhooks/webhook-forms';

const closed = { additionalProperties: false } as const;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const Url = Type.String({
  minLength: 1,
  description: 'Address that each event is posted to; the setting PARLEY_WEBHOOK_ALLOW lists which are allowed',
});
const EventTypes = Type.Array(ChoiceField(webhookEventTypes, 'Event type'), {
  minItems: 1,
  uniqueItems: true,
  description:
    'Which events it is told; absent: all of the specification, and for a webhook of a project maintenance.planned. ' +
    'maintenance.coming and maintenance.act are additions: they are told only where they are named',
});
const Form = ChoiceField(
  webhookForms,
  'standard: the envelope as on the bus. cloudevents: a CloudEvent 1.0, structured. alarm: what a telemetry service ' +
    'posts to an alarm. Absent: standard',
);
const Enabled = Type.Boolean({ description: 'Whether events are delivered; absent: true' });

export const CreateWebhookSchema = Type.Object(
  {
    url: Url,
    event_types: Type.Optional(EventTypes),
    project_id: Type.Optional(
      IdField("The project whose own webhook it is: it is told this project's events alone, and opens their windows"),
    ),
    form: Type.Optional(Form),
    enabled: Type.Optional(Enabled),
  },
  closed,
);
export type CreateWebhookBody = Static<typeof CreateWebhookSchema>;

export const ChangeWebhookSchema = Type.Object(
  {
    url: Type.Optional(Url),
    event_types: Type.Optional(EventTypes),
    form: Type.Optional(Form),
    enabled: Type.Optional(Enabled),
  },
  { ...closed, description: 'Fields to change; what is not named stays. What is pending is tried again at once' },
);
export type ChangeWebhookBody = Static<typeof ChangeWebhookSchema>;

const webhookFields = {
  id: OwnIdField('ID of the webhook'),
  url: Url,
  event_types: EventTypes,
  project_id: orNull('The project whose own webhook it is; null: it is told the events of all'),
  form: Form,
  enabled: Enabled,
  off_because: orNull('Why the service has switched it off; null: an admin has, or it is on'),
  created_at: TimeField('When it was registered'),
  updated_at: orNull('Time of the last change (ISO 8601)'),
  pending: CountField(0, 'Events that it has yet to take'),
  next_attempt_at: orNull('When an event that failed is tried next (ISO 8601); null: none has failed'),
  last_delivered_at: orNull('When it took an event last (ISO 8601)'),
  last_failed_at: orNull('When an attempt failed last (ISO 8601)'),
  last_error: orNull('Why'),
  given_up: CountField(0, 'Events that failed for a day and were given up, since the last replay'),
  last_given_up_at: orNull('When that happened last (ISO 8601)'),
} as const;

export const WebhookSchema = Type.Object(webhookFields);
export type WebhookBody = Static<typeof WebhookSchema>;

export const WebhookCreatedSchema = Type.Object({
  ...webhookFields,
  secret: Type.String({ description: 'The key that deliveries are signed with. It is shown this once' }),
});

export type WebhookCreatedBody = Static<typeof WebhookCreatedSchema>;

export const WebhookListSchema = Type.Object({ webhooks: Type.Array(WebhookSchema, { description: 'Oldest first' }) });

const DeliverySchema = Type.Object({
  message_id: Type.String({ description: 'Of the event; the webhook-id of the delivery' }),
  event_type: Type.String(),
  session_id: OwnIdField(),
  recorded_at: TimeField('When the event was recorded'),
  attempts: CountField(0, 'Attempts that failed. 0 behind an event that failed: it waits for that'),
  next_attempt_at: orNull('When it is tried next (ISO 8601); null: now, or not any more'),
  last_error: orNull('Why the last attempt failed'),
});

export const WebhookDetailSchema = Type.Object({
  ...webhookFields,
  deliveries: Type.Array(DeliverySchema, { description: 'The oldest pending ones, 50 at most' }),
  given_up_deliveries: Type.Array(DeliverySchema, { description: 'The oldest that were given up, 50 at most' }),
});
export type WebhookDetailBody = Static<typeof WebhookDetailSchema>;

export const ReplayedSchema = Type.Object({
  replayed: CountField(0, 'Events that were given up and are sent again'),
});
export type ReplayedBody = Static<typeof ReplayedSchema>;

export const RotateSecretSchema = Type.Object(
  {
    keep_old_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 604_800,
        description: 'For how long deliveries are signed with the old secret as well; absent: 86400, a day',
      }),
    ),
  },
  closed,
);

export const SecretRotatedSchema = Type.Object({
  secret: Type.String({ description: 'The new key. It is shown this once' }),
  old_secret_until: TimeField('Until when deliveries are signed with the old one as well'),
});
export type SecretRotatedBody = Static<typeof SecretRotatedSchema>;
