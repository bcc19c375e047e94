/**
 * The blockers of a session that its records tell: its end, failure or pause, and missing actions. Plan and summary
 * both ask here. Those that a plan alone finds are in rules/simulation/plan/ (blockers-*.ts) and plan-blockers.ts.
 */
import type { SessionHostRecord } from '../../prisma/hosts/session-hosts';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { hostsWithoutPlugin } from '../../rules/expectations/plugins-of-host';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import { isToBeAborted } from '../../rules/steering/may-begin';

interface Standing {
  /** True for a plan, which goes on from here. */
  readonly isPlanned: boolean;
  /** The hosts of the session. */
  readonly hosts: readonly Pick<SessionHostRecord, 'hostname' | 'phase'>[];
}

export const standingBlockers = (session: SessionProgress, { isPlanned, hosts }: Standing): readonly Blocker[] => {
  const { id: sessionId, state, failure, stopping, pausedAt, pausedBecause } = session;
  if (isToBeAborted(session)) return [blocker('session_ending', { sessionId })];
  if (state === 'MAINTENANCE_FAILED') {
    const toRepair = hosts.filter(({ phase }) => phase === 'failed').map(({ hostname }) => hostname);
    return [blocker('session_failed', { sessionId, failure, isPlanned, toRepair })];
  }
  if (stopping !== null) return [blocker('session_ending', { sessionId, failure })];
  if (pausedAt === null) return [];
  return [blocker('session_paused', { sessionId, pausedAt, pausedBecause, isPlanned })];
};

interface ActionsOnHosts {
  /** The session, or the workflow of one that is not there yet. */
  readonly sessionId: string;
  readonly actions: Parameters<typeof hostsWithoutPlugin>[0];
  readonly hosts: Parameters<typeof hostsWithoutPlugin>[1];
  readonly isCreated: boolean;
}

export const hostsWithoutAction = ({ sessionId, actions, hosts, isCreated }: ActionsOnHosts): readonly Blocker[] => {
  const without = hostsWithoutPlugin(actions, hosts);
  if (without.length === 0) return [];
  return [blocker('nothing_maintained', { sessionId, hostCount: hosts.length, without, isCreated })];
};
