/** How much projects have to give up so that work can go on, and which of them to ask. */
import type { ScaleInNeed } from '../decision';
import { type Outlook, cheapestToEmpty, lackOfRest, outlookOn } from './emptying';
import type { Fleet, Host, Instance } from '../fleet/fleet';
import { compareText, indexFleet, instancesOn } from '../fleet/fleet-index';
import { instancesToMoveAway, isEmpty } from '../fleet/host-content';
import { hostsOf } from '../fleet/host-work';
import { hostsToDo } from './left-out-controller';
import { type Target, mayTakeIt, largestFirst } from '../limits/placement';
import { cannotBeEmptied } from '../limits/reasons';
import { type Room, missingRoom, missingShare, shareOf } from '../fleet/room';

/**
 * The host that needs the least to be emptied, how much is missing for it, and the projects of the session to ask;
 * undefined where a host is empty or can be emptied now, or nothing is left to do.
 */
export function scaleInNeed(fleet: Fleet, sessionId: string): ScaleInNeed | undefined {
  const index = indexFleet(fleet);
  const own = hostsOf(index, sessionId);
  const todo = hostsToDo(index, own);
  if (todo.some((host) => isEmpty(index, host))) return undefined;
  const outlook = outlookOn(index);
  if (cheapestToEmpty(outlook, todo)) return undefined;
  const [least] = todo.map((host) => shortageOf(outlook, host)).sort(byLeastMissing);
  if (!least) return undefined;
  return {
    host: least.host.name,
    missingVcpus: least.missing.vcpus,
    missingMemoryMb: least.missing.memoryMb,
    isKeptByAffinity: least.blocked.size > 0,
    projectIds: projectsToAsk(outlook, own, least),
  };
}

/** Which instance of the host waits for which room or constraint and what would help; undefined where none does. */
export function whyNotEmptied(fleet: Fleet, hostname: string): string | undefined {
  const outlook = outlookOn(indexFleet(fleet));
  const host = outlook.index.hostByName.get(hostname);
  const lack = host && lackOfRest(outlook, host);
  return lack && cannotBeEmptied(hostname, lack);
}

interface Shortage {
  readonly host: Host;
  readonly missing: Room;
  /** Projects whose anti-affinity leaves no host for one of their members. */
  readonly blocked: ReadonlySet<string>;
}

/** What would have to be freed if every instance went where the least is missing. */
function shortageOf(outlook: Outlook, host: Host): Shortage {
  const mark = outlook.now.mark();
  const instances = instancesToMoveAway(outlook.index, host.name)
    .filter(({ id }) => !outlook.reserved.has(id))
    .toSorted(largestFirst);
  const lacks = instances.map((instance) => ({ instance, missing: squeezeIn(outlook, instance) }));
  outlook.now.rollBack(mark);
  const blocked = lacks.filter(({ missing }) => missing === 'affinity').map(({ instance }) => instance.projectId);
  const missing = lacks
    .map((lack) => (lack.missing === 'affinity' ? lack.instance : lack.missing))
    .reduce(addRoom, { vcpus: 0, memoryMb: 0 });
  return { host, blocked: new Set(blocked), missing: atLeastOne(missing, instances) };
}

/**
 * Puts the instance where the least room is missing for it, of equals on the fuller host, so that large holes stay for
 * those who need them; says how much is missing.
 */
function squeezeIn({ index, targets, now }: Outlook, instance: Instance): Room | 'affinity' {
  const allows = mayTakeIt(index, instance);
  let best: Squeeze | undefined;
  for (const target of targets) {
    const squeeze = squeezeOf(target, instance);
    if (best && !isBetter(squeeze, best)) continue;
    if (allows(target)) best = squeeze;
  }
  if (!best) return targets.some(({ host }) => host.name !== instance.host) ? 'affinity' : instance;
  const missing = missingRoom(best.target.load.free, instance);
  now.hold(best.target.host.name, instance);
  return missing;
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

function addRoom(sum: Room, { vcpus, memoryMb }: Room): Room {
  return { vcpus: sum.vcpus + vcpus, memoryMb: sum.memoryMb + memoryMb };
}

/** Room enough in sum, and yet the host cannot be emptied: one instance less, the smallest, is the least to ask for. */
function atLeastOne(missing: Room, largestFirstInstances: readonly Instance[]): Room {
  const smallest = largestFirstInstances.at(-1);
  if (missing.vcpus > 0 || missing.memoryMb > 0 || !smallest) return missing;
  return { vcpus: smallest.vcpus, memoryMb: smallest.memoryMb };
}

function byLeastMissing(one: Shortage, other: Shortage): number {
  const difference = shareOf(one.missing, one.host) - shareOf(other.missing, other.host);
  return difference || compareText(one.host.name, other.host.name);
}

/**
 * Projects with instances on the session's hosts, ordered by how much they hold where freeing it helps: on the host
 * itself and on those that could take its instances. One that its own anti-affinity blocks comes first.
 */
function projectsToAsk({ index, targets }: Outlook, own: readonly Host[], shortage: Shortage): readonly string[] {
  const inSession = new Set(own.flatMap(({ name }) => instancesOn(index, name)).map(({ projectId }) => projectId));
  const held = new Map<string, Room>();
  for (const { name } of [shortage.host, ...targets.map(({ host }) => host)]) {
    for (const instance of instancesOn(index, name)) {
      const soFar = held.get(instance.projectId) ?? { vcpus: 0, memoryMb: 0 };
      if (inSession.has(instance.projectId)) held.set(instance.projectId, addRoom(soFar, instance));
    }
  }
  return [...held]
    .map(([projectId, room]) => ({ projectId, room, isBlocked: shortage.blocked.has(projectId) }))
    .sort(
      (one, other) =>
        Number(other.isBlocked) - Number(one.isBlocked) ||
        other.room.vcpus - one.room.vcpus ||
        other.room.memoryMb - one.room.memoryMb ||
        compareText(one.projectId, other.projectId),
    )
    .map(({ projectId }) => projectId);
}
