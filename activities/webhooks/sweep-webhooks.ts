/**
 * The sweeper's part for webhooks: starts deliveries whose workflow is not at work, removes what nobody sends, and
 * opens windows that wait for no webhook any more: whoever switched it off may have been killed before that.
 */
import { releaseReplyWindows } from '../../events/reply-windows';
import { patienceMs } from '../../events/webhooks/next-attempt';
import { databaseNow } from '../../prisma/database';
import {
  findExpiredDeliveries,
  findOverdueLanes,
  giveUpDelivery,
  removeOldGivenUp,
  removeOrphanedDeliveries,
} from '../../prisma/webhooks/deliveries';
import type { Services } from '../services';
import { wakeOpened } from './wake-opened';

type Tending = Pick<Services, 'db' | 'workflowCalls' | 'measures'> & {
  readonly limits: Pick<Services['limits'], 'auditDays'>;
};

/** The process that is first responsible for a delivery has this long. */
const graceMs = 5_000;
/** Removed in one round at most. */
const mostExpired = 1_000;

export const sweepWebhooks = async (services: Tending): Promise<void> => {
  const { db, workflowCalls, measures, limits } = services;
  await removeOrphanedDeliveries(db);
  await removeOldGivenUp(db, limits.auditDays);
  await wakeOpened(services, await releaseReplyWindows(db));
  const expired = await findExpiredDeliveries(db, { olderThanMs: patienceMs, limit: mostExpired });
  const at = expired.length === 0 ? new Date(0) : await databaseNow(db);
  for (const delivery of expired) {
    if (await giveUpDelivery(db, { ...delivery, at })) measures.webhookDelivered('given_up');
  }
  for (const lane of await findOverdueLanes(db, graceMs)) await workflowCalls.deliverEvents(lane);
};
