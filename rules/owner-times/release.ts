/** From when on an instance may be impacted, as its owner has said. Whoever decides about its impact asks here. */

/** The times that an owner has set for an instance; left out: it may be impacted at any time. */
export interface OwnerTimes {
  /** The instance is not impacted before that time. Milliseconds. */
  readonly notBeforeMs?: number;
}

export interface TimedByOwner {
  readonly ownerTimes?: OwnerTimes;
}

/** True where the owner of one of them has set a time. */
export const haveOwnerTimes = (instances: readonly TimedByOwner[]): boolean =>
  instances.some(({ ownerTimes }) => ownerTimes !== undefined);

/** The earliest time from now on at which the instance may be impacted; now: it may. Milliseconds. */
export const releasedAtMs = ({ ownerTimes }: TimedByOwner, nowMs: number): number =>
  Math.max(nowMs, ownerTimes?.notBeforeMs ?? nowMs);

/** True when its owner lets nobody impact it now. */
export const isPutOff = (instance: TimedByOwner, nowMs: number): boolean => releasedAtMs(instance, nowMs) > nowMs;

/** The one of them that may be impacted last; undefined: all of them may be now. */
export const lastReleased = <One extends TimedByOwner>(instances: readonly One[], nowMs: number): One | undefined => {
  const later = instances.filter((instance) => isPutOff(instance, nowMs));
  const [first, ...others] = later;
  if (first === undefined) return undefined;
  return others.reduce((last, one) => (releasedAtMs(one, nowMs) > releasedAtMs(last, nowMs) ? one : last), first);
};
