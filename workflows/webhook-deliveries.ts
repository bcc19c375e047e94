/**
 * The deliveries of one session's events to one webhook. It lasts while something is pending: the rows say what, and
 * its timers are the waits between attempts. A webhook that is slow or away holds up nothing else.
 */
import { continueAsNew } from '@temporalio/workflow';
import type { WebhookDeliveriesInput } from '../temporal/workflow-messages';
import { deliveries } from './activity-proxies';
import { listenForWakeUps } from './wake-ups';

/** Keeps histories short. */
const roundsPerRun = 250;
/** Events often come in bursts: it stays a moment, so that not each begins a run of its own. */
const idleMs = 1_000;

export const webhookDeliveries = async (lane: WebhookDeliveriesInput): Promise<void> => {
  const wakeUps = listenForWakeUps();
  for (let round = 0; round < roundsPerRun; round += 1) {
    wakeUps.forget();
    const { waitMs } = await deliveries.deliverEvents(lane);
    if (waitMs === 0) continue;
    const isWoken = await wakeUps.within(waitMs ?? idleMs);
    if (waitMs === undefined && !isWoken) return;
  }
  await continueAsNew<typeof webhookDeliveries>(lane);
};
