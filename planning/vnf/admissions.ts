/**
 * Which instances on hosts under work are asked, or moved, now: those with a reserved place, of every group as many as
 * its budget allows. The host whose instances have the least to queue for goes first, so that hosts become empty one
 * after the other, not all late.
 */
import { actionOf } from '../questions/action-of';
import type { Admission } from '../decision';
import type { Instance, Limited } from '../fleet/fleet';
import { noTarget } from '../fleet/double-allocation';
import { compareText, instancesOn, limitedBy, limitKeysOf } from '../fleet/fleet-index';
import { secondsPerMember } from '../live/group-pace';
import { leastLeft, limitsOf } from '../limits/limits-of-instance';
import { largestFirst } from '../limits/placement';
import type { LiveFleet } from '../live/live-fleet';
import { TargetPool } from './target-pool';
import type { VnfFacts } from '../live/vnf-facts';

/** Instances of the host that are not admitted yet, largest first. */
export function stayingOn(live: LiveFleet, hostname: string): readonly Instance[] {
  return instancesOn(live, hostname)
    .filter(({ id }) => live.isStaying(id))
    .sort(largestFirst);
}

export function admissionsOf(facts: VnfFacts): readonly Admission[] {
  const { live } = facts;
  const mark = live.occupancy.mark();
  const turns = new Turns(live);
  const admissions = [...live.readyGroups].sort(compareText).flatMap((key) => admissionsOfGroup(facts, key, turns));
  live.occupancy.rollBack(mark);
  return admissions;
}

/** What the budgets have left while one decision is made, under all limits of an instance. */
class Turns {
  readonly #taken = new Map<string, number>();

  constructor(private readonly live: LiveFleet) {}

  leftFor(limited: Limited): number {
    return leastLeft(limitsOf(this.live, limited), ({ key }) => this.live.membersLeft(key) - this.#takenOf(key));
  }

  take(limited: Limited): void {
    for (const key of limitKeysOf(limited)) this.#taken.set(key, this.#takenOf(key) + 1);
  }

  #takenOf(key: string): number {
    return this.#taken.get(key) ?? 0;
  }
}

function admissionsOfGroup(facts: VnfFacts, groupKey: string, turns: Turns): readonly Admission[] {
  const { live } = facts;
  const members = [...live.reservedOf(groupKey)]
    .flatMap((id) => live.instanceById.get(id) ?? [])
    .filter((instance) => mayGo(facts, instance));
  return inOrder(live, members, turns.leftFor({ groupKey })).flatMap((instance) => {
    if (turns.leftFor(instance) <= 0) return [];
    const target = targetOf(live, instance);
    if (target === undefined) return [];
    turns.take(instance);
    return [admissionOf(instance, target)];
  });
}

/**
 * The reserved place; or one to stay at, where there is one by now and the instance would have to move again. Held
 * until all are admitted.
 */
function targetOf(live: LiveFleet, instance: Instance): string | undefined {
  const toStay = live.movesAgain(instance.id) ? new TargetPool(live).placeToStay(instance) : undefined;
  return toStay?.target ?? live.reservedTarget.get(instance.id);
}

/** Where the budget is not enough for all, first those on the host whose instances have the least to queue for. */
function inOrder(live: LiveFleet, members: readonly Instance[], count: number): readonly Instance[] {
  const isContested = members.length > count;
  return members
    .map((instance) => ({ instance, queue: isContested ? queueSecondsOn(live, instance.host) : 0 }))
    .sort((one, other) => one.queue - other.queue || compareText(one.instance.id, other.instance.id))
    .map(({ instance }) => instance);
}

/** Its host is the session's and disabled, so that nothing new comes there, and it has recovered from its last move. */
function mayGo({ live, sessionId }: VnfFacts, { id, host }: Instance): boolean {
  const work = live.hostByName.get(host)?.work;
  const isGoing = work?.sessionId === sessionId && work.phase === 'emptying' && work.disabled;
  return isGoing && !live.claimByInstance.has(id);
}

/** How long the queues are, taken together, that the host's instances still wait in. */
function queueSecondsOn(live: LiveFleet, hostname: string): number {
  let seconds = 0;
  for (const { id, groupKey } of instancesOn(live, hostname)) {
    if (!live.isStaying(id)) continue;
    const { length, group } = live.queue(groupKey);
    seconds += length * secondsPerMember(group);
  }
  return seconds;
}

function admissionOf(instance: Instance, target: string): Admission {
  return {
    kind: instance.leadTimeSeconds === 0 ? 'move' : 'ask',
    instanceId: instance.id,
    ...limitedBy(instance),
    source: instance.host,
    target,
    action: target === noTarget && instance.leadTimeSeconds !== 0 ? 'OWN_ACTION' : actionOf(instance),
  };
}
