/** The admin's endpoints for webhooks: an addition to the interface. */
import { type RequestHandler, Router } from 'express';
import type { DeliveryRecord } from '../../prisma/webhooks/deliveries';
import { dashedUuid } from '../../rules/cloud/id';
import { parsePathId } from '../http/path-ids';
import { createBodyParser } from '../http/schema-check';
import { asAdmin } from '../identity/authorization';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { invalidWebhook } from '../problems/webhook-problems';
import {
  ChangeWebhookSchema,
  CreateWebhookSchema,
  RotateSecretSchema,
  type WebhookBody,
  type WebhookDetailBody,
} from '../schemas/webhook-schemas';
import type { ShownWebhook, Webhooks } from '../services/webhooks';

const parseCreate = createBodyParser(CreateWebhookSchema, invalidWebhook);
const parseChange = createBodyParser(ChangeWebhookSchema, bodyDoesNotFit);
const parseRotate = createBodyParser(RotateSecretSchema, bodyDoesNotFit);

const aDay = 86_400;

const timeOf = (date: Date | null): string | null => date?.toISOString() ?? null;

const laterOf = (one: Date | null, other: Date | null): Date | null =>
  one !== null && other !== null && other > one ? other : one;

/** The parser of the requests has checked the event types. */
const serialize = (webhook: ShownWebhook): WebhookBody => ({
  id: webhook.id,
  url: webhook.url,
  event_types: [...webhook.eventTypes] as WebhookBody['event_types'],
  project_id: webhook.projectId,
  form: webhook.form,
  enabled: webhook.enabled,
  off_because: webhook.offBecause,
  created_at: webhook.createdAt.toISOString(),
  updated_at: timeOf(webhook.updatedAt),
  pending: webhook.pending,
  next_attempt_at: webhook.enabled ? timeOf(laterOf(webhook.nextAttemptAt, webhook.slowUntil)) : null,
  last_delivered_at: timeOf(webhook.lastDeliveredAt),
  last_failed_at: timeOf(webhook.lastFailedAt),
  last_error: webhook.lastError,
  given_up: webhook.givenUp,
  last_given_up_at: timeOf(webhook.lastGivenUpAt),
});

const serializeDelivery = (delivery: DeliveryRecord): WebhookDetailBody['deliveries'][number] => ({
  message_id: delivery.event.messageId,
  event_type: delivery.event.eventType,
  session_id: delivery.sessionId,
  recorded_at: delivery.event.createdAt.toISOString(),
  attempts: delivery.attempts,
  next_attempt_at: timeOf(delivery.nextAttemptAt),
  last_error: delivery.lastError,
});

/** Returns the webhook's ID in the form in which the service writes it. */
const idIn = (params: Readonly<Record<string, unknown>>): string => dashedUuid(parsePathId(params, 'webhook_id').key);

export const createWebhookRoutes = ({
  webhooks,
  readBody,
}: {
  readonly webhooks: Webhooks;
  readonly readBody: readonly RequestHandler[];
}): Router => {
  const router = Router();
  router.post('/webhooks', asAdmin, ...readBody, async (req, res) => {
    const { webhook, secret } = await webhooks.create(parseCreate(req.body));
    res.json({ ...serialize(webhook), secret });
  });
  router.get('/webhooks', asAdmin, async (_req, res) => {
    res.json({ webhooks: (await webhooks.list()).map(serialize) });
  });
  router.get('/webhooks/:webhook_id', asAdmin, async (req, res) => {
    const { webhook, deliveries, givenUp } = await webhooks.detail(idIn(req.params));
    res.json({
      ...serialize(webhook),
      deliveries: deliveries.map(serializeDelivery),
      given_up_deliveries: givenUp.map(serializeDelivery),
    });
  });
  router.patch('/webhooks/:webhook_id', asAdmin, ...readBody, async (req, res) => {
    res.json(serialize(await webhooks.change(idIn(req.params), parseChange(req.body))));
  });
  router.delete('/webhooks/:webhook_id', asAdmin, async (req, res) => {
    await webhooks.remove(idIn(req.params));
    res.status(200).end();
  });
  router.post('/webhooks/:webhook_id/replay', asAdmin, async (req, res) => {
    res.json({ replayed: await webhooks.replay(idIn(req.params)) });
  });
  router.post('/webhooks/:webhook_id/secret', asAdmin, ...readBody, async (req, res) => {
    const { keep_old_seconds: keepOldSeconds = aDay } = parseRotate(req.body);
    const { secret, oldUntil } = await webhooks.rotate(idIn(req.params), keepOldSeconds);
    res.json({ secret, old_secret_until: oldUntil.toISOString() });
  });
  return router;
};
