/**
 * Decides which instances on hosts under work are admitted now: asked, or moved (workflow `vnf`). Their host is
 * disabled, they have a reserved place, and each may move now, by the rule that both workflows share
 * (both-workflows/may-move-now.ts). The host whose instances have the least to queue for goes first, so that hosts
 * become empty one after the other, not all late. What is asked moves once rules/questions/instance-question.ts has
 * settled it.
 */
import { comesBackWithHost, isNotMadeAgain } from '../../cloud/departure';
import { MovesNow } from '../both-workflows/may-move-now';
import type { SessionFacts, VnfFacts } from '../both-workflows/session-facts';
import type { Admission } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Instance } from '../fleet/fleet';
import { rankOf, targetRanks } from '../fleet/host-work';
import { isAsked } from '../fleet/is-asked';
import { groupOfKey } from '../fleet/limit-keys';
import { compareNumbers, compareText } from '../fleet/ordered';
import { secondsPerMember } from '../limits/group-pace';
import type { FleetModel } from '../model/fleet-model';
import { stayingOn } from '../model/host-content';
import { placeToStay } from './places';

export const admitVnf = (facts: VnfFacts): readonly Admission[] => {
  const { model } = facts;
  const mark = model.capacity.mark();
  const moves = new MovesNow(facts);
  const admissions = model.groups.ready().flatMap((key) => admitFromGroup(facts, moves, key));
  model.capacity.rollBack(mark);
  return admissions;
};

const admitFromGroup = (facts: VnfFacts, moves: MovesNow, groupKey: string): readonly Admission[] => {
  const { model } = facts;
  const members = model.groups
    .reservedOf(groupKey)
    .filter((instance) => mayLeave(facts, instance) && !moves.whyNot(instance));
  return inTurn(model, members, moves.membersLeft(groupKey)).flatMap((instance): readonly Admission[] => {
    const target = moves.whyNot(instance) ? undefined : targetOf(model, instance);
    return target === undefined ? [] : [moves.admit(instance, { target, ...howToGo(instance, target) })];
  });
};

/**
 * The reserved place; or one to stay at, where there is one by now and the instance would have to move again. Held
 * until all are admitted.
 */
const targetOf = (model: FleetModel, instance: Instance): string | undefined => {
  const reserved = model.reservedTarget.get(instance.id);
  const host = model.hostByName.get(reserved ?? noTarget);
  const toStay = host && rankOf(host) === targetRanks.toBeDrained ? placeToStay(model, instance) : undefined;
  return toStay?.target ?? reserved;
};

/**
 * Where the budget is not enough for all, those with a place come first, since the others may be away for long; then
 * those on the host whose instances have the least to queue for.
 */
const inTurn = (model: FleetModel, members: readonly Instance[], count: number): readonly Instance[] => {
  const isContested = members.length > count;
  const isWithout = ({ id }: Instance): number => Number(isContested && model.reservedTarget.get(id) === noTarget);
  return members
    .map((instance) => ({ instance, queue: isContested ? queueSecondsOn(model, instance.host) : 0 }))
    .sort(
      (one, other) =>
        compareNumbers([isWithout(one.instance), one.queue], [isWithout(other.instance), other.queue]) ||
        compareText(one.instance.id, other.instance.id),
    )
    .map(({ instance }) => instance);
};

/** Its host is the session's and disabled, so that nothing new comes there. */
const mayLeave = ({ model, sessionId }: SessionFacts, { host }: Instance): boolean => {
  const work = model.hostByName.get(host)?.work;
  return work?.sessionId === sessionId && work.phase === 'emptying' && work.disabled;
};

/** How long the queues are, taken together, that the host's instances still wait in. */
const queueSecondsOn = (model: FleetModel, hostname: string): number =>
  stayingOn(model, hostname).reduce(
    (seconds, { groupKey }) =>
      seconds + model.groups.queueLength(groupKey) * secondsPerMember(groupOfKey(model, groupKey)),
    0,
  );

const howToGo = (instance: Instance, target: string): Pick<Admission, 'kind' | 'action'> => {
  const { defaultAction } = instance;
  if (!isAsked(instance)) return { kind: 'move', action: defaultAction };
  const isDeletedFirst = target === noTarget && !isNotMadeAgain(instance) && !comesBackWithHost(instance);
  return { kind: 'ask', action: isDeletedFirst ? 'OWN_ACTION' : defaultAction };
};
