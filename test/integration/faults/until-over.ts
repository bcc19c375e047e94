/** Waits for the end of a session whose service may be away meanwhile. */
import { anAdmin } from '../rig/admin';

/** @returns the state in which the session ends, with the reason where it failed */
export const untilOver = async (url: string, sessionId: string): Promise<string> => {
  const { state, session } = await anAdmin(url).until(sessionId, 'MAINTENANCE_DONE', 'MAINTENANCE_FAILED');
  return state === 'MAINTENANCE_FAILED' ? `${state}: ${session.failure ?? 'no reason given'}` : state;
};
