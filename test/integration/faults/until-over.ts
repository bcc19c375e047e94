/** Waits for the end of a session whose service may be away meanwhile. */
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';

/** @returns the state in which the session ends, with the reason where it failed */
export const untilOver = (url: string, sessionId: string): Promise<string> => {
  const admin = anAdmin(url);
  return eventually({ what: `session ${sessionId} is over`, ...admin.watching(sessionId) }, async () => {
    const { state, session } = await admin.detail(sessionId);
    if (state === 'MAINTENANCE_FAILED') return `${state}: ${session.failure ?? 'no reason given'}`;
    return state === 'MAINTENANCE_DONE' ? state : undefined;
  });
};
