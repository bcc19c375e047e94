/**
 * Records that something failed on a host: it is given back, or stays disabled, by the create request's
 * `max_failed_hosts` and `failed_hosts`.
 */
import { databaseNow, type Queryable, type Transaction } from '../../prisma/database';
import { changeHost, findSessionHosts, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { isDone } from '../../rules/decisions/fleet/host-work';
import { staysDisabled } from '../../rules/decisions/fleet/set-aside-or-fail';
import { phaseOfFailed, stepOfHost } from '../../rules/steps/host-step';
import { failureNaming, failureOn } from '../../rules/words/failure-of-host';
import { asOwnedHosts } from '../../snapshot/owned-hosts';
import { logFact, namesOfHost, secondsBetween } from '../log-facts';
import type { Services } from '../services';
import { type HostInForce, inHost } from '../session/run-in-force';
import { showStandings } from './show-standings';

export interface HostFailure extends HostRef {
  readonly reason: string;
  /** True when giving the host back failed as well. */
  readonly isLast?: boolean;
}

/**
 * A host that was being drained is given back, and so is one in maintenance that an abort gives back, or whose session
 * enables failed hosts. Any other host in maintenance may be broken: it stays disabled, and so does one that could not
 * be given back.
 */
export const failHost = async (
  services: HostInForce & Pick<Services, 'cloud' | 'logger'>,
  failure: HostFailure,
): Promise<void> => {
  await recordFailureOf(services, failure);
  await showStandings(services, failure.hostname);
};

const recordFailureOf = (
  services: HostInForce & Pick<Services, 'logger'>,
  { reason: given, isLast, ...ref }: HostFailure,
): Promise<void> =>
  inHost(services, ref, async (tx, host) => {
    if (host.phase === 'waiting' || isDone(host)) return;
    const failure = failureNaming(ref.hostname, given);
    if (isLast !== true) {
      if (host.failure === failure) return; // a repeat
      if (await isStillToBeGivenBack(tx, host)) {
        const what = 'host failed, to be given back';
        logFact(services, tx, { what, level: 'warn', ...namesOfHost(ref), reason: failure });
        return changeHost(tx, ref, stepOfHost(host, { kind: 'fail', failure }));
      }
    }
    const reason = host.failure ?? failure;
    const told = failureOn(ref.hostname, reason);
    const details = host.disabled ? `left disabled: ${told}` : told;
    await changeHost(tx, ref, { phase: await findPhaseOfFailed(tx, host), failure: reason, details });
    if (host.phase === 'failed') return;
    const tookSeconds = secondsBetween(host.drainStartedAt, await databaseNow(tx));
    logFact(services, tx, { what: 'host failed', level: 'warn', ...namesOfHost(ref), reason: details, tookSeconds });
  });

const findPhaseOfFailed = async (
  db: Queryable,
  { sessionId }: Pick<SessionHostRecord, 'sessionId'>,
): Promise<'failed' | 'set_aside'> => phaseOfFailed((await findSessionProgress(db, sessionId))?.state);

const isStillToBeGivenBack = async (
  tx: Transaction,
  { sessionId, phase, failure }: SessionHostRecord,
): Promise<boolean> => {
  if (phase === 'emptying' || (phase === 'releasing' && failure === null)) return true;
  const session = phase === 'maintaining' ? await findSessionProgress(tx, sessionId) : null;
  return session !== null && enablesFailedHosts(session);
};

/** True when failed hosts go back to use, also those whose maintenance has failed. */
export const enablesFailedHosts = ({ failedHosts }: Pick<SessionProgress, 'failedHosts'>): boolean =>
  failedHosts === 'enable';

/**
 * True when the host, which failed while it was drained, is to stay disabled as one that is set aside. A session that
 * stops gives it back.
 */
export const isToStayDisabled = async (db: Queryable, host: SessionHostRecord): Promise<boolean> => {
  if (host.failure === null || host.skipReason !== null) return false;
  const session = await findSessionProgress(db, host.sessionId);
  if (session === null || session.stopping !== null) return false;
  const own = await findSessionHosts(db, session.id);
  const listed = new Set(own.map(({ hostname }) => hostname));
  return staysDisabled(asOwnedHosts(own, listed), {
    maxFailedHosts: session.maxFailedHosts ?? 0,
    enablesFailedHosts: enablesFailedHosts(session),
  });
};
