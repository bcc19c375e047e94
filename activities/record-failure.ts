/** That a session has failed, in its row, as an event and in the log. */
import type { Transaction } from '../prisma/database';
import { changeSession, type SessionProgress } from '../prisma/session-progress';
import { dropResumeRequest } from '../prisma/swept-sessions';
import type { Services } from './services';
import { tellSession } from './tell-session';

interface Failed {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly failure: string;
}

/** One that failed when it was resumed, before it went on, failed in the state that it had failed in. */
export const recordFailure = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { session, failure }: Failed,
): Promise<void> => {
  const { id: sessionId } = session;
  const state = 'MAINTENANCE_FAILED';
  const prevState = session.state === state ? session.prevState : session.state;
  await changeSession(tx, sessionId, { state, prevState, failure, stopping: null });
  // Else the sweeper would carry out again, and again, a resume that has failed.
  await dropResumeRequest(tx, sessionId);
  await tellSession(services, tx, { sessionId, state, failed: { prevState, failure } });
  services.logger.error({ sessionId, failure }, 'the session failed');
};
