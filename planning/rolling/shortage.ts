/** Computes the capacity that other hosts lack for the drain of a host. */
import type { Outlook } from './emptying';
import type { Host, Instance } from '../fleet/fleet';
import { mayLeaveWithoutPlace } from '../fleet/double-allocation';
import { instancesToMoveAway } from '../fleet/host-content';
import { type Target, largestFirst, mayTakeIt } from '../limits/placement';
import { type Room, missingRoom, missingShare, shareOf } from '../fleet/room';

/** The missing capacity if every instance of the host goes where it misses the least. */
export interface Shortage {
  readonly host: Host;
  /** Instances that need a place on another host, largest first. */
  readonly instances: readonly Instance[];
  /** Includes all capacity of the blocked instances. */
  readonly missing: Room;
  /** The number of other hosts that lack that capacity. */
  readonly onHosts: number;
  /** Instances for which anti-affinity leaves no other host. */
  readonly blocked: readonly Instance[];
}

/** @param withoutId an instance that is ignored; its use must be dropped from `now` already */
export function shortageOf(outlook: Outlook, host: Host, withoutId?: string): Shortage {
  const mark = outlook.now.mark();
  const instances = instancesToMoveAway(outlook.index, host.name)
    .filter((instance) => instance.id !== withoutId && !outlook.reserved.has(instance.id))
    .filter((instance) => !mayLeaveWithoutPlace(instance))
    .toSorted(largestFirst);
  const lacks = instances.map((instance) => squeezeIn(outlook, instance));
  outlook.now.rollBack(mark);
  return {
    host,
    instances,
    missing: lacks.map(({ missing }) => missing).reduce(addRoom, { vcpus: 0, memoryMb: 0 }),
    onHosts: new Set(lacks.flatMap(({ onHost }) => onHost ?? [])).size,
    blocked: lacks.filter(({ isBlocked }) => isBlocked).map(({ instance }) => instance),
  };
}

interface Squeezed {
  readonly instance: Instance;
  readonly missing: Room;
  /** The host that lacks it; undefined when none does, or no host in particular. */
  readonly onHost?: string;
  readonly isBlocked?: true;
}

/**
 * Puts the instance where it misses the least capacity; of equal hosts on the fuller one, so that large gaps stay for
 * instances that need them. Returns the missing capacity.
 */
function squeezeIn({ index, targets, now }: Outlook, instance: Instance): Squeezed {
  const allows = mayTakeIt(index, instance);
  let best: Squeeze | undefined;
  for (const target of targets) {
    const squeeze = squeezeOf(target, instance);
    if (best && !isBetter(squeeze, best)) continue;
    if (allows(target)) best = squeeze;
  }
  if (!best) {
    const isBlocked = targets.some(({ host }) => host.name !== instance.host);
    return { instance, missing: instance, ...(isBlocked && { isBlocked }) };
  }
  const { host, load } = best.target;
  const missing = missingRoom(load.free, instance);
  now.hold(host.name, instance);
  return { instance, missing, ...(isAny(missing) && { onHost: host.name }) };
}

/** As shares: of the instance's need, and of the host. */
interface Squeeze {
  readonly target: Target;
  readonly missing: number;
  readonly free: number;
}

function squeezeOf(target: Target, instance: Instance): Squeeze {
  const { free } = target.load;
  return { target, missing: missingShare(free, instance), free: shareOf(free, target.host) };
}

function isBetter(one: Squeeze, other: Squeeze): boolean {
  return one.missing < other.missing || (one.missing === other.missing && one.free < other.free);
}

/** True when it is more than nothing. */
export function isAny({ vcpus, memoryMb }: Room): boolean {
  return vcpus > 0 || memoryMb > 0;
}

export function addRoom(sum: Room, { vcpus, memoryMb }: Room): Room {
  return { vcpus: sum.vcpus + vcpus, memoryMb: sum.memoryMb + memoryMb };
}
