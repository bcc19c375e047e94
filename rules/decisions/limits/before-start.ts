/**
 * The last look before an action begins, since constraints count for every action that has not begun. Minutes lie
 * between its admission and its manager's answer. By now the target may be disabled, down or filled by others, somebody
 * may have moved the instance, and constraints may have changed.
 */
import type { Sized } from '../../cloud/amounts';
import { isNotMadeAgain, whyByProject, whyHeld } from '../../cloud/departure';
import { cannotBeMoved } from '../../obstacles/immovable';
import { reasonOfState } from '../../reasons/of-state';
import { groupSubject, type Reason } from '../../reasons/reason';
import { amountWords } from '../../words/amount-words';
import { hasCapacityFor, missingCapacity } from '../fleet/capacity';
import { noTarget } from '../fleet/double-allocation';
import type { Action, Claim, Group, Host, Instance, Limited } from '../fleet/fleet';
import { changeLoad, emptyLoad, type HostLoad } from '../fleet/host-load';
import { isStarting, isTarget } from '../fleet/host-work';
import { Resources } from '../fleet/resources';
import { costsNothing, isWithoutConstraints, membersLeft } from './impact';
import { limitAgainst } from './limits-of-instance';

/** The facts for one action that is about to begin. */
export interface StartView {
  readonly claim: Pick<Claim, 'instanceId' | 'source' | 'target' | 'action'>;
  /** The cloud's present facts. */
  readonly instance: Instance;
  /** All its present limits, its own group's first. */
  readonly limits: readonly StartLimit[];
  /** True when it has a question of its own, which is settled. */
  readonly isAsked: boolean;
  /** True when the constraints of its instance have changed since the grant. */
  readonly isOutdated: boolean;
  /** undefined: the cloud itself, or its project, chooses the target. */
  readonly target: StartTarget | undefined;
}

export interface StartLimit {
  readonly group: Group;
  /** Other members that are impacted and come before it. */
  readonly impactedBefore: number;
}

export interface StartTarget {
  readonly name: string;
  /** undefined: the cloud no longer lists it. */
  readonly host: Host | undefined;
  readonly instances: readonly Instance[];
  /** Claims to the target that come before this one (claims-before.ts), or have landed too lately to be in the list. */
  readonly incoming: readonly Pick<Claim, 'instanceId' | keyof Sized | keyof Limited>[];
}

/**
 * - begin: the conditions of its admission hold.
 * - gone, away: nothing is left to do, because the instance no longer exists, or is on another host.
 * - outdated: it has no question of its own, and its action, or the need for a question, may have changed; decide
 *   again.
 * - targetStarts: its target was maintained lately and is not up; its place there is kept until it is.
 * - cannotMove: the cloud cannot move it, and its project does not act itself.
 * - putOff: it would break a limit, or has no place on the target any more; the rules have to decide again.
 */
export type Start =
  | { readonly kind: 'begin' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'away'; readonly host: string }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'targetStarts' }
  | { readonly kind: 'cannotMove'; readonly failure: string }
  | { readonly kind: 'putOff'; readonly because: Reason };

export const startOf = (view: StartView): Exclude<Start, { kind: 'gone' }> => {
  const { claim, instance } = view;
  if (instance.host !== claim.source) return { kind: 'away', host: instance.host };
  // Its project has been at work on it since it answered, whatever the present limits: it only has to be watched.
  if (view.isAsked && claim.action === 'OWN_ACTION') return { kind: 'begin' };
  // A question about this very instance stays settled, with an answer or without.
  if (!view.isAsked && view.isOutdated) return { kind: 'outdated' };
  if (claim.action !== 'OWN_ACTION') {
    const held = heldThere(instance);
    if (held) return held;
  }
  const overBudget = budgetReason(view, instance);
  return overBudget ? { kind: 'putOff', because: overBudget } : onTarget(view, instance);
};

/** Undefined: the cloud moves it. */
const heldThere = (instance: Instance): Exclude<Start, { kind: 'gone' }> | undefined => {
  const why = whyByProject(instance);
  if (why !== undefined) return { kind: 'cannotMove', failure: cannotBeMoved(why) };
  return whyHeld(instance) && { kind: 'putOff', because: reasonOfState(instance) };
};

const onTarget = (view: StartView, instance: Instance): Exclude<Start, { kind: 'gone' }> => {
  const { claim, target } = view;
  // Its project was to delete it first, but now the service has to move it. What is evicted is made again by itself.
  const mayLeaveFirst = isNotMadeAgain(instance) || leavesFirst.has(claim.action);
  if (claim.target === noTarget && !mayLeaveFirst) return putOffForPlace(instance);
  if (!target) return { kind: 'begin' };
  if (target.host && isStarting(target.host)) return { kind: 'targetStarts' };
  const because = targetReason(view, target, instance);
  return because ? { kind: 'putOff', because } : { kind: 'begin' };
};

const leavesFirst: ReadonlySet<Action> = new Set<Action>(['OWN_ACTION', 'EVICTION']);

const putOffForPlace = ({ id: who, amounts }: Instance): Extract<Start, { kind: 'putOff' }> => {
  const subject = `${amountWords(amounts)} on another host`;
  return { kind: 'putOff', because: { waitingFor: 'room', who, subject } };
};

/** Nobody can have lowered the limit of a group without constraints. */
const budgetReason = ({ limits }: StartView, instance: Instance): Reason | undefined => {
  if (costsNothing(instance)) return undefined;
  const spent = limits.find(
    ({ group, impactedBefore }) => !isWithoutConstraints(group) && membersLeft(group, impactedBefore) === 0,
  );
  return spent && { waitingFor: 'group', who: instance.id, ...groupSubject(spent.group) };
};

const targetReason = ({ limits }: StartView, target: StartTarget, instance: Instance): Reason | undefined => {
  const { name, host } = target;
  const who = instance.id;
  if (!host || !isTarget(host)) return { waitingFor: 'target', who, subject: name };
  const resources = new Resources();
  const { free, membersByGroup } = loadOf(host, target, resources);
  const size = resources.capacityOf(instance);
  if (!hasCapacityFor(free, size)) {
    const missing = amountWords(resources.amountsOf(missingCapacity(free, size)));
    return { waitingFor: 'room', who, subject: `${missing} on ${name}` };
  }
  const groups = limits.map(({ group }) => group);
  const against = limitAgainst(groups, membersByGroup);
  return against && { waitingFor: 'affinity', who, ...groupSubject(against) };
};

/** The instances on the target and the claims that come before it; an instance that is both counts once. */
const loadOf = (host: Host, { instances, incoming }: StartTarget, resources: Resources): HostLoad => {
  const load = emptyLoad(resources.capacityOf(host));
  const present = new Set(instances.map(({ id }) => id));
  const arriving = incoming.filter(({ instanceId }) => !present.has(instanceId));
  for (const holder of [...instances, ...arriving]) {
    changeLoad(load, { holder, size: resources.capacityOf(holder), times: 1 });
  }
  return load;
};
