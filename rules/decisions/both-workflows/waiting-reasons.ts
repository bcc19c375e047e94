/** Why hosts and instances of a session wait: one reason each, in the words that detail, display and log show. */
import { onlyOwnAction, reasonOfState } from '../../obstacles/immovable';
import { groupSubject } from '../../obstacles/no-place';
import type { Waiting } from '../../obstacles/waits';
import type { Decision } from '../decision';
import type { Claim, Group, Host, Instance } from '../fleet/fleet';
import { controllerOut, isStarting } from '../fleet/host-work';
import { groupOfKey } from '../fleet/limit-keys';
import { groupsImpactedBy, untilRecoveries } from '../limits/impact';
import { lackReason } from '../limits/lack';
import { untilNextLook, whileAwayMs, whileStartingMs, whileWaitingMs } from '../look-again';
import { isEmpty, stayingOn } from '../model/host-content';
import { lackIn } from '../model/placement';
import { reasonNotBegun, waitsForOverdue, whyCannotBegin } from './cannot-begin';
import { lackOfRest, obstacleToDraining } from './cheapest-to-drain';
import { MovesNow } from './may-move-now';
import { isAnyMemberAway, ownHosts, ownUnderWork, type SessionFacts, slotsLeft, type VnfFacts } from './session-facts';

// Instances

/** A reason for every instance on the session's hosts that are being drained and that this decision does not admit. */
export const instancesWaiting = (facts: SessionFacts, { admit }: Pick<Decision, 'admit'>): readonly Waiting[] => {
  const { model } = facts;
  const moves = new MovesNow(facts);
  const recoveries = firstRecoveries(facts);
  for (const admission of admit) if (model.isStaying(admission.instanceId)) moves.count(admission);
  const admitted = new Set(admit.map(({ instanceId }) => instanceId));
  return ownHosts(facts, 'emptying').flatMap((host) => {
    const asked = (model.outgoingByHost.get(host.name) ?? []).filter(({ phase }) => phase === 'asked');
    const staying = stayingOn(model, host.name).filter(({ id }) => !admitted.has(id));
    return [
      ...asked.flatMap(({ instanceId }) => model.instanceById.get(instanceId) ?? []).map(waitsForAnswer),
      ...staying.map(
        (instance) => reasonNotNow({ ...facts, moves, recoveries }, instance) ?? waitsForPlace(facts, host, instance),
      ),
    ];
  });
};

interface MovingFacts extends SessionFacts {
  readonly moves: MovesNow;
  readonly recoveries: ReadonlyMap<string, number>;
}

/** Milliseconds until the first recovery in each group that has one, by the group's key. */
const firstRecoveries = ({ model, nowMs }: SessionFacts): ReadonlyMap<string, number> => {
  const firsts = new Map<string, number>();
  for (const claim of model.claimByInstance.values()) {
    const [remainingMs] = untilRecoveries([claim], nowMs);
    if (remainingMs === undefined) continue;
    for (const key of groupsImpactedBy(claim, model.instanceById.get(claim.instanceId)))
      firsts.set(key, Math.min(firsts.get(key) ?? Infinity, remainingMs));
  }
  return firsts;
};

/** The reason of the instance itself, its place apart; undefined where it may move. */
const reasonNotNow = (facts: MovingFacts, instance: Instance): Waiting | undefined => {
  const why = facts.moves.whyNot(instance);
  switch (why?.kind) {
    case 'claim':
      return waitsForRecovery(facts, instance, why.claim);
    case 'state':
      return reasonOfState(instance);
    case 'answer':
      return waitsForAnswer(instance);
    case 'budget':
      return waitsForGroup(facts.recoveries, instance, why.limit);
    case undefined:
      return undefined;
  }
};

const waitsForAnswer = ({ id, projectId, cannotMove }: Instance): Waiting => {
  const because = cannotMove === undefined ? {} : { because: onlyOwnAction(cannotMove) };
  return { waitingFor: 'answer', who: id, subject: projectId, ...because };
};

/** It moves again when it has recovered from its last move. */
const waitsForRecovery = ({ model, nowMs }: SessionFacts, { id, groupKey }: Instance, claim: Claim): Waiting => {
  const [remainingMs] = untilRecoveries([claim], nowMs);
  const group = groupSubject(groupOfKey(model, groupKey));
  return { waitingFor: 'recovery', who: id, ...group, ...(remainingMs !== undefined && { remainingMs }) };
};

/** It waits for the first recovery in the group, or for its members that are asked or moving. */
const waitsForGroup = (recoveries: MovingFacts['recoveries'], { id: who }: Instance, group: Group): Waiting => {
  if (group.overdue) return waitsForOverdue(who, group, group.overdue);
  const remainingMs = recoveries.get(group.key);
  if (remainingMs === undefined) {
    return { waitingFor: group.membersAway === undefined ? 'group' : 'recovery', who, ...groupSubject(group) };
  }
  return { waitingFor: 'recovery', who, ...groupSubject(group), remainingMs };
};

/** It has a place, and its host is not ready; or the rest of the host lacks places. */
const waitsForPlace = ({ model, nowMs }: SessionFacts, host: Host, { id }: Instance): Waiting => {
  const lack = model.reservedTarget.has(id) ? undefined : lackOfRest(model, host);
  return lack ? lackReason(lack, id, nowMs) : { waitingFor: 'host', who: id, subject: host.name };
};

// Hosts

/** Empty hosts that cannot begin yet: not disabled, or something that left them is still in flight. */
export const hostsNotReady = (facts: SessionFacts): readonly Waiting[] => {
  const { model } = facts;
  const empty = ownHosts(facts, 'emptying').filter((host) => isEmpty(model, host));
  return empty.flatMap(({ name, work }): readonly Waiting[] => {
    const leaving = model.outgoingByHost.get(name)?.[0]?.instanceId;
    if (leaving === undefined && work?.disabled === true) return [];
    return [{ waitingFor: 'host', who: name, subject: leaving ?? name }];
  });
};

/** Hosts whose own reason is looked for at a decision: that costs a look at all targets, and it is asked at each. */
export const mostExplained = 100;

/** Where the session has nothing under work: why each of its hosts is not drained. */
export const hostsNotDrained = (facts: SessionFacts): readonly Waiting[] => {
  if (ownUnderWork(facts).length > 0) return [];
  return ownHosts(facts, 'waiting').map((host, at) =>
    at < mostExplained ? reasonOfHost(facts, host) : waitsFor(host, host),
  );
};

/** A host without another reason waits for its turn. */
const waitsFor = ({ name: who }: Host, { name: subject }: Host): Waiting => ({ waitingFor: 'host', who, subject });

const reasonOfHost = (facts: SessionFacts, host: Host): Waiting => {
  const { model, nowMs } = facts;
  const controller = controllerOut(model, host);
  if (controller) return waitsFor(host, controller);
  const why = whyCannotBegin(model, host);
  if (why) return reasonNotBegun(why);
  const obstacle = obstacleToDraining(model, host);
  const starting = obstacle && model.hosts.find(isStarting);
  if (starting) return waitsForStart(facts, host, starting);
  if (!obstacle || obstacle.kind === 'order') return waitsFor(host, host);
  return lackReason(obstacle, host.name, nowMs);
};

const waitsForStart = ({ nowMs }: SessionFacts, host: Host, starting: Host): Waiting => {
  const { startingUntilMs } = starting;
  return {
    ...waitsFor(host, starting),
    ...(startingUntilMs !== undefined && { remainingMs: startingUntilMs - nowMs }),
  };
};

/** Where the session drains many hosts at once: why each that waits is not drained beside those under work. */
export const hostsNotDrainedBeside = (facts: VnfFacts): readonly Waiting[] => {
  const [first] = ownUnderWork(facts);
  if (!first) return hostsNotDrained(facts);
  return ownHosts(facts, 'waiting').map((host, at) =>
    at >= mostExplained ? waitsFor(host, first) : whyNotBeside(facts, host, first),
  );
};

const whyNotBeside = (facts: VnfFacts, host: Host, first: Host): Waiting => {
  const { model, nowMs } = facts;
  const controller = controllerOut(model, host);
  if (controller) return waitsFor(host, controller);
  const why = whyCannotBegin(model, host);
  if (why) return reasonNotBegun(why);
  if (slotsLeft(facts) <= 0) return waitsFor(host, first);
  // The instance that is hardest to place stands for all: this is asked for every host at every decision.
  const lack = lackIn({ model, instances: stayingOn(model, host.name).slice(0, 1) });
  return lack ? lackReason(lack, host.name, nowMs) : waitsFor(host, first);
};

/** The time until the next decision if nothing happens before. */
export const untilNextDecision = (facts: SessionFacts): number => {
  const { model, nowMs } = facts;
  const starting = model.hosts.some(isStarting) ? [whileStartingMs] : [];
  const away = [
    ...(isAnyMemberAway(facts) ? [whileAwayMs] : []),
    ...(model.isAnyOverdue || model.unplaced.isAny ? [whileWaitingMs] : []),
  ];
  const recoveries = untilRecoveries(model.claimByInstance.values(), nowMs);
  return untilNextLook([...recoveries, ...starting, ...away, ...untilStatesPass(facts)]);
};

/** The times until instances on hosts under work are expected to be movable. */
const untilStatesPass = (facts: SessionFacts): readonly number[] =>
  ownHosts(facts, 'emptying').flatMap(({ name }) =>
    facts.model.instancesOn(name).flatMap(({ cannotMoveNow: { passesAtMs = 0 } = { passesAtMs: 0 } }) => {
      const leftMs = passesAtMs - facts.nowMs;
      return leftMs > 0 ? [leftMs] : [];
    }),
  );
