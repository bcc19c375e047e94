/** Room, a budget or a host became free: sessions that are recorded as waiting look again. */
import { sessionsThatWait } from '../prisma/session-progress';
import type { Services } from './services';

export const wakeOthers = async ({ db, control }: Services, sessionId: string): Promise<void> => {
  for (const other of await sessionsThatWait(db, sessionId)) await control.wakeSession(other);
};
