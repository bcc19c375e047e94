/**
 * Ends what action plug-ins have left on hosts, such as the Job of a worker that died. Nothing of it acts on a host
 * that is back in use.
 */
import type { LeftWork } from '../../plugins/actions/action-plugin';
import { databaseNow } from '../../prisma/database';
import { findKept } from '../../prisma/hosts/plugin-records';
import { findSessionHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { findKnownSessions, findSessionProgress } from '../../prisma/session/session-progress';
import { findHostsHeld } from '../../prisma/upkeep/swept-sessions';
import { findingsOf, type HostDoubt } from '../../rules/cloud/host-findings';
import { type HostHold, isHeld } from '../../rules/holds/hold';
import type { Services } from '../services';
import { inHost } from '../session/run-in-force';
import { noteFindings } from './look-at-host';

/**
 * @param isMeant of the action at this position in the session's list. Left out: all actions are meant
 * @returns what still ends on the host
 */
export const clearHost = async (
  { db, actionPlugins }: Pick<Services, 'db' | 'actionPlugins'>,
  ref: HostRef,
  isMeant: (position: number) => boolean = () => true,
): Promise<readonly HostDoubt[]> => {
  const [host, session] = [await findSessionHost(db, ref), await findSessionProgress(db, ref.sessionId)];
  if (host === null || session === null) return [];
  const kept = await findKept(db, ref);
  const left: HostDoubt[] = [...personOn(host)];
  for (const [position, { plugin, metadata }] of session.actions.entries()) {
    if (!isMeant(position)) continue;
    const on = { name: host.hostname, type: host.type };
    const of = { session: { id: session.id }, host: on, metadata, kept: kept.get(position) };
    const still = await actionPlugins.get(plugin)?.clear?.(of);
    if (still !== undefined) left.push(stillEnds(plugin, still));
  }
  return left;
};

/** Does the same, and notes on the host what it waits for where something is left. */
export const clearOrNote = async (
  services: Services,
  ref: HostRef,
  isMeant?: (position: number) => boolean,
): Promise<readonly HostDoubt[]> => {
  const doubts = await clearHost(services, ref, isMeant);
  if (doubts.length === 0) return doubts;
  await inHost(services, ref, async (tx, host) => {
    const lookedAtMs = (await databaseNow(tx)).getTime();
    await noteFindings(services, tx, { host, findings: findingsOf({ doubts, guests: [], lookedAtMs }) });
  });
  return doubts;
};

const personOn = ({ hold }: SessionHostRecord): readonly HostDoubt[] => (isHeld(hold) ? [worksOn(hold)] : []);

const worksOn = ({ task }: HostHold): HostDoubt => ({
  owner: 'operator',
  because: `a person works on it${task === '' ? '' : `: ${task}`}`,
  help: 'make sure that the person is done, then parley release',
});

const stillEnds = (plugin: string, still: string): HostDoubt => ({
  owner: 'operator',
  because: `${still} of action plug-in ${plugin} has not ended yet`,
  help: 'it is told to end; if it does not end, look where it runs, on its node or in the other system',
});

export type ClearingServices = Pick<Services, 'db' | 'actionPlugins' | 'logger'>;

/** Removes what was left, or came late, on hosts that no session holds. */
export const clearHostsGivenBack = async ({ db, actionPlugins, logger }: ClearingServices): Promise<void> => {
  const left: LeftWork[] = [];
  for (const plugin of actionPlugins.values()) left.push(...((await plugin.findLeft?.()) ?? []));
  if (left.length === 0) return;
  // Read after the work was listed: nothing begins on a host that is not held. Others may share the namespace.
  const known = await findKnownSessions(
    db,
    left.map(({ sessionId }) => sessionId),
  );
  const held = new Set((await findHostsHeld(db)).map(keyOf));
  for (const work of left) {
    if (!known.has(work.sessionId) || held.has(keyOf(work))) continue;
    const { sessionId, hostname, name } = work;
    logger.warn({ sessionId, host: hostname }, `${name} was left on a host that was given back: removing it`);
    await work.remove();
  }
};

const keyOf = ({ sessionId, hostname }: HostRef): string => `${sessionId} ${hostname}`;
