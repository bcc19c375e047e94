/** That a session has failed, in its row, as an event and in the log. */
import type { Transaction } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { dropResumeRequest } from '../../prisma/session/resume-requests';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from './tell-session';

interface Failed {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly reason: string;
}

/**
 * One that failed when it was resumed, before it went on, failed in the state that it had failed in.
 *
 * @returns the reason, with those of its hosts that have failed and with what it leaves disabled
 */
export const recordFailure = async (
  services: Pick<Services, 'drafts' | 'logger'>,
  tx: Transaction,
  { session, reason }: Failed,
): Promise<string> => {
  const { id: sessionId } = session;
  const state = 'MAINTENANCE_FAILED';
  const prevState = session.state === state ? session.prevState : session.state;
  const hosts = await findSessionHosts(tx, sessionId);
  const failure = `${allReasons(reason, hosts)}${leftDisabled(hosts)}`;
  await changeSession(tx, sessionId, { state, prevState, failure, stopping: null });
  // Else the sweeper would carry out again, and again, a resume that has failed.
  await dropResumeRequest(tx, sessionId);
  await tellSession(services, tx, { sessionId, state, failed: { prevState, failure } });
  logFact(services, tx, { what: 'session failed', level: 'error', sessionId, prevState, reason: failure });
  return failure;
};

/** Other hosts may have failed while the session came to its end: all of them are to be mended. */
const allReasons = (reason: string, hosts: readonly SessionHostRecord[]): string => {
  const more = hosts.flatMap(({ failure }) => (failure === null || reason.includes(failure) ? [] : [failure]));
  return [reason, ...more].join('; ');
};

/** A host that was disabled before the session touched it is as it was found: its record says so. */
const leftDisabled = (hosts: readonly SessionHostRecord[]): string => {
  const left = hosts.filter(({ disabled, maintained, disabledBefore }) => disabled && !maintained && !disabledBefore);
  return left.length === 0 ? '' : ` (left disabled: ${left.map(({ hostname }) => hostname).join(', ')})`;
};
