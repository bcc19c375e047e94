/** Computes the capacity that projects have to free so that work can continue, and the projects to ask. */
import type { ScaleInNeed } from '../decision';
import { type Outlook, cheapestToEmpty, lackOfRest, outlookOn } from './emptying';
import type { Fleet, Host, Instance } from '../fleet/fleet';
import { compareText, indexFleet, instancesOn } from '../fleet/fleet-index';
import { isEmpty } from '../fleet/host-content';
import { hostsOf, isDone } from '../fleet/host-work';
import { hostsToDo } from './left-out-controller';
import { cannotBeEmptied } from '../limits/reasons';
import { type Room, shareOf } from '../fleet/room';
import { type Shortage, addRoom, isAny, shortageOf } from './shortage';

/**
 * The host that needs the least for its drain, its missing capacity, and the projects of the session to ask; undefined
 * when a host is empty or can be drained now, or nothing is left to do.
 */
export function scaleInNeed(fleet: Fleet, sessionId: string): ScaleInNeed | undefined {
  const index = indexFleet(fleet);
  const own = hostsOf(index, sessionId);
  const todo = hostsToDo(index, own);
  if (todo.some((host) => isEmpty(index, host))) return undefined;
  const outlook = outlookOn(index);
  if (cheapestToEmpty(outlook, todo)) return undefined;
  const [least] = todo.map((host) => atLeastOne(shortageOf(outlook, host))).sort(byLeastMissing);
  if (!least) return undefined;
  const hostsLeft = own.filter(({ work }) => !isDone(work)).length;
  return {
    host: least.host.name,
    missingVcpus: least.missing.vcpus,
    missingMemoryMb: least.missing.memoryMb,
    missingOnHosts: least.onHosts,
    missingSlots: least.blocked.length,
    amount: { hostsLeft, share: shareMissing(least) },
    projectIds: projectsToAsk(outlook, own, least),
  };
}

/**
 * The instance of the host and the capacity or constraint for which it waits, and what would help; undefined when none
 * waits.
 */
export function whyNotEmptied(fleet: Fleet, hostname: string): string | undefined {
  const outlook = outlookOn(indexFleet(fleet));
  const host = outlook.index.hostByName.get(hostname);
  const lack = host && lackOfRest(outlook, host);
  return lack && cannotBeEmptied(hostname, lack);
}

/**
 * The capacity is enough in sum, and yet the host cannot be drained: one instance less, the smallest, is the least to
 * ask for.
 */
function atLeastOne(shortage: Shortage): Shortage {
  const smallest = shortage.instances.at(-1);
  if (isAny(shortage.missing) || !smallest) return shortage;
  return { ...shortage, missing: { vcpus: smallest.vcpus, memoryMb: smallest.memoryMb }, onHosts: 1 };
}

export function shareMissing({ missing, host }: Shortage): number {
  return shareOf(missing, host);
}

export function byLeastMissing(one: Shortage, other: Shortage): number {
  return shareMissing(one) - shareMissing(other) || compareText(one.host.name, other.host.name);
}

/**
 * Projects with instances on the session's hosts, ordered by their use of capacity that would help: on the host itself
 * and on those that could take its instances. A project that its own anti-affinity blocks comes first.
 */
function projectsToAsk(outlook: Outlook, own: readonly Host[], shortage: Shortage): readonly string[] {
  const inSession = new Set(own.flatMap(({ name }) => instancesOn(outlook.index, name)).map(projectOf));
  const blocked = new Set(shortage.blocked.map(projectOf));
  const held = new Map<string, Room>();
  for (const instance of instancesThatHelp(outlook, [shortage.host])) {
    const soFar = held.get(instance.projectId) ?? { vcpus: 0, memoryMb: 0 };
    if (inSession.has(instance.projectId)) held.set(instance.projectId, addRoom(soFar, instance));
  }
  return [...held]
    .map(([projectId, room]) => ({ projectId, room, isBlocked: blocked.has(projectId) }))
    .sort(
      (one, other) =>
        Number(other.isBlocked) - Number(one.isBlocked) ||
        other.room.vcpus - one.room.vcpus ||
        other.room.memoryMb - one.room.memoryMb ||
        compareText(one.projectId, other.projectId),
    )
    .map(({ projectId }) => projectId);
}

/**
 * Instances on one of the hosts, or on a host that could take instances of theirs: their deletion frees capacity that
 * helps.
 */
export function instancesThatHelp({ index, targets }: Outlook, hosts: readonly Host[]): readonly Instance[] {
  const names = new Set([...hosts, ...targets.map(({ host }) => host)].map(({ name }) => name));
  return [...names].flatMap((name) => instancesOn(index, name));
}

function projectOf({ projectId }: Instance): string {
  return projectId;
}
