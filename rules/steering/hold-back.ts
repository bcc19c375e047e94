/**
 * Holds hosts of a session back, for its canary, its windows and the owners of instances (work-now.ts): nothing begins
 * on them for now, and those under work that would be late are given back.
 */
import type { Decision } from '../decisions/decision';
import type { Fleet } from '../decisions/fleet/fleet';
import type { Reason } from '../reasons/reason';

export interface HostsHeldBack {
  /** Why each of the hosts waits on which nothing begins. */
  readonly held: readonly Reason[];
  /** Hosts under work whose maintenance would not end in time. */
  readonly giveBack: readonly string[];
  /**
   * The milliseconds until a host under work would not be back in time any more, or the window closes; Infinity: never.
   */
  readonly lookAgainMs: number;
}

/** True where the owner of an instance on the host never lets it be impacted. */
export const isForNoHour = ({ waitingFor, untilMs }: Reason): boolean =>
  waitingFor === 'owner_time' && untilMs === undefined;

/** Holds these hosts back as well, and looks again soon enough to see their reasons pass. */
export const holdAlso = <Held extends HostsHeldBack>(
  work: Held,
  { held, lookAgainMs }: Pick<HostsHeldBack, 'held' | 'lookAgainMs'>,
): Held => {
  if (held.length === 0) return work;
  const known = new Set(work.held.map(({ who }) => who));
  return {
    ...work,
    held: [...work.held, ...held.filter(({ who }) => !known.has(who))],
    lookAgainMs: Math.min(work.lookAgainMs, lookAgainMs),
  };
};

/** The fleet as the session decides on it: it passes these hosts over, too. */
export const holdBack = (fleet: Fleet, names: readonly string[]): Fleet => ({
  ...fleet,
  heldBack: [...(fleet.heldBack ?? []), ...names],
});

/**
 * The decision with the hosts that are held back. While there is one, the session does not complete. While one of them
 * waits for a later window or for an owner, the session does not ask for capacity; hosts that fit into no window or no
 * hour do not prevent that.
 */
export const withHeld = (decision: Decision, { held, giveBack, lookAgainMs }: HostsHeldBack): Decision => {
  const { next, ...rest } = decision;
  const isAnyToCome = held.some(
    (reason) => reason.waitingFor === 'time' || (reason.waitingFor === 'owner_time' && !isForNoHour(reason)),
  );
  const isHeld = next === 'SCALE_IN' ? isAnyToCome : next === 'MAINTENANCE_COMPLETE' && held.length > 0;
  return {
    ...rest,
    ...(next !== undefined && !isHeld && { next }),
    giveBackForTime: giveBack,
    waiting: [...rest.waiting.filter(({ who }) => !giveBack.includes(who)), ...held],
    lookAgainMs: Math.max(1, Math.min(rest.lookAgainMs, lookAgainMs)),
  };
};
