/**
 * The last look before an action begins (constraints count for every action not yet begun). Between its
 * admission and the answer of its manager lie minutes: the target may be disabled, down or filled by others, somebody
 * may have moved the instance, and constraints may have changed.
 */
import { hasCapacityFor, missingCapacity } from '../fleet/capacity';
import { noTarget } from '../fleet/double-allocation';
import type { Claim, Group, Host, Instance, Limited, Waiting } from '../fleet/fleet';
import { changeLoad, emptyLoad, type HostLoad } from '../fleet/host-load';
import { isStarting, isTarget } from '../fleet/host-work';
import { membersLeft } from './impact';
import { limitAgainst } from './limits-of-instance';
import { cannotBeMoved, groupSubject, roomWords } from './reasons';

/** What counts for one action that is about to begin. */
export interface StartView {
  readonly claim: Pick<Claim, 'instanceId' | 'source' | 'target' | 'action'>;
  /** As the cloud has it now. */
  readonly instance: Instance;
  /** All limits that it is under, as they hold now; its own group's first. */
  readonly limits: readonly StartLimit[];
  /** It has a question of its own, and that is settled. */
  readonly isAsked: boolean;
  /** The constraints of its instance are not those any more that it was granted on. */
  readonly isOutdated: boolean;
  /** undefined: the cloud itself, or its project, chooses where the instance goes. */
  readonly target: StartTarget | undefined;
}

export interface StartLimit {
  readonly group: Group;
  /** Other members that are impacted and come before it. */
  readonly impactedBefore: number;
}

export interface StartTarget {
  readonly name: string;
  /** undefined: the cloud does not list it any more. */
  readonly host: Host | undefined;
  readonly instances: readonly Instance[];
  /** Claims onto it that come before this one (claims-before.ts), or have landed too lately to be listed. */
  readonly incoming: readonly Pick<Claim, 'instanceId' | 'vcpus' | 'memoryMb' | keyof Limited>[];
}

/**
 * - begin: what held at its admission holds.
 * - gone, away: there is nothing left to do; the instance does not exist any more, or is on another host.
 * - outdated: it has no question of its own, and how it may go, or whether it is to be asked first, may be otherwise
 *   now; planning has to decide anew.
 * - targetStarts: its target was maintained lately and is not up; its place there is kept until it is.
 * - cannotMove: the cloud moves it nowhere, and its project does not act itself.
 * - putOff: it would break a limit, or has no place there any more; planning has to decide anew.
 */
export type Start =
  | { readonly kind: 'begin' }
  | { readonly kind: 'gone' }
  | { readonly kind: 'away'; readonly host: string }
  | { readonly kind: 'outdated' }
  | { readonly kind: 'targetStarts' }
  | { readonly kind: 'cannotMove'; readonly failure: string }
  | { readonly kind: 'putOff'; readonly because: Waiting };

export const startOf = (view: StartView): Exclude<Start, { kind: 'gone' }> => {
  const { claim, instance } = view;
  if (instance.host !== claim.source) return { kind: 'away', host: instance.host };
  // Its project is at work on it since it answered, whatever the limits are by now: what is left is to watch it.
  if (view.isAsked && claim.action === 'OWN_ACTION') return { kind: 'begin' };
  // What was asked about this very instance, and answered or not in time, stays good.
  if (!view.isAsked && view.isOutdated) return { kind: 'outdated' };
  if (instance.cannotMove !== undefined && claim.action !== 'OWN_ACTION') {
    return { kind: 'cannotMove', failure: cannotBeMoved(instance.cannotMove) };
  }
  const overBudget = budgetReason(view, instance);
  return overBudget ? { kind: 'putOff', because: overBudget } : onTarget(view, instance);
};

const onTarget = (view: StartView, instance: Instance): Exclude<Start, { kind: 'gone' }> => {
  const { claim, target } = view;
  // Its project was to delete it first, and the service has to move it after all.
  if (claim.target === noTarget && claim.action !== 'OWN_ACTION') return putOffForPlace(instance);
  if (!target) return { kind: 'begin' };
  if (target.host && isStarting(target.host)) return { kind: 'targetStarts' };
  const because = targetReason(view, target, instance);
  return because ? { kind: 'putOff', because } : { kind: 'begin' };
};

const putOffForPlace = ({ id: who, vcpus, memoryMb }: Instance): Extract<Start, { kind: 'putOff' }> => {
  const subject = `${roomWords({ vcpus, memoryMb })} on another host`;
  return { kind: 'putOff', because: { waitingFor: 'room', who, subject } };
};

/** Nobody can have lowered the limit of a group without constraints. */
const budgetReason = ({ limits }: StartView, { id }: Instance): Waiting | undefined => {
  const spent = limits.find(
    ({ group, impactedBefore }) => !group.withoutConstraints && membersLeft(group, impactedBefore) === 0,
  );
  return spent && { waitingFor: 'group', who: id, ...groupSubject(spent.group) };
};

const targetReason = ({ limits }: StartView, target: StartTarget, instance: Instance): Waiting | undefined => {
  const { name, host } = target;
  const who = instance.id;
  if (!host || !isTarget(host)) return { waitingFor: 'host', who, subject: name };
  const { free, membersByGroup } = loadOf(host, target);
  if (!hasCapacityFor(free, instance)) {
    return { waitingFor: 'room', who, subject: `${roomWords(missingCapacity(free, instance))} on ${name}` };
  }
  const groups = limits.map(({ group }) => group);
  const against = limitAgainst(groups, membersByGroup);
  return against && { waitingFor: 'affinity', who, ...groupSubject(against) };
};

/** What is there and what comes before it; whatever is both counts once. */
const loadOf = (host: Host, { instances, incoming }: StartTarget): HostLoad => {
  const load = emptyLoad(host);
  const present = new Set(instances.map(({ id }) => id));
  for (const instance of instances) changeLoad(load, instance, 1);
  for (const claim of incoming) if (!present.has(claim.instanceId)) changeLoad(load, claim, 1);
  return load;
};
