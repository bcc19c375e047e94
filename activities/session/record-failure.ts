/** Records that a session has failed: in its row, as an event and in the log. */
import { databaseNow, type Transaction } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { dropAllReservations } from '../../prisma/moves/reservations';
import { dropContinueRequest } from '../../prisma/session/continue-requests';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from './tell-session';

interface FailedSession {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly reason: string;
}

/**
 * A session that failed again before it had continued, failed in the same state as before.
 *
 * @returns the reason, with those of its failed hosts and the hosts that it leaves disabled
 */
export const recordFailure = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { session, reason }: FailedSession,
): Promise<string> => {
  const { id: sessionId } = session;
  const state = 'MAINTENANCE_FAILED';
  const prevState = session.state === state ? session.prevState : session.state;
  const hosts = await findSessionHosts(tx, sessionId);
  const failure = `${allReasons(reason, hosts)}${leftDisabled(hosts)}`;
  const stateEnteredAt = await databaseNow(tx);
  await changeSession(tx, sessionId, { state, prevState, stateEnteredAt, failure, stopping: null });
  await dropAllReservations(tx, sessionId);
  // Otherwise the sweeper would let it continue and fail again and again.
  await dropContinueRequest(tx, sessionId);
  await tellSession(services, tx, { sessionId, state, failed: { prevState, failure } });
  logFact(services, tx, { what: 'session failed', level: 'error', sessionId, prevState, reason: failure, help });
  return failure;
};

const help = 'repair the cause, then continue the session (parley continue)';

/** Other hosts may have failed while the session came to its end: an operator has to repair all of them. */
const allReasons = (reason: string, hosts: readonly SessionHostRecord[]): string => {
  const failed = hosts.filter(({ phase }) => phase !== 'set_aside');
  const more = failed.flatMap(({ failure }) => (failure === null || reason.includes(failure) ? [] : [failure]));
  return [reason, ...more].join('; ');
};

/** A host that was disabled before the session touched it is left disabled, as its record says. */
const leftDisabled = (hosts: readonly SessionHostRecord[]): string => {
  const left = hosts.filter(({ disabled, maintained, disabledBefore }) => disabled && !maintained && !disabledBefore);
  return left.length === 0 ? '' : ` (left disabled: ${left.map(({ hostname }) => hostname).join(', ')})`;
};
