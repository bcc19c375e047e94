/** Wakes sessions once when an API process starts. */
import type { Database } from '../prisma/database';
import { findOwnedHosts } from '../prisma/hosts/session-hosts';
import { listSessionsToWake } from '../prisma/session/sessions';
import type { WorkflowCalls } from '../temporal/workflow-calls';

interface Wakening {
  readonly db: Database;
  readonly workflowCalls: Pick<WorkflowCalls, 'wakeSession' | 'wakeHost'>;
}

/**
 * A process that was killed may have committed an answer without telling the workflow. Workflows look by themselves,
 * but only within a minute, and a manager that gave up meanwhile does not repeat its answer.
 */
export const wakeAfterStart = async ({ db, workflowCalls }: Wakening): Promise<void> => {
  const sessionIds = await listSessionsToWake(db);
  const emptying = (await findOwnedHosts(db)).filter(({ phase }) => phase === 'emptying');
  await Promise.all([
    ...sessionIds.map((sessionId) => workflowCalls.wakeSession(sessionId)),
    ...emptying.map(({ sessionId, hostname }) => workflowCalls.wakeHost(sessionId, hostname)),
  ]);
};
