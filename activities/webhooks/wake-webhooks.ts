/** Sees to it that new events of a session are delivered to webhooks. */
import type { Database } from '../../prisma/database';
import { findUntriedLanes } from '../../prisma/webhooks/deliveries';
import type { WorkflowCalls } from '../../temporal/workflow-calls';

/** @returns for events/publisher.ts */
export const createWebhookWaker =
  ({ db, workflowCalls }: { readonly db: Database; readonly workflowCalls: WorkflowCalls }) =>
  async (sessionId: string): Promise<void> => {
    for (const lane of await findUntriedLanes(db, sessionId)) await workflowCalls.deliverEvents(lane);
  };
