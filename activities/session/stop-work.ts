/** Stops the work of a session that fails, is aborted or deleted: grants nothing new, and gives hosts back. */
import {
  changeHosts,
  findSessionHosts,
  isPhaseUnderWork,
  type SessionHostRecord,
  staysSetAside,
} from '../../prisma/hosts/session-hosts';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import { isToBeAborted } from '../../rules/steering/may-begin';
import { enablesFailedHosts } from '../hosts/fail-host';
import { showStandings } from '../hosts/show-standings';
import { logFact } from '../log-facts';
import type { Reconciling } from '../moves/reconcile';
import { inSession, type SessionRef } from './run-in-force';

/**
 * failing: moves in flight end and their hosts are enabled; hosts whose maintenance was announced are finished.
 * aborting: as failing, but plug-ins are cancelled and hosts in maintenance are given back as well.
 */
export type StopReason = 'failing' | 'aborting';

export interface Stopping {
  /** Hosts that have not come to their end. */
  readonly underWork: readonly string[];
  readonly how: StopReason;
  /** True when the session is removed after all have. */
  readonly isToBeDeleted: boolean;
}

export interface StopOrder extends SessionRef {
  readonly how: StopReason;
  readonly reason?: string;
}

/**
 * Nothing new is granted from here on, and work in flight comes to its end. The reason is shown at once, however long
 * the end takes.
 */
export const stopWork = async (services: Reconciling, ref: StopOrder): Promise<Stopping> => {
  const { isNew, ...stopping } = await recordStop(services, ref);
  // Hosts that waited for their turn are in no session's hand any more.
  if (isNew) await showStandings(services);
  return stopping;
};

const recordStop = (services: Reconciling, ref: StopOrder): Promise<Stopping & { readonly isNew: boolean }> =>
  inSession(services, { sessionId: ref.sessionId }, async (tx, session) => {
    const isToBeDeleted = session.deleteRequestedAt !== null;
    if (session.state === 'MAINTENANCE_DONE') return { underWork: [], how: ref.how, isToBeDeleted, isNew: false };
    // A request to abort or delete a failing session does not wait for hosts in maintenance either.
    const how = isToBeAborted(session) ? 'aborting' : ref.how;
    const hosts = await findSessionHosts(tx, session.id);
    const givenBack = hosts.filter((host) => isToBeGivenBack(session, host, how));
    const isNew = session.stopping !== how;
    if (isNew) {
      const why = ref.reason === undefined || isToBeDeleted ? {} : { failure: ref.reason };
      // A pause does not delay work in flight that comes to its end.
      await changeSession(tx, session.id, { stopping: how, pausedAt: null, pausedBecause: null, ...why });
      const level = how === 'failing' ? 'warn' : 'info';
      const { id: sessionId, state } = session;
      logFact(services, tx, { what: `session stops, ${how}`, level, sessionId, state, reason: ref.reason });
    }
    // Clears earlier failures: they are not failures of giving the host back.
    const blameless = how === 'aborting' ? { failure: null } : {};
    const hostnames = givenBack.map(({ hostname }) => hostname);
    await changeHosts(tx, { sessionId: session.id, hostnames }, { phase: 'releasing', ...blameless });
    const underWork = hosts.filter((host) => isPhaseUnderWork(host) || givenBack.includes(host));
    return { how, underWork: underWork.map(({ hostname }) => hostname), isToBeDeleted, isNew };
  });

const isToBeEnabled = (session: SessionProgress, host: SessionHostRecord): boolean =>
  ['failed', 'waiting', 'set_aside'].includes(host.phase) && (!staysSetAside(host) || enablesFailedHosts(session));

/** An aborted or deleted session also enables, once, the hosts that an earlier failure has left disabled. */
const isToBeGivenBack = (session: SessionProgress, host: SessionHostRecord, how: StopReason): boolean => {
  // A host that is marked for maintenance is given back without it: a session that ends begins nothing.
  if (host.phase === 'emptying' || (host.phase === 'maintaining' && host.announcedAt === null)) return true;
  if (how === 'failing') return false;
  if (host.phase === 'maintaining') return true;
  const isLeftDisabled = host.disabled && host.disabledBefore === false;
  return session.stopping !== how && isLeftDisabled && isToBeEnabled(session, host);
};
