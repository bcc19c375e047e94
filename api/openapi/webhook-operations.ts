/** The endpoints of webhooks: an addition to the interface. */
import {
  ChangeWebhookSchema,
  CreateWebhookSchema,
  ReplayedSchema,
  RotateSecretSchema,
  SecretRotatedSchema,
  WebhookCreatedSchema,
  WebhookDetailSchema,
  WebhookListSchema,
  WebhookSchema,
} from '../schemas/webhook-schemas';
import { body, type Operation } from './documented-endpoint';

const ofWebhooks = { tag: 'Webhooks', access: 'admin' } as const;
const path = '/v1/webhooks/{webhook_id}';

export const webhookOperations: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/webhooks',
    id: 'createWebhook',
    summary: 'Register an address that is told events. The answer has the secret, once. An addition',
    ...ofWebhooks,
    request: body('CreateWebhook', CreateWebhookSchema),
    response: body('WebhookCreated', WebhookCreatedSchema),
    errors: [400, 500],
  },
  {
    method: 'get',
    path: '/v1/webhooks',
    id: 'listWebhooks',
    summary: 'List the webhooks with their last delivery, last error, next attempt and what is pending. An addition',
    ...ofWebhooks,
    response: body('WebhookList', WebhookListSchema),
    errors: [500],
  },
  {
    method: 'get',
    path,
    id: 'getWebhook',
    summary: 'Read a webhook with the events that it has yet to take. An addition',
    ...ofWebhooks,
    response: body('WebhookDetail', WebhookDetailSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'patch',
    path,
    id: 'changeWebhook',
    summary: 'Change a webhook, switch it off or on. What is pending is tried again at once. An addition',
    ...ofWebhooks,
    request: body('ChangeWebhook', ChangeWebhookSchema),
    response: body('Webhook', WebhookSchema),
    errors: [400, 404, 422, 500],
  },
  {
    method: 'delete',
    path,
    id: 'deleteWebhook',
    summary: 'Delete a webhook with all that is pending. An addition',
    ...ofWebhooks,
    errors: [400, 404, 500],
  },
  {
    method: 'post',
    path: `${path}/replay`,
    id: 'replayWebhook',
    summary: 'Send the events again that were given up. An addition',
    ...ofWebhooks,
    response: body('Replayed', ReplayedSchema),
    errors: [400, 404, 500],
  },
  {
    method: 'post',
    path: `${path}/secret`,
    id: 'rotateWebhookSecret',
    summary: 'Replace the secret. For a time deliveries are signed with both. An addition',
    ...ofWebhooks,
    request: body('RotateSecret', RotateSecretSchema),
    mayLackBody: true,
    response: body('SecretRotated', SecretRotatedSchema),
    errors: [400, 404, 422, 500],
  },
];
