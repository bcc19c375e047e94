/** Room, a budget or a host became free: sessions that are recorded as waiting for such look again. */
import { type Freed, sessionsThatWait } from '../../prisma/session/session-progress';
import type { Services } from '../services';

/** Signals that no session needs would each cost it a whole decision. */
export const wakeOthers = async ({ db, control }: Services, sessionId: string, freed: Freed): Promise<void> => {
  for (const other of await sessionsThatWait(db, sessionId, freed)) await control.wakeSession(other);
};
