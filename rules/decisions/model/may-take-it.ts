/** Which hosts an instance may go to, capacity apart. */
import type { Sized } from '../../cloud/amounts';
import { areApart } from '../../owner-times/meeting';
import { type Capacity, hasCapacityFor } from '../fleet/capacity';
import type { Host, Instance, Refusal } from '../fleet/fleet';
import { isDone } from '../fleet/host-work';
import type { GroupsByKey } from '../fleet/limit-keys';
import { limitAgainst, limitsOf } from '../limits/limits-of-instance';
import type { Classes } from './classes';
import type { Target } from './fleet-capacity';
import { type KnownMembers, type KnownPlaces, spreadAgainst } from './spread-counts';

/** What the model of a fleet knows about it. */
export interface KnownLimits extends GroupsByKey, KnownMembers {
  readonly classes: Classes;
  /** Hosts that the cloud refused to the instance or its like. */
  refusalsOf(instance: Instance): readonly Refusal[];
  instancesOn(hostname: string): readonly Instance[];
}

/**
 * True when a target may take it, capacity apart: by its class, by all of its limits and spreads, by the cloud's
 * refusals, and by the hours of owners.
 */
export const mayTakeIt = (
  model: KnownLimits,
  places: KnownPlaces,
  instance: Instance,
): ((target: Target) => boolean) => {
  const limits = limitsOf(model, instance);
  const lacks = model.classes.lacksFor(instance);
  const against = spreadAgainst(model, places, instance);
  const refused = new Set(model.refusalsOf(instance).map(({ target }) => target));
  const hours = hoursAgainst(model, instance);
  return ({ host, load }) =>
    host.name !== instance.host &&
    lacks?.has(host.offers ?? '') !== true &&
    !refused.has(host.name) &&
    limitAgainst(limits, load.membersByGroup) === undefined &&
    against(host.name) === undefined &&
    hours?.(host) !== true;
};

/**
 * True where it would come to a host that is still to be drained, beside an instance with which it can never leave in
 * one go: both would be sent to and fro. Undefined: its owner has set no hours.
 */
const hoursAgainst = (model: KnownLimits, instance: Instance): ((host: Host) => boolean) | undefined => {
  if (instance.ownerTimes?.hours === undefined) return undefined;
  return ({ name, work }) =>
    work !== undefined && !isDone(work) && model.instancesOn(name).some((other) => areApart(instance, other));
};

export interface KnownSizes {
  readonly classes: Classes;
  readonly capacity: { sizeOf(sized: Sized): Capacity };
}

/** The host as it is once what keeps instances away from it for now has passed. */
export const onceItself = (host: Host): Host => {
  const { offersOnceItself: offers, amountsOnceItself: amounts } = host;
  if (offers === undefined && amounts === undefined) return host;
  return { ...host, ...(offers !== undefined && { offers }), ...(amounts && { amounts }) };
};

/** True when its class lets the instance go there once the host is itself again. */
export const mayGoOnceItself = (classes: Classes, instance: Instance, host: Host): boolean =>
  host.isClassUnknown === true || classes.mayGo(instance, onceItself(host));

/** True when the host could take it if nothing else were there, and nothing kept it away for now. */
export const couldTake = ({ classes, capacity }: KnownSizes, host: Host, instance: Instance): boolean =>
  host.name !== instance.host &&
  mayGoOnceItself(classes, instance, host) &&
  hasCapacityFor(capacity.sizeOf(onceItself(host)), capacity.sizeOf(instance));
