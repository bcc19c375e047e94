/** The examples of webhooks in the OpenAPI document. */
import { projectId, sessionId } from './example-ids';

const webhook = {
  id: '5b1f0d0e-8a53-4f0e-9a3c-2f7d1c6e4b10',
  url: 'https://vnfm.example.org/parley',
  event_types: ['maintenance.planned'],
  project_id: projectId,
  form: 'standard',
  enabled: true,
  off_because: null,
  created_at: '2026-11-25T08:00:00.000Z',
  updated_at: null,
  pending: 1,
  next_attempt_at: '2026-11-25T22:14:08.000Z',
  last_delivered_at: '2026-11-25T22:10:40.512Z',
  last_failed_at: '2026-11-25T22:14:03.112Z',
  last_error: 'the receiver answered 503',
  given_up: 0,
  last_given_up_at: null,
} as const;

// An example, which opens nothing.
const secret = 'whsec_ZXhhbXBsZS1rZXktb2YtdGhpcnR5LXR3by1ieXRlcyE=';

export const webhookExamples = {
  CreateWebhook: { url: webhook.url, project_id: webhook.project_id },
  ChangeWebhook: { enabled: true },
  Webhook: webhook,
  WebhookCreated: { ...webhook, pending: 0, next_attempt_at: null, last_error: null, secret },
  WebhookList: { webhooks: [webhook] },
  WebhookDetail: {
    ...webhook,
    deliveries: [
      {
        message_id: '0f1c9c1e-5d0b-4d39-9a0e-6a3d2f6b7c11',
        event_type: 'maintenance.planned',
        session_id: sessionId,
        recorded_at: '2026-11-25T22:14:01.020Z',
        attempts: 2,
        next_attempt_at: webhook.next_attempt_at,
        last_error: webhook.last_error,
      },
    ],
    given_up_deliveries: [],
  },
  Replayed: { replayed: 3 },
  RotateSecret: { keep_old_seconds: 3600 },
  SecretRotated: { secret, old_secret_until: '2026-11-26T08:00:00.000Z' },
} as const;
