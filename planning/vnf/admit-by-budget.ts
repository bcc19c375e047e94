/**
 * Which instances on hosts under work are asked, or moved, now (workflow `vnf`): those with a reserved place, of every
 * group as many as its budget allows. The host whose instances have the least to queue for goes first, so that hosts
 * become empty one after the other, not all late.
 */
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Instance } from '../fleet/fleet';
import { groupOfKey, limitedBy } from '../fleet/limit-keys';
import { compareText } from '../fleet/ordered';
import { secondsPerMember } from '../limits/group-pace';
import { Budget } from '../model/budget';
import type { FleetModel } from '../model/fleet-model';
import { stayingOn } from '../model/host-content';
import type { VnfFacts } from '../rolling/session-facts';
import { placeToStay } from './places';

export const admissionsOf = (facts: VnfFacts): readonly Admission[] => {
  const { model } = facts;
  const mark = model.capacity.mark();
  const budget = new Budget(model);
  const admissions = model.groupsReady().flatMap((key) => admissionsOfGroup(facts, key, budget));
  model.capacity.rollBack(mark);
  return admissions;
};

const admissionsOfGroup = (facts: VnfFacts, groupKey: string, budget: Budget): readonly Admission[] => {
  const { model } = facts;
  const members = model.reservedOf(groupKey).filter((instance) => mayGo(facts, instance));
  return inTurn(model, members, budget.membersLeft(groupKey)).flatMap((instance) => {
    if (budget.spentLimit(instance)) return [];
    const target = targetOf(model, instance);
    if (target === undefined) return [];
    budget.impact(instance);
    return [admissionOf(instance, target)];
  });
};

/**
 * The reserved place; or one to stay at, where there is one by now and the instance would have to move again. Held
 * until all are admitted.
 */
const targetOf = (model: FleetModel, instance: Instance): string | undefined => {
  const toStay = model.movesAgain(instance.id) ? placeToStay(model, instance) : undefined;
  return toStay?.target ?? model.reservedTarget.get(instance.id);
};

/** Where the budget is not enough for all, first those on the host whose instances have the least to queue for. */
const inTurn = (model: FleetModel, members: readonly Instance[], count: number): readonly Instance[] => {
  const isContested = members.length > count;
  return members
    .map((instance) => ({ instance, queue: isContested ? queueSecondsOn(model, instance.host) : 0 }))
    .sort((one, other) => one.queue - other.queue || compareText(one.instance.id, other.instance.id))
    .map(({ instance }) => instance);
};

/** Its host is the session's and disabled, so that nothing new comes there, and it has recovered from its last move. */
const mayGo = ({ model, sessionId }: VnfFacts, { id, host }: Instance): boolean => {
  const work = model.hostByName.get(host)?.work;
  const isGoing = work?.sessionId === sessionId && work.phase === 'emptying' && work.disabled;
  return isGoing && !model.claimByInstance.has(id);
};

/** How long the queues are, taken together, that the host's instances still wait in. */
const queueSecondsOn = (model: FleetModel, hostname: string): number =>
  stayingOn(model, hostname).reduce(
    (seconds, { groupKey }) => seconds + model.queueLength(groupKey) * secondsPerMember(groupOfKey(model, groupKey)),
    0,
  );

const admissionOf = (instance: Instance, target: string): Admission => ({
  kind: instance.leadTimeSeconds === 0 ? 'move' : 'ask',
  instanceId: instance.id,
  ...limitedBy(instance),
  source: instance.host,
  target,
  action: target === noTarget && instance.leadTimeSeconds !== 0 ? 'OWN_ACTION' : instance.defaultAction,
});
