/** Why hosts and instances of a session wait: one reason each, which the session's row keeps for all who show it. */
import { whyByProject, whyHeld } from '../../cloud/departure';
import { onlyOwnAction } from '../../obstacles/immovable';
import { ownerTimeReason } from '../../reasons/of-owner-time';
import { reasonOfState } from '../../reasons/of-state';
import { groupSubject, type LimitNow, type Reason } from '../../reasons/reason';
import type { Admission, Decision } from '../decision';
import type { Claim, Group, Host, Instance } from '../fleet/fleet';
import { controllerOut, isStarting } from '../fleet/host-work';
import { groupOfKey, limitKeysOf } from '../fleet/limit-keys';
import { groupsImpactedBy, untilRecoveries } from '../limits/impact';
import { lackReason } from '../limits/lack';
import { groupLimitNow, limitNow } from '../limits/limit-now';
import { untilNextLook, whileAwayMs, whileStartingMs, whileWaitingMs } from '../look-again';
import { isEmpty, stayingOn } from '../model/host-content';
import { lackIn } from '../model/placement';
import { reasonNotBegun, waitsForOverdue, whyCannotBegin } from './cannot-begin';
import { lackOfRest, obstacleToDraining } from './cheapest-to-drain';
import { whyNotBeside } from './fault-domains';
import { MovesNow } from './may-move-now';
import { isAnyMemberAway, ownHosts, ownUnderWork, type SessionFacts, slotsLeft, type VnfFacts } from './session-facts';

// Instances

/** A reason for every instance on the session's hosts that are being drained and that this decision does not admit. */
export const instancesWaiting = (facts: SessionFacts, { admit }: Pick<Decision, 'admit'>): readonly Reason[] => {
  const { model } = facts;
  const moves = new MovesNow(facts);
  const fresh = admit.filter(({ instanceId }) => model.isStaying(instanceId));
  for (const admission of fresh) moves.count(admission);
  const impact = impactByGroup(facts, fresh);
  const admitted = new Set(admit.map(({ instanceId }) => instanceId));
  return ownHosts(facts, 'emptying').flatMap((host) => {
    const asked = (model.outgoingByHost.get(host.name) ?? []).filter(({ phase }) => phase === 'asked');
    const staying = stayingOn(model, host.name).filter(({ id }) => !admitted.has(id));
    return [
      ...asked.flatMap(({ instanceId }) => model.instanceById.get(instanceId) ?? []).map(waitsForAnswer),
      ...staying.map(
        (instance) => reasonNotNow({ ...facts, moves, impact }, instance) ?? waitsForPlace(facts, host, instance),
      ),
    ];
  });
};

/** Who counts against the limit of a group now, and the first end of a recovery among them; Infinity: none recovers. */
interface ImpactNow {
  readonly members: string[];
  firstRecoveryMs: number;
}

interface MovingFacts extends SessionFacts {
  readonly moves: MovesNow;
  /** By the key of the group. */
  readonly impact: ReadonlyMap<string, ImpactNow>;
}

const impactByGroup = ({ model, nowMs }: SessionFacts, admitted: readonly Admission[]): MovingFacts['impact'] => {
  const impact = new Map<string, ImpactNow>();
  const count = (keys: Iterable<string>, instanceId: string, recoversAtMs = Infinity): void => {
    for (const key of keys) {
      const group = impact.get(key) ?? { members: [], firstRecoveryMs: Infinity };
      impact.set(key, group);
      group.members.push(instanceId);
      group.firstRecoveryMs = Math.min(group.firstRecoveryMs, recoversAtMs);
    }
  };
  for (const claim of model.claimByInstance.values()) {
    const recoversAtMs = recoveryEndOf(claim, nowMs);
    count(groupsImpactedBy(claim, model.instanceById.get(claim.instanceId)), claim.instanceId, recoversAtMs);
  }
  for (const admission of admitted) count(limitKeysOf(admission), admission.instanceId);
  return impact;
};

const recoveryEndOf = ({ phase, recoversAtMs = 0 }: Claim, nowMs: number): number | undefined =>
  phase === 'recovering' && recoversAtMs > nowMs ? recoversAtMs : undefined;

/** The reason of the instance itself, its place apart; undefined where it may move. */
const reasonNotNow = (facts: MovingFacts, instance: Instance): Reason | undefined => {
  const why = facts.moves.whyNot(instance);
  switch (why?.kind) {
    case 'claim':
      return waitsForRecovery(facts, instance, why.claim);
    case 'state':
      return reasonOfState(instance);
    case 'owner':
      return ownerTimeReason(instance.id, instance, why.untilMs);
    case 'answer':
      return waitsForAnswer(instance);
    case 'budget':
      return waitsForGroup(facts.impact.get(why.limit.key), instance, why.limit);
    case undefined:
      return undefined;
  }
};

const waitsForAnswer = (instance: Instance): Reason => {
  const why = whyByProject(instance);
  const because = why === undefined ? undefined : onlyOwnAction(why);
  return { waitingFor: 'answer', who: instance.id, subject: instance.projectId, because };
};

/** It moves again when it has recovered from its last move. */
const waitsForRecovery = ({ model, nowMs }: SessionFacts, { id: who, groupKey }: Instance, claim: Claim): Reason => {
  const subject = groupSubject(groupOfKey(model, groupKey));
  return { waitingFor: 'recovery', who, ...subject, untilMs: recoveryEndOf(claim, nowMs) };
};

/** It waits for the first recovery in the group, or for its members that are asked or moving. */
const waitsForGroup = (impact: ImpactNow | undefined, { id: who }: Instance, group: Group): Reason => {
  const { members = [], firstRecoveryMs: untilMs = Infinity } = impact ?? {};
  const limit = limitOf(group, members);
  if (group.overdue) return { ...waitsForOverdue(who, group, group.overdue), limit };
  const subject = groupSubject(group);
  if (untilMs < Infinity) return { waitingFor: 'recovery', who, ...subject, limit, untilMs };
  return { waitingFor: group.membersAway === undefined ? 'group' : 'recovery', who, ...subject, limit };
};

/** Of members that are away by themselves only the number is known. */
const limitOf = (group: Group, members: readonly string[]): LimitNow | undefined => {
  const { maxImpactedMembers: max, membersAway = 0 } = group;
  return max === Infinity ? undefined : groupLimitNow(group, limitNow(max, members.length + membersAway, members));
};

/** It has a place, and its host is not ready; or the rest of the host lacks places. */
const waitsForPlace = ({ model, nowMs }: SessionFacts, host: Host, { id }: Instance): Reason => {
  const lack = model.reservedTarget.has(id) ? undefined : lackOfRest(model, host);
  return lack ? lackReason(lack, id, nowMs) : { waitingFor: 'host', who: id, subject: host.name };
};

// Hosts

/** Empty hosts that cannot begin yet: not disabled, or something that left them is still in flight. */
export const hostsNotReady = (facts: SessionFacts): readonly Reason[] => {
  const { model } = facts;
  const empty = ownHosts(facts, 'emptying').filter((host) => isEmpty(model, host));
  return empty.flatMap(({ name, work }): readonly Reason[] => {
    const leaving = model.outgoingByHost.get(name)?.[0]?.instanceId;
    if (leaving === undefined && work?.disabled === true) return [];
    return [{ waitingFor: 'host', who: name, subject: leaving ?? name }];
  });
};

/** Hosts whose own reason is looked for at a decision: that costs a look at all targets, and it is asked at each. */
export const mostExplained = 100;

/** Where the session has nothing under work: why each of its hosts is not drained. */
export const hostsNotDrained = (facts: SessionFacts): readonly Reason[] =>
  ownUnderWork(facts).length > 0 ? [] : reasonsOfHosts(facts, (host) => whyNotDrained(facts, host), undefined);

/** @param first the host under work for which all wait that are not looked at; undefined: for their own turn */
const reasonsOfHosts = (
  facts: SessionFacts,
  reasonOf: (host: Host) => Reason,
  first: Host | undefined,
): readonly Reason[] =>
  ownHosts(facts, 'waiting').map((host, at) =>
    at < mostExplained ? (reasonHeld(facts, host) ?? reasonOf(host)) : waitsFor(host, first ?? host),
  );

/** A host without another reason waits for its turn. */
const waitsFor = ({ name: who }: Host, { name: subject }: Host): Reason => ({ waitingFor: 'host', who, subject });

const reasonHeld = ({ model, nowMs }: SessionFacts, host: Host): Reason | undefined => {
  const controller = controllerOut(model, host);
  if (controller) return waitsFor(host, controller);
  const why = whyCannotBegin(model, host);
  return why && reasonNotBegun(why, nowMs);
};

const whyNotDrained = (facts: SessionFacts, host: Host): Reason => {
  const { model, nowMs } = facts;
  const obstacle = obstacleToDraining(model, host);
  const starting = obstacle && model.hosts.find(isStarting);
  if (starting) return { ...waitsFor(host, starting), untilMs: starting.startingUntilMs };
  if (!obstacle || obstacle.kind === 'order') return waitsFor(host, host);
  return lackReason(obstacle, host.name, nowMs);
};

/** Where the session drains many hosts at once: why each that waits is not drained beside those under work. */
export const hostsNotDrainedBeside = (facts: VnfFacts): readonly Reason[] => {
  const { model, nowMs } = facts;
  const underWork = ownUnderWork(facts);
  const [first] = underWork;
  if (!first) return hostsNotDrained(facts);
  const max = slotsLeft(facts) <= 0 ? facts.limits.maxParallelHosts : undefined;
  const names = underWork.map(({ name }) => name);
  const limit = max === undefined ? undefined : limitNow(max, names.length, names);
  const whyNotNow = (host: Host): Reason => {
    if (limit) return { waitingFor: 'host', who: host.name, subject: first.name, limit };
    const inDomain = whyNotBeside(host, underWork, facts.limits.domains);
    if (inDomain) {
      const { first: fellow, ...why } = inDomain;
      return { waitingFor: 'host', who: host.name, subject: fellow.name, ...why };
    }
    // The instance that is hardest to place stands for all: this is asked for every host at every decision.
    const lack = lackIn({ model, instances: stayingOn(model, host.name).slice(0, 1) });
    return lack ? lackReason(lack, host.name, nowMs) : waitsFor(host, first);
  };
  return reasonsOfHosts(facts, whyNotNow, first);
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
    facts.model.instancesOn(name).flatMap((instance) => {
      const leftMs = (whyHeld(instance)?.passesAtMs ?? 0) - facts.nowMs;
      return leftMs > 0 ? [leftMs] : [];
    }),
  );
