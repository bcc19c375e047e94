/** The sweeper's part for webhooks: starts deliveries whose workflow is not at work, and removes what nobody sends. */
import { databaseNow } from '../../prisma/database';
import {
  findExpiredDeliveries,
  findOverdueLanes,
  giveUpDelivery,
  removeOrphanedDeliveries,
} from '../../prisma/webhooks/deliveries';
import { patienceMs } from '../../webhooks/next-attempt';
import type { Services } from '../services';

/** The process that is first responsible for a delivery has this long. */
const graceMs = 5_000;
/** Removed in one round at most. */
const mostExpired = 1_000;

export const tendWebhooks = async ({ db, control, measures }: Services): Promise<void> => {
  await removeOrphanedDeliveries(db);
  const expired = await findExpiredDeliveries(db, { olderThanMs: patienceMs, limit: mostExpired });
  const at = expired.length === 0 ? new Date(0) : await databaseNow(db);
  for (const delivery of expired) {
    if (await giveUpDelivery(db, { ...delivery, at })) measures.webhookDelivered('given_up');
  }
  for (const lane of await findOverdueLanes(db, graceMs)) await control.deliverEvents(lane);
};
