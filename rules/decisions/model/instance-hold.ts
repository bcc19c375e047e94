/** Where an instance takes capacity, and all else of it that decides which hosts can be drained. */
import { amountsText } from '../../cloud/amounts';
import { hostsHolding, hostWhenSettled, isInFlight, mayLeaveWithoutPlace, noTarget } from '../fleet/double-allocation';
import type { Claim, Host, Instance } from '../fleet/fleet';
import type { Holder } from '../fleet/host-load';
import { limitKeysOf } from '../fleet/limit-keys';
import type { FleetCapacity } from './fleet-capacity';

/** The model of one instance. A claim may outlive its instance. */
export interface InstanceNow {
  readonly instance: Instance | undefined;
  readonly claim: Claim | undefined;
  /** Its reserved target. */
  readonly reserved: string | undefined;
}

/** Capacity on some hosts, in the name of an instance or of its claim. */
export interface Hold {
  readonly holder: Holder;
  readonly hostnames: readonly string[];
}

/** Undefined: it is gone, and nothing comes in its place. */
export const holdNow = ({ instance, claim, reserved }: InstanceNow): Hold | undefined => {
  if (!instance) return holdOfGone(claim);
  const holding = hostsHolding(instance, claim);
  // Spreads count an instance nowhere that leaves without a place.
  const further = reserved ?? (claim && isInFlight(claim) && claim.target === noTarget ? noTarget : undefined);
  return { holder: instance, hostnames: further === undefined ? holding : [...holding, further] };
};

/** The same when all moves and reservations have ended well. */
export const holdWhenSettled = ({ instance, claim, reserved }: InstanceNow): Hold | undefined =>
  instance ? { holder: instance, hostnames: [reserved ?? hostWhenSettled(instance, claim)] } : holdOfGone(claim);

/** The project puts a new instance there in place of one that is gone. */
const holdOfGone = (claim: Claim | undefined): Hold | undefined =>
  claim && isInFlight(claim) ? { holder: claim, hostnames: [claim.target] } : undefined;

/** Does nothing where it is the same hold: an instance stays where it is while it is asked about and recovers. */
export const replaceHold = (capacity: FleetCapacity, before: Hold | undefined, after: Hold | undefined): void => {
  if (wordsOf(before) === wordsOf(after)) return;
  for (const hostname of before?.hostnames ?? []) if (before) capacity.drop(hostname, before.holder);
  for (const hostname of after?.hostnames ?? []) if (after) capacity.hold(hostname, after.holder);
};

const wordsOf = (hold: Hold | undefined): string => {
  if (!hold) return '';
  const { holder, hostnames } = hold;
  return [amountsText(holder.amounts), ...limitKeysOf(holder), '', ...hostnames.toSorted()].join();
};

/**
 * All of an instance that decides which hosts can be drained, as text to compare: the capacity that it takes of hosts
 * that are not being drained, how it is bound to hosts that wait, and whether it lacks a place. It stays the same while
 * the instance is asked about, moves from a host that is being drained to one that will stay, and recovers.
 */
export const drainFactsOf = (now: InstanceNow, hostByName: ReadonlyMap<string, Host>): string => {
  const { instance, claim, reserved } = now;
  const { holder, hostnames = [] } = holdNow(now) ?? {};
  const isBound = reserved !== undefined || (claim !== undefined && isInFlight(claim));
  const parts = hostnames.map((hostname) => {
    const phase = hostByName.get(hostname)?.work?.phase;
    if (phase === 'emptying') return isBound ? '' : 'lacks a place';
    return phase === 'waiting' ? `${hostname} ${isBound} ${instance?.host}` : hostname;
  });
  const mayLeave = instance !== undefined && mayLeaveWithoutPlace(instance);
  const size = holder && amountsText(holder.amounts);
  return [size, mayLeave, ...parts.filter((part) => part !== '').sort()].join();
};
