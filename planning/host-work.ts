/** What a host's type and phase mean for planning: whether it is under work, what may be done with it. */
import type { FleetIndex } from './fleet-index';
import type { Host } from './fleet';

export function isUnderWork({ work }: Host): boolean {
  return work?.phase === 'emptying' || work?.phase === 'maintaining' || work?.phase === 'releasing';
}

/** May take instances: a compute that is enabled and not under work. */
export function isTarget(host: Host): boolean {
  return host.isCompute && host.enabled && !isUnderWork(host) && host.work?.phase !== 'failed';
}

/** Is a target once its work is done: what someone else had disabled stays disabled. */
export function becomesTarget({ isCompute, enabled, work }: Host): boolean {
  const disabledByOther = work?.disabledBefore === true || (!enabled && work?.disabled !== true);
  return isCompute && !disabledByOther;
}

export function isInPhase(phase: NonNullable<Host['work']>['phase']): (host: Host) => boolean {
  return ({ work }) => work?.phase === phase;
}

/** Hosts of the session, by name. */
export function hostsOf({ hosts }: FleetIndex, sessionId: string): readonly Host[] {
  return hosts.filter(({ work }) => work?.sessionId === sessionId);
}

/**
 * The controller that is under work, whichever session's: controllers keep a quorum of the whole cloud, so they are
 * maintained one at a time.
 */
export function controllerUnderWork({ hosts }: FleetIndex): Host | undefined {
  return hosts.find((host) => host.type === 'controller' && isUnderWork(host));
}

/** Why the session fails: what is wrong with its failed hosts; undefined where none has failed. */
export function failureOfHosts(own: readonly Host[]): string | undefined {
  const failed = own.filter(isInPhase('failed'));
  if (failed.length === 0) return undefined;
  return failed.map(({ name, work }) => `host ${name}: ${work?.failure ?? 'failed'}`).join('; ');
}
