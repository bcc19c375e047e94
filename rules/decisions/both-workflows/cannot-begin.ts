/**
 * Hosts on which no work begins, whatever room there is: nothing moves away from a host that is down, nobody moves an
 * instance in its present state, an instance fits on no other host, not even on an empty one, or more of a group would
 * be away until the host is back than its limit lets go at once. Other hosts go first.
 * When only such hosts are left, the session goes on without them or fails, and names them.
 */
import { comesBackWithHost, isUpToSession, leavingOf, whyHeld } from '../../cloud/departure';
import { cannotBeDrained, type Cause } from '../../obstacles/blocker';
import { fitsOnNoHost, having, heldByState, hostIsDown, type NoHost } from '../../obstacles/immovable';
import { overdueCause } from '../../obstacles/members-overdue';
import { noPlaceCause } from '../../obstacles/no-place';
import { reasonOfState } from '../../reasons/of-state';
import { groupSubject, type Reason, type ReasonOfGroup } from '../../reasons/reason';
import { amountWords } from '../../words/amount-words';
import { missingCapacity } from '../fleet/capacity';
import { isInFlight, mayLeaveWithoutPlace } from '../fleet/double-allocation';
import type { Group, Host, Instance, MembersOverdue } from '../fleet/fleet';
import { isStarting, isUnderWork } from '../fleet/host-work';
import type { SetAside } from '../fleet/set-aside-or-fail';
import { costsNothing } from '../limits/impact';
import { type Lack, lackReason } from '../limits/lack';
import { limitsOf } from '../limits/limits-of-instance';
import { namesByLack } from '../model/classes';
import type { FleetModel } from '../model/fleet-model';
import { onceItself } from '../model/may-take-it';
import { lackIn } from '../model/placement';
import { isAnyThatCouldTake, mayEverTake } from '../model/without-other-host';
import { leavesTooMany } from '../model/without-place';
import { lackOfRest } from './cheapest-to-drain';

interface KeptThere {
  readonly host: Host;
  /** All that are kept there for this reason. */
  readonly instances: readonly [Instance, ...Instance[]];
}

/**
 * down: the host is. state: nobody moves the instances in theirs. fitsNowhere: they fit on no other host. lack: they
 * have no other host now. overdue: others of their group have been away for too long. unplaced: the cloud finds no host
 * for a member like them that was moved.
 * refused: the host was drained, and the cloud refused a move until its limit.
 */
export type CannotBegin =
  | (KeptThere & { readonly kind: 'down' | 'state' })
  | (KeptThere & { readonly kind: 'overdue'; readonly limit: Group; readonly overdue: MembersOverdue })
  | (KeptThere & { readonly kind: 'unplaced'; readonly limit: Group; readonly because: string })
  | { readonly kind: 'refused'; readonly host: Host; readonly instances: readonly []; readonly because: string }
  /** `tried`: the hosts that were tried for the first of them. */
  | (KeptThere & { readonly kind: 'fitsNowhere'; readonly tried: NoHost })
  | (KeptThere & { readonly kind: 'lack'; readonly lack: Lack });

/** Undefined: work on it may begin, as far as this goes. */
export const whyCannotBegin = (model: FleetModel, host: Host): CannotBegin | undefined => {
  const there = model.instancesOn(host.name);
  if (host.work?.refusedBecause !== undefined)
    return { kind: 'refused', host, instances: [], because: host.work.refusedBecause };
  if (host.isDown) return keptOn(host, there, () => ({ kind: 'down' }));
  const held = there.filter((instance) => isHeldByState(model, instance));
  if (held.length > 0) return keptOn(host, held, () => ({ kind: 'state' }));
  const lost = there.filter((instance) => fitsNowhere(model, instance));
  if (lost.length > 0) return keptOn(host, lost, (first) => ({ kind: 'fitsNowhere', tried: triedFor(model, first) }));
  const lack = lackOfLimit(model, host);
  if (lack) return kept(host, lack);
  return whyOverdue(model, host, there) ?? whyUnplaced(model, host, there);
};

/** The same for a host that is being drained, or would be: now something on it has no place. */
export const whyStuck = (model: FleetModel, host: Host): CannotBegin | undefined => {
  const why = whyCannotBegin(model, host);
  const lack = why ? undefined : lackOfRest(model, host);
  return lack ? kept(host, lack) : why;
};

const kept = (host: Host, lack: Lack): CannotBegin => ({ kind: 'lack', host, instances: [lack.instance], lack });

/** The first instance that may not leave before others of its group serve which should have by now. */
const whyOverdue = (model: FleetModel, host: Host, there: readonly Instance[]): CannotBegin | undefined => {
  for (const instance of there) {
    const limit = limitOverdue(model, instance);
    if (limit?.overdue) return { kind: 'overdue', host, instances: [instance], limit, overdue: limit.overdue };
  }
  return undefined;
};

/** A host in hand is not given back for that. */
const whyUnplaced = (model: FleetModel, host: Host, there: readonly Instance[]): CannotBegin | undefined => {
  if (!model.unplaced.isAny || host.work?.phase !== 'waiting') return undefined;
  for (const instance of there) {
    const limit = model.unplaced.groupFor(instance);
    if (limit?.unplaced !== undefined)
      return { kind: 'unplaced', host, instances: [instance], limit, because: limit.unplaced };
  }
  return undefined;
};

const limitOverdue = (model: FleetModel, instance: Instance): Group | undefined =>
  costsNothing(instance) || !model.isStaying(instance.id)
    ? undefined
    : limitsOf(model, instance).find(({ key, overdue }) => overdue && model.groups.membersLeft(key) <= 0);

/** While a host of any session is out, others may have to wait for it alone, where it could take one of them. */
const lackOfLimit = (model: FleetModel, { name }: Host): Lack | undefined => {
  const comingBack = model.instancesOn(name).filter(comesBackWithHost);
  if (leavesTooMany(model, comingBack) === undefined) return undefined;
  const isAnyOut = model.hosts.some((host) => host.name !== name && (isUnderWork(host) || isStarting(host)));
  if (isAnyOut && !areTooManyBound(model, comingBack)) return undefined;
  const lack = lackIn({ model, instances: comingBack.filter(({ id }) => !model.reservedTarget.has(id)) });
  return lack && 'tooMany' in lack ? lack : undefined;
};

/** Undefined where no instance is kept there. */
const keptOn = <Why>(
  host: Host,
  [first, ...others]: readonly Instance[],
  whyOf: (first: Instance) => Why,
): (KeptThere & Why) | undefined => first && { host, instances: [first, ...others], ...whyOf(first) };

export const canBegin = (model: FleetModel, host: Host): boolean => whyCannotBegin(model, host) === undefined;

/**
 * The same for a host all of whose instances find a place, or need none: it is asked of every host that waits at every
 * decision.
 */
export const isHeld = (model: FleetModel, host: Host): boolean => {
  const there = model.instancesOn(host.name);
  if (host.work?.refusedBecause !== undefined) return true;
  if (host.isDown === true) return there.length > 0;
  if (there.some((instance) => isHeldByState(model, instance)) || areTooManyBound(model, there)) return true;
  if (whyUnplaced(model, host, there) !== undefined) return true;
  return model.isAnyOverdue && there.some((instance) => limitOverdue(model, instance) !== undefined);
};

/** More of those that no other host could take than may be away at once. */
const areTooManyBound = (model: FleetModel, there: readonly Instance[]): boolean =>
  leavesTooMany(model, there.filter(isBound)) !== undefined;

const isBound = (instance: Instance): boolean => leavingOf(instance).place.kind === 'back';

/** An instance whose project is at work on it leaves all the same. */
export const isHeldByState = (model: FleetModel, instance: Instance): boolean => {
  if (whyHeld(instance) === undefined || instance.settledAction === 'OWN_ACTION') return false;
  const claim = model.claimByInstance.get(instance.id);
  return claim === undefined || !isInFlight(claim) || claim.action !== 'OWN_ACTION';
};

/** Not even an empty host of the fleet could take it, now or later. */
export const fitsNowhere = (model: FleetModel, instance: Instance): boolean =>
  !mayLeaveWithoutPlace(instance) && model.isStaying(instance.id) && !isAnyThatCouldTake(model, instance);

/** What the instance needs, and what each host that ever takes instances lacks of it, even empty. */
export const triedFor = (model: FleetModel, instance: Instance): NoHost => {
  const { capacity, classes, resources } = model;
  const size = capacity.sizeOf(instance);
  const missingOn = (host: Host): string =>
    amountWords(resources.amountsOf(missingCapacity(capacity.sizeOf(onceItself(host)), size)));
  const others = model.hosts.filter((host) => host.name !== instance.host && mayEverTake(host));
  const unfit = namesByLack(others, (host) => classes.lackOn(instance, onceItself(host)) ?? missingOn(host));
  return { needs: amountWords(instance.amounts), wanted: classes.wantedBy(instance), unfit };
};

/** Why nothing moves away from the host, and what would help. */
export const causeOf = (why: CannotBegin): Cause => {
  switch (why.kind) {
    case 'refused':
      return { owner: 'operator', because: why.because, help: 'put right what the cloud names, then retry the host' };
    case 'lack':
      return noPlaceCause(why.lack);
    case 'overdue':
      return overdueCause(why.limit, why.overdue);
    case 'unplaced':
      return { owner: 'operator', because: why.because, help: 'free capacity for it, or add or enable a host' };
    case 'down':
      return hostIsDown('it', why.instances);
    case 'state':
      return heldByState(why.instances[0], why.instances.slice(1));
    case 'fitsNowhere':
      return fitsOnNoHost(why.instances, why.tried, isUpToSession(why.instances[0]));
  }
};

/** The reason why the host waits. */
export const reasonNotBegun = (why: CannotBegin, nowMs: number): Reason => {
  const who = why.host.name;
  const cause = causeOf(why);
  switch (why.kind) {
    case 'down':
      return { waitingFor: 'start', who, subject: who, ...cause };
    case 'state':
      return { ...reasonOfState(why.instances[0]), who, ...cause };
    case 'fitsNowhere': {
      const subject = `${why.tried.needs} on another compute host${having(why.tried.wanted)}`;
      return { waitingFor: 'room', who, subject, ...cause };
    }
    case 'lack':
      return lackReason(why.lack, who, nowMs);
    case 'overdue':
      return waitsForOverdue(who, why.limit, why.overdue);
    case 'unplaced':
      return { waitingFor: 'room', who, subject: `a host for another member of ${why.limit.name}`, ...cause };
    case 'refused':
      return { waitingFor: 'move', who, subject: who, ...cause };
  }
};

/** The reason of a host or an instance that waits until members of its group serve. */
export const waitsForOverdue = (who: string, limit: Group, overdue: MembersOverdue): ReasonOfGroup => ({
  waitingFor: 'members',
  who,
  ...groupSubject(limit),
  ...overdueCause(limit, overdue),
});

/** The failure of the host, for a session that has nothing else left to do. */
export const failureNotBegun = (why: CannotBegin): SetAside => {
  const hostname = why.host.name;
  return { hostname, failure: why.kind === 'refused' ? why.because : cannotBeDrained(hostname, causeOf(why)) };
};
