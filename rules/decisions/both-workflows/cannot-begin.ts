/**
 * Hosts on which no work begins, whatever room there is: nothing moves away from a host that is down, nobody moves an
 * instance in its present state, or an instance fits on no other host, not even on an empty one. Other hosts go first.
 * When only such hosts are left, the session goes on without them or fails, and names them.
 */
import {
  downWith,
  fitsOnNoHost,
  having,
  helpForDown,
  helpToFit,
  reasonOfState,
  stateWords,
} from '../../obstacles/immovable';
import type { Waiting } from '../../obstacles/waits';
import { amountWords } from '../../words/amount-words';
import { isInFlight, mayLeaveWithoutPlace } from '../fleet/double-allocation';
import type { Host, Instance } from '../fleet/fleet';
import { becomesTarget, isStarting, isTarget } from '../fleet/host-work';
import type { SetAside } from '../fleet/set-aside-or-fail';
import type { FleetModel } from '../model/fleet-model';
import { couldTake } from '../model/may-take-it';

export type CannotBegin =
  | { readonly kind: 'down'; readonly host: Host; readonly instances: readonly Instance[] }
  /** The state of this instance keeps it there; the first of several. */
  | { readonly kind: 'state'; readonly host: Host; readonly instance: Instance }
  /** This instance fits on no other host. */
  | { readonly kind: 'fitsNowhere'; readonly host: Host; readonly instance: Instance; readonly wanted: string };

/** Undefined: work on it may begin, as far as this goes. */
export const whyCannotBegin = (model: FleetModel, host: Host): CannotBegin | undefined => {
  const held = whyHeld(model, host);
  if (held) return held;
  const lost = model.instancesOn(host.name).find((instance) => fitsNowhere(model, instance));
  return lost && { kind: 'fitsNowhere', host, instance: lost, wanted: having(model.classes.wantedBy(lost)) };
};

export const canBegin = (model: FleetModel, host: Host): boolean => whyCannotBegin(model, host) === undefined;

/** The same for a host all of whose instances find a place: it is asked of every host that waits at every decision. */
export const isHeld = (model: FleetModel, host: Host): boolean => whyHeld(model, host) !== undefined;

const whyHeld = (model: FleetModel, host: Host): CannotBegin | undefined => {
  const instances = model.instancesOn(host.name);
  if (host.isDown && instances.length > 0) return { kind: 'down', host, instances };
  for (const instance of instances) if (isHeldByState(model, instance)) return { kind: 'state', host, instance };
  return undefined;
};

/** An instance whose project is at work on it leaves all the same. */
export const isHeldByState = (model: FleetModel, { id, cannotMoveNow, settledAction }: Instance): boolean => {
  if (cannotMoveNow === undefined || settledAction === 'OWN_ACTION') return false;
  const claim = model.claimByInstance.get(id);
  return claim === undefined || !isInFlight(claim) || claim.action !== 'OWN_ACTION';
};

/** Not even an empty host of the fleet could take it, now or later. */
export const fitsNowhere = (model: FleetModel, instance: Instance): boolean =>
  !mayLeaveWithoutPlace(instance) && model.isStaying(instance.id) && !isAnyThatCouldTake(model, instance);

/** Looks at each host until one is found, which is soon for all but a few instances. */
const isAnyThatCouldTake = (model: FleetModel, instance: Instance): boolean =>
  model.hosts.some(
    (host) => mayEverTake(host) && (isOfUnknownSize(host, instance) || couldTake(model, host, instance)),
  );

/** The cloud leaves its amounts out, for example while that part of it is down: nobody knows that it is too small. */
const isOfUnknownSize = ({ name, amounts }: Host, instance: Instance): boolean =>
  name !== instance.host && Object.keys(amounts).length === 0;

/** Takes instances now, once the work on it is done, or once it is up. */
const mayEverTake = (host: Host): boolean =>
  isTarget(host) ||
  isStarting(host) ||
  (host.isCompute && host.isDown === true) ||
  (host.work !== undefined && becomesTarget(host));

/** The reason why the host waits. */
export const reasonNotBegun = (why: CannotBegin): Waiting => {
  const who = why.host.name;
  switch (why.kind) {
    case 'down':
      return { waitingFor: 'start', who, subject: who };
    case 'state':
      return { ...reasonOfState(why.instance), who };
    case 'fitsNowhere': {
      const { instance, wanted } = why;
      return { waitingFor: 'room', who, subject: `${amountWords(instance.amounts)} on another compute host${wanted}` };
    }
  }
};

/** The failure of the host, for a session that has nothing else left to do. */
export const failureNotBegun = (why: CannotBegin): SetAside => ({
  hostname: why.host.name,
  failure: `host ${why.host.name} cannot be drained: ${failureWords(why)}`,
});

const failureWords = (why: CannotBegin): string => {
  switch (why.kind) {
    case 'down':
      return `it ${downWith(why.instances)}; ${helpForDown}`;
    case 'state':
      return stateWords(why.instance);
    case 'fitsNowhere':
      return `${fitsOnNoHost(why.instance, amountWords(why.instance.amounts), why.wanted)}; ${helpToFit}`;
  }
};
