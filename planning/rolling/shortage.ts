/** How much room other hosts lack so that a host can be emptied. */
import type { Outlook } from './emptying';
import type { Host, Instance } from '../fleet/fleet';
import { mayLeaveWithoutPlace } from '../fleet/double-allocation';
import { instancesToMoveAway } from '../fleet/host-content';
import { type Target, largestFirst, mayTakeIt } from '../limits/placement';
import { type Room, missingRoom, missingShare, shareOf } from '../fleet/room';

/** What would have to be freed if every instance of the host went where the least is missing for it. */
export interface Shortage {
  readonly host: Host;
  /** Instances that need a place elsewhere, largest first. */
  readonly instances: readonly Instance[];
  /** With all the room of the blocked instances. */
  readonly missing: Room;
  /** How many other hosts lack that room. */
  readonly onHosts: number;
  /** Instances for which anti-affinity leaves no other host. */
  readonly blocked: readonly Instance[];
}

/** @param withoutId an instance that is left out of account; its room has to be dropped from `now` already */
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
  /** Where it is missing; undefined where nothing is, or on no host in particular. */
  readonly onHost?: string;
  readonly isBlocked?: true;
}

/**
 * Puts the instance where the least room is missing for it, of equals on the fuller host, so that large holes stay for
 * those who need them; says how much is missing.
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

/** Shares: of what the instance needs, and of the host. */
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

/** Whether it is more than nothing. */
export function isAny({ vcpus, memoryMb }: Room): boolean {
  return vcpus > 0 || memoryMb > 0;
}

export function addRoom(sum: Room, { vcpus, memoryMb }: Room): Room {
  return { vcpus: sum.vcpus + vcpus, memoryMb: sum.memoryMb + memoryMb };
}
