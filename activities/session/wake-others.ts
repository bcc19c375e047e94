/** Wakes the sessions that are recorded as waiting for what became free: capacity, a budget or a host. */
import { sessionsThatWait } from '../../prisma/session/noted-reasons';
import type { Freed } from '../../rules/reasons/wakes';
import type { Services } from '../services';

/** Avoids signals that no session needs: each would cost it a whole decision. */
export const wakeOthers = async (
  { db, workflowCalls }: Pick<Services, 'db' | 'workflowCalls'>,
  sessionId: string,
  freed: Freed,
): Promise<void> => {
  for (const other of await sessionsThatWait(db, sessionId, freed)) await workflowCalls.wakeSession(other);
};
