/** An admin's requests about a session that has failed, and the waits between them. */
import { eventually } from '../../waiting/eventually';
import type { Admin, Answer, SessionDetail } from '../rig/admin';

export const askToContinue = (admin: Admin, sessionId: string, state?: string): Promise<Answer> =>
  admin.call('PUT', `/maintenance/${sessionId}`, state === undefined ? {} : { state });

/**
 * Continues the session and waits until its next run has taken over: until then it is still called failed. By then that
 * run may have failed too.
 */
export const continueFailed = async (admin: Admin, sessionId: string, state?: string): Promise<void> => {
  const answer = await askToContinue(admin, sessionId, state);
  if (answer.status !== 200) throw new Error(`continue: ${answer.status} ${JSON.stringify(answer.body)}`);
  await untilIt(admin, { sessionId, what: 'goes on' }, ({ session }) => session['resuming'] === false);
};

export const untilDone = (admin: Admin, sessionId: string): Promise<SessionDetail> =>
  admin.until(sessionId, 'MAINTENANCE_DONE');

export const untilFailed = (admin: Admin, sessionId: string): Promise<SessionDetail> =>
  admin.until(sessionId, 'MAINTENANCE_FAILED');

/** Waits for the end of a session that may still be called failed. */
export const untilDoneAtLast = async (admin: Admin, sessionId: string): Promise<SessionDetail> => {
  await eventually(
    { what: `session ${sessionId} is done`, isLasting: true, ...admin.watching(sessionId) },
    async () => {
      return (await admin.stateOf(sessionId)) === 'MAINTENANCE_DONE' || undefined;
    },
  );
  return admin.detail(sessionId);
};

interface Expectation {
  readonly sessionId: string;
  readonly what: string;
}

export const untilIt = (
  admin: Admin,
  { sessionId, what }: Expectation,
  holds: (detail: SessionDetail) => boolean,
): Promise<SessionDetail> => {
  // A detail takes the service many queries.
  const about = { what: `session ${sessionId} ${what}`, isLasting: true, ...admin.watching(sessionId) };
  return eventually(about, async () => {
    const now = await admin.detail(sessionId);
    return holds(now) ? now : undefined;
  });
};
