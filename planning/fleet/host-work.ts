/** What a host's type and phase mean for planning: whether it is under work, what may be done with it. */
import type { FleetIndex } from './fleet-index';
import { type Host, phasesOver } from './fleet';

export function isUnderWork({ work }: Host): boolean {
  return work?.phase === 'emptying' || work?.phase === 'maintaining' || work?.phase === 'releasing';
}

/** May take instances: a compute that is enabled and not under work. */
export function isTarget(host: Host): boolean {
  return host.isCompute && host.enabled && !isUnderWork(host) && !hasFailed(host);
}

/** Nobody knows what state it is in. */
function hasFailed({ work }: Host): boolean {
  return work?.phase === 'failed' || work?.phase === 'set_aside';
}

/** Nothing more is done on it. */
export function isOver({ work }: Host): boolean {
  return work !== undefined && phasesOver.includes(work.phase);
}

/** Is a target once its work is done: what someone else had disabled stays disabled. */
export function becomesTarget({ isCompute, enabled, work }: Host): boolean {
  const disabledByOther = work?.disabledBefore === true || (!enabled && work?.disabled !== true);
  return isCompute && !disabledByOther;
}

/** Was enabled lately and is not up yet: it is expected to take instances soon. */
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
 * A controller beside this host that is out of service by the work of any session: controllers keep a quorum of the
 * whole cloud, so they are maintained one at a time, and none while another one is left out.
 */
export function controllerOut({ hosts }: Pick<FleetIndex, 'hosts'>, beside: Host): Host | undefined {
  const others = hosts.filter((host) => host.type === 'controller' && host.name !== beside.name);
  return others.find(isUnderWork) ?? others.find(isLeftOut);
}

/** The controller that keeps this one from ever being maintained, unless somebody repairs it: nobody works on it. */
export function controllerLeftOut({ hosts }: Pick<FleetIndex, 'hosts'>, beside: Host): Host | undefined {
  if (beside.type !== 'controller') return undefined;
  const out = controllerOut({ hosts }, beside);
  return out && isLeftOut(out) ? out : undefined;
}

/**
 * Failed in maintenance, and left disabled since nobody knows what state it is in; also after its session was resumed.
 */
function isLeftOut({ work }: Host): boolean {
  if (work?.disabled !== true) return false;
  return work.phase === 'failed' || work.phase === 'set_aside' || (work.phase === 'waiting' && !work.disabledBefore);
}
