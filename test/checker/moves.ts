/** R2 to R7 as far as they are about moves. */
import { checkLeave, checkOwnerTime } from './questions';
import type { TraceEvent } from './trace';
import { type InstanceStanding, type Move, toleranceSeconds, type World } from './world';

interface Start {
  readonly from: string;
  readonly to: string;
  readonly action: string;
  readonly forced: boolean;
}

const startIn = (event: TraceEvent): Start => ({
  from: String(event['from']),
  to: String(event['to']),
  action: String(event['action']),
  forced: event['forced'] === true,
});

export const startMove = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  const start = startIn(event);
  if (instance.move) {
    world.bad('R6', `instance ${instance.facts.id} moves to ${start.to}, and moves already`);
    return;
  }
  checkForm(world, start, instance);
  if (!start.forced) {
    checkLeave(world, instance);
    checkOwnerTime(world, instance);
  }
  // A forced move goes on with what was begun: nothing new is impacted, on the terms that it had.
  if (start.forced && instance.impact) instance.impact.until = Infinity;
  else world.begin(instance, start.action);
  const to = possibleTarget(world, start, instance);
  instance.move = { to, startedAt: world.t, action: start.action, isReplaced: false };
  if (to !== undefined) checkTarget(world, to, instance);
};

/** None of an instance that its project deletes first: nothing is held anywhere for its replacement. */
const possibleTarget = (world: World, { to, action }: Start, { facts, host }: InstanceStanding): string | undefined => {
  if (action === 'OWN_ACTION' && to === '') return undefined;
  if (to !== host && world.hosts.get(to)?.facts.isCompute === true) return to;
  world.bad('R6', `instance ${facts.id}: ${to} is not another compute host`);
  return undefined;
};

const checkForm = (
  world: World,
  { from, action, forced }: Start,
  { facts, host, mayBeForced }: InstanceStanding,
): void => {
  if (from !== host) world.bad('R6', `instance ${facts.id} moves from ${from}, and is on ${host}`);
  if (forced) {
    if (!mayBeForced) world.bad('R6', `instance ${facts.id} is forced to move, and no move of it was given up`);
  } else if (facts.action !== undefined && action !== facts.action) {
    world.bad('R6', `instance ${facts.id} moves by ${action}, not by ${facts.action}`);
  }
};

const checkNeeds = (world: World, to: string, { facts: { id, needs = [] } }: InstanceStanding): void => {
  const labels = world.hosts.get(to)?.facts.labels ?? [];
  const missing = needs.filter((label) => !labels.includes(label));
  if (missing.length > 0) world.bad('R9', `instance ${id} moves to ${to}, which lacks ${missing.join(', ')}`);
};

const checkTarget = (world: World, to: string, instance: InstanceStanding): void => {
  if (world.hosts.get(to)?.isDisabled)
    world.bad('R5', `instance ${instance.facts.id} moves to ${to}, which is disabled`);
  checkNeeds(world, to, instance);
  world.checkCapacity(to);
  checkOwnLimit(world, to, instance);
  for (const limit of world.cloudLimitsOf(instance)) {
    const count = world.holders(to).filter(({ facts }) => facts.cloudGroupIds?.includes(limit.id)).length;
    if (count <= limit.maxPerHost) continue;
    world.bad('R4', `host ${to}: ${count} members of the cloud's group ${limit.id}, ${limit.maxPerHost} allowed`);
  }
};

/**
 * Its place is looked at when it begins, by the limits of that time. A forced move keeps it, beside others that came
 * when more were allowed.
 */
const checkOwnLimit = (world: World, to: string, instance: InstanceStanding): void => {
  const { id, maxPerHost: atBegin = Infinity } = instance.impact?.terms ?? world.groupOf(instance);
  const maxPerHost = Math.max(atBegin, world.groups.get(id)?.maxPerHost ?? Infinity);
  const members = world.holders(to).filter(({ facts }) => facts.groupId === id).length;
  if (members > maxPerHost) world.bad('R4', `host ${to}: ${members} members of group ${id}, ${maxPerHost} allowed`);
};

/**
 * One that stayed keeps its leave: the same question lets it go another time. A question asked meanwhile is for the
 * next.
 */
export const endMove = (world: World, event: TraceEvent, instance: InstanceStanding): void => {
  const { move, facts } = instance;
  if (!move) {
    world.bad('R6', `instance ${facts.id} ends a move that did not begin`);
    return;
  }
  const hasStayed = event['stayed'] === true;
  const took = world.t - move.startedAt;
  if (!hasStayed && took < (facts.moveSeconds ?? 0) - toleranceSeconds) {
    world.bad('R7', `instance ${facts.id} moves within ${took} s, it takes ${facts.moveSeconds ?? 0} s`);
  }
  instance.move = undefined;
  instance.mayBeForced = hasStayed;
  world.recover(instance);
  if (!hasStayed) land(world, instance, { move, on: move.to ?? landedOn(event) });
};

const land = (world: World, instance: InstanceStanding, { move, on }: { move: Move; on: string | undefined }): void => {
  if (instance.leave && instance.leave.askedAt <= move.startedAt) instance.leave = undefined;
  instance.host = on ?? instance.host;
  world.checkCapacity(instance.host);
};

/** Told by the cloud, where it was not known before. */
const landedOn = (event: TraceEvent): string | undefined => (typeof event['to'] === 'string' ? event['to'] : undefined);
