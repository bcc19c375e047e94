/** Sees to it that new events of a session are delivered to webhooks. */
import type { Database } from '../../prisma/database';
import { findUntriedLanes } from '../../prisma/webhooks/deliveries';
import type { SessionControl } from '../../temporal/workflow-calls';

/** @returns for events/publisher.ts */
export const createWebhookWaker =
  ({ db, control }: { readonly db: Database; readonly control: SessionControl }) =>
  async (sessionId: string): Promise<void> => {
    for (const lane of await findUntriedLanes(db, sessionId)) await control.deliverEvents(lane);
  };
