/** From when on an instance may be impacted, as its owner has said. Whoever decides about its impact asks here. */
import type { Interval } from '../maintenance-windows/intervals';

/** The times that an owner has set for an instance; left out: it may be impacted at any time. */
export interface OwnerTimes {
  /** The instance is not impacted before that time. Milliseconds. */
  readonly notBeforeMs?: number;
  /** It is impacted within these alone, in their order; left out: at any time. */
  readonly hours?: readonly Interval[];
  /** Milliseconds that its impact is expected to take, so that it ends within its hours; left out: 0. */
  readonly impactMs?: number;
}

/** Both have to let it be impacted. */
export const bothTimes = (one: OwnerTimes = {}, other: OwnerTimes = {}): OwnerTimes => {
  const times = [one.notBeforeMs, other.notBeforeMs].filter((ms) => ms !== undefined);
  return { ...one, ...other, ...(times.length > 0 && { notBeforeMs: Math.max(...times) }) };
};

export interface TimedByOwner {
  readonly ownerTimes?: OwnerTimes;
}

/** True where the owner of one of them has set a time. */
export const haveOwnerTimes = (instances: readonly TimedByOwner[]): boolean =>
  instances.some(({ ownerTimes }) => ownerTimes !== undefined);

/**
 * The earliest time from now on at which the instance may be impacted, in milliseconds; now: it may. Infinity: never.
 */
export const releasedAtMs = ({ ownerTimes }: TimedByOwner, nowMs: number): number => {
  const { notBeforeMs = nowMs, hours, impactMs = 0 } = ownerTimes ?? {};
  const fromMs = Math.max(nowMs, notBeforeMs);
  if (hours === undefined) return fromMs;
  const next = hours.find((hour) => Math.max(fromMs, hour.fromMs) + impactMs <= hour.toMs);
  return next === undefined ? Infinity : Math.max(fromMs, next.fromMs);
};

/** True when its owner lets nobody impact it now. */
export const isPutOff = (instance: TimedByOwner, nowMs: number): boolean => releasedAtMs(instance, nowMs) > nowMs;

/** The one of them that may be impacted last; undefined: all of them may be now. */
export const lastReleased = <One extends TimedByOwner>(instances: readonly One[], nowMs: number): One | undefined => {
  const later = instances.filter((instance) => isPutOff(instance, nowMs));
  const [first, ...others] = later;
  if (first === undefined) return undefined;
  return others.reduce((last, one) => (releasedAtMs(one, nowMs) > releasedAtMs(last, nowMs) ? one : last), first);
};
