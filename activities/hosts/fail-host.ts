/** Decides what happens to a host on which something failed. */
import { failureNaming } from '../../planning/fleet/host-failure';
import { isDone } from '../../planning/fleet/host-work';
import { databaseNow, type Transaction } from '../../prisma/database';
import { changeHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findSessionProgress } from '../../prisma/session/session-progress';
import { logFact, namesOfHost, secondsBetween } from '../log-facts';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { enablesFailedHosts } from './failed-hosts';

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
export const failHost = (services: Services, { reason: given, isLast, ...ref }: HostFailure): Promise<void> =>
  inHost(services, ref, async (tx, host) => {
    if (host.phase === 'waiting' || isDone(host)) return;
    const failure = failureNaming(ref.hostname, given);
    if (isLast !== true) {
      if (host.failure === failure) return; // a repeat
      if (await isStillToBeGivenBack(tx, host)) {
        const what = 'host failed, to be given back';
        logFact(services, tx, { what, level: 'warn', ...namesOfHost(ref), reason: failure });
        return changeHost(tx, ref, { phase: 'releasing', failure });
      }
    }
    const reason = host.failure ?? failure;
    const details = host.disabled ? `left disabled: ${reason}` : reason;
    await changeHost(tx, ref, { phase: 'failed', failure: reason, details });
    if (host.phase === 'failed') return;
    const tookSeconds = secondsBetween(host.openedAt, await databaseNow(tx));
    logFact(services, tx, { what: 'host failed', level: 'warn', ...namesOfHost(ref), reason: details, tookSeconds });
  });

const isStillToBeGivenBack = async (
  tx: Transaction,
  { sessionId, phase, failure }: SessionHostRecord,
): Promise<boolean> => {
  if (phase === 'emptying' || (phase === 'releasing' && failure === null)) return true;
  const session = phase === 'maintaining' ? await findSessionProgress(tx, sessionId) : null;
  return session !== null && enablesFailedHosts(session);
};
