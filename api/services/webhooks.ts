/** Webhooks: what admins register, change and read. */
import { releaseReplyWindows } from '../../events/reply-windows';
import { newSecret } from '../../events/webhooks/signature';
import type { UrlPolicy } from '../../plugins/addresses/url-policy';
import type { Database } from '../../prisma/database';
import {
  countPending,
  type DeliveryRecord,
  findDeliveries,
  findLanes,
  type PendingCount,
  replayDeliveries,
} from '../../prisma/webhooks/deliveries';
import { specifiedEventTypes } from '../../prisma/webhooks/webhook-forms';
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  findWebhooks,
  removeWebhook,
  replaceSecret,
  type WebhookRecord,
} from '../../prisma/webhooks/webhooks';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import type { FieldError } from '../problems/problem';
import { bodyDoesNotFit } from '../problems/problem-catalogue';
import { invalidWebhook, webhookNotFound } from '../problems/webhook-problems';
import type { ChangeWebhookBody, CreateWebhookBody } from '../schemas/webhook-schemas';

export interface ShownWebhook extends WebhookRecord, PendingCount {}

export interface WithSecret {
  readonly webhook: ShownWebhook;
  readonly secret: string;
}

export interface WebhookDetail {
  readonly webhook: ShownWebhook;
  readonly deliveries: readonly DeliveryRecord[];
  readonly givenUp: readonly DeliveryRecord[];
}

export interface Webhooks {
  create(body: CreateWebhookBody): Promise<WithSecret>;
  list(): Promise<readonly ShownWebhook[]>;
  detail(id: string): Promise<WebhookDetail>;
  change(id: string, body: ChangeWebhookBody): Promise<ShownWebhook>;
  remove(id: string): Promise<void>;
  /** Sends the events again that were given up. @returns how many */
  replay(id: string): Promise<number>;
  rotate(id: string, keepOldSeconds: number): Promise<{ readonly secret: string; readonly oldUntil: Date }>;
}

export interface WebhookDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  /** Which addresses webhooks may have. */
  readonly policy: UrlPolicy;
}

const nothingPending: PendingCount = { pending: 0, nextAttemptAt: null };
const mostShown = 50;
/** Those that a project may be told. */
const projectEventTypes = ['maintenance.planned', 'maintenance.coming'] as const;

const checkUrl = (policy: UrlPolicy, url: string): FieldError[] => {
  const judgement = policy(url);
  if (judgement.kind === 'refused') return [{ pointer: '/url', message: judgement.because }];
  return judgement.url.hash === '' ? [] : [{ pointer: '/url', message: 'has a fragment, which is never sent' }];
};

/** A project is told nothing that is for admins. */
const checkTypes = (projectId: string | null | undefined, eventTypes: readonly string[]): FieldError[] => {
  const others = eventTypes.filter((type) => !projectEventTypes.some((allowed) => allowed === type));
  if (projectId === null || projectId === undefined || others.length === 0) return [];
  return [
    { pointer: '/event_types', message: `must be ${projectEventTypes.join(' or ')} for the webhook of a project` },
  ];
};

export const createWebhooks = (deps: WebhookDeps): Webhooks => {
  const { db } = deps;
  return {
    create: (body) => create(deps, body),
    async list() {
      const [webhooks, counts] = [await findWebhooks(db), await countPending(db)];
      return webhooks.map((webhook) => ({ ...webhook, ...(counts.get(webhook.id) ?? nothingPending) }));
    },
    async detail(id) {
      const webhook = await withCounts(db, await known(db, id));
      const find = (isGivenUp: boolean) => findDeliveries(db, id, { isGivenUp, limit: mostShown });
      return { webhook, deliveries: await find(false), givenUp: await find(true) };
    },
    change: (id, body) => change(deps, id, body),
    async remove(id) {
      if (!(await removeWebhook(db, id))) throw webhookNotFound(id);
      await release(deps);
    },
    async replay(id) {
      const replayed = await replayDeliveries(db, id);
      if (replayed === null) throw webhookNotFound(id);
      await retryNow(deps, id);
      return replayed;
    },
    async rotate(id, keepOldSeconds) {
      const secret = newSecret();
      const oldUntil = await replaceSecret(db, { id, secret, keepOldSeconds });
      if (oldUntil === null) throw webhookNotFound(id);
      return { secret, oldUntil };
    },
  };
};

const create = async ({ db, policy }: WebhookDeps, body: CreateWebhookBody): Promise<WithSecret> => {
  const { url, project_id: projectId = null, form = 'standard', enabled = true } = body;
  const eventTypes = body.event_types ?? (projectId === null ? specifiedEventTypes : ['maintenance.planned']);
  const errors = [...checkUrl(policy, url), ...checkTypes(projectId, eventTypes)];
  if (errors.length > 0) throw invalidWebhook(errors);
  const secret = newSecret();
  const webhook = await createWebhook(db, { url, projectId, form, enabled, eventTypes, secret });
  return { webhook: { ...webhook, ...nothingPending }, secret };
};

const change = async (deps: WebhookDeps, id: string, body: ChangeWebhookBody): Promise<ShownWebhook> => {
  const { db, policy } = deps;
  const { event_types: eventTypes, ...others } = body;
  const wrong = others.url === undefined ? [] : checkUrl(policy, others.url);
  if (wrong.length > 0) throw bodyDoesNotFit(wrong);
  const check = ({ projectId, eventTypes: types }: WebhookRecord): void => {
    const errors = checkTypes(projectId, types);
    if (errors.length > 0) throw bodyDoesNotFit(errors);
  };
  const changed = await changeWebhook(db, { id, check, change: { ...others, ...(eventTypes && { eventTypes }) } });
  if (changed === null) throw webhookNotFound(id);
  await (changed.enabled ? retryNow(deps, id) : release(deps));
  return withCounts(db, changed);
};

const withCounts = async (db: Database, webhook: WebhookRecord): Promise<ShownWebhook> => ({
  ...webhook,
  ...((await countPending(db)).get(webhook.id) ?? nothingPending),
});

/** Questions that waited for the webhook alone wait no longer. */
const release = async ({ db, workflowCalls }: WebhookDeps): Promise<void> => {
  for (const { sessionId, hostname } of await releaseReplyWindows(db)) {
    await workflowCalls.wakeSession(sessionId);
    if (hostname !== null) await workflowCalls.wakeHost(sessionId, hostname);
  }
};

const retryNow = async ({ db, workflowCalls }: WebhookDeps, webhookId: string): Promise<void> => {
  for (const lane of await findLanes(db, webhookId)) await workflowCalls.deliverEvents(lane);
};

const known = async (db: Database, id: string): Promise<WebhookRecord> => {
  const webhook = await findWebhook(db, id);
  if (webhook === null) throw webhookNotFound(id);
  return webhook;
};
