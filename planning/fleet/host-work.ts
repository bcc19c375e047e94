/** The meaning of a host's type and phase for planning: whether it is under work, and which work may follow. */
import type { FleetIndex } from './fleet-index';
import { type Host, type HostWork, phasesDone } from './fleet';

export function isUnderWork({ work }: Host): boolean {
  return work?.phase === 'emptying' || work?.phase === 'maintaining' || work?.phase === 'releasing';
}

/** True when it may take instances: a compute that is enabled and not under work. */
export function isTarget(host: Host): boolean {
  return host.isCompute && host.enabled && !isUnderWork(host) && !hasFailed(host);
}

/** True when nobody knows its state. */
function hasFailed({ work }: Host): boolean {
  return work?.phase === 'failed' || work?.phase === 'set_aside';
}

/** True when its session has no more work on the host; for hosts of a snapshot (`host.work`) and for records. */
export function isDone(work: Pick<HostWork, 'phase'> | undefined): boolean {
  return work !== undefined && phasesDone.includes(work.phase);
}

/** True when it is a target after its work: a host that someone else had disabled stays disabled. */
export function becomesTarget({ isCompute, enabled, work }: Host): boolean {
  const disabledByOther = work?.disabledBefore === true || (!enabled && work?.disabled !== true);
  return isCompute && !disabledByOther;
}

/** True when it was enabled lately and is not up yet: it is expected to take instances soon. */
export function isStarting(host: Host): boolean {
  return host.startingUntilMs !== undefined && host.isCompute && !isUnderWork(host) && !hasFailed(host);
}

export function hostsStarting(hosts: readonly Host[]): readonly Host[] {
  return hosts.filter(isStarting);
}

export function isInPhase(phase: NonNullable<Host['work']>['phase']): (host: Host) => boolean {
  return ({ work }) => work?.phase === phase;
}

/** Hosts of the session, by name. */
export function hostsOf({ hosts }: FleetIndex, sessionId: string): readonly Host[] {
  return hosts.filter(({ work }) => work?.sessionId === sessionId);
}

/**
 * Another controller that is out of service by the work of any session. Controllers keep a quorum of the whole cloud,
 * so they are maintained one at a time, and none while another one is out.
 */
export function controllerOut({ hosts }: Pick<FleetIndex, 'hosts'>, beside: Host): Host | undefined {
  const others = hosts.filter((host) => host.type === 'controller' && host.name !== beside.name);
  return others.find(isUnderWork) ?? others.find(isLeftOut);
}

/** The controller that prevents the maintenance of this one until somebody repairs it: no session works on it. */
export function controllerLeftOut({ hosts }: Pick<FleetIndex, 'hosts'>, beside: Host): Host | undefined {
  if (beside.type !== 'controller') return undefined;
  const out = controllerOut({ hosts }, beside);
  return out && isLeftOut(out) ? out : undefined;
}

/**
 * True when it failed in maintenance, and was left disabled because nobody knows its state; also after its session was
 * resumed.
 */
function isLeftOut({ work }: Host): boolean {
  if (work?.disabled !== true) return false;
  return work.phase === 'failed' || work.phase === 'set_aside' || (work.phase === 'waiting' && !work.disabledBefore);
}
