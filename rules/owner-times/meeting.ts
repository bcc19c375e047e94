/**
 * When instances of different owners may leave their host in one go: the hours of their owners need not be the same,
 * as long as the last ones leave shortly after the first ones.
 */
import type { Interval } from '../maintenance-windows/intervals';
import { releasedAtMs, type TimedByOwner } from './release';

/** A disabled host that waits longer for an owner gives its capacity back. */
export const longestInHandMs = 900_000;

/** The time between the first and the last that leave: the first ones need a while to begin. */
const withinMs = longestInHandMs - 60_000;

/** The first time by which all of them may have left. Milliseconds. */
export interface Meeting {
  /** Infinity: they never may leave in one go. */
  readonly atMs: number;
  /** False: some have to leave shortly before, because they may not be impacted any more at that time. */
  readonly isTogether: boolean;
}

export const meetingOf = (instances: readonly TimedByOwner[], nowMs: number): Meeting => {
  const timed = instances.filter(({ ownerTimes }) => ownerTimes !== undefined);
  const nextAfter = (atMs: number): number => {
    const shortlyBeforeMs = Math.max(nowMs, atMs - withinMs);
    return Math.max(atMs, ...timed.map((instance) => releasedAtMs(instance, shortlyBeforeMs)));
  };
  let atMs = nowMs;
  for (let laterMs = nextAfter(atMs); laterMs > atMs; laterMs = nextAfter(atMs)) atMs = laterMs;
  return { atMs, isTogether: timed.every((instance) => releasedAtMs(instance, atMs) === atMs) };
};

const apartKnown = new WeakMap<readonly Interval[], WeakMap<readonly Interval[], boolean>>();

/**
 * True where the hours of both never let them leave a host in one go, as far ahead as their hours are known. A cache,
 * because the search for targets asks this for each pair.
 */
export const areApart = (one: TimedByOwner, other: TimedByOwner): boolean => {
  const [hours, others] = [one.ownerTimes?.hours, other.ownerTimes?.hours];
  if (hours === undefined || others === undefined || hours === others) return false;
  const known = apartKnown.get(hours) ?? new WeakMap<readonly Interval[], boolean>();
  apartKnown.set(hours, known);
  const before = known.get(others);
  if (before !== undefined) return before;
  const isApart = neverMeet(hours, others);
  known.set(others, isApart);
  return isApart;
};

/** By the hours alone: the answer is kept for all instances that have them, whose other times differ. */
const neverMeet = (...both: readonly (readonly Interval[])[]): boolean => {
  const fromMs = Math.min(...both.map(([first]) => first?.fromMs ?? Infinity));
  const timed = both.map((hours) => ({ ownerTimes: { hours } }));
  return fromMs === Infinity || meetingOf(timed, fromMs).atMs === Infinity;
};
