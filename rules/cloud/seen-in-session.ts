/** Instances as a session sees them, by what it says about those that the cloud keeps, or that end by themselves. */
import type { CloudInstance, KeptUnless } from './cloud-facts';
import { type EndsByItself, leavingBy, leavingOf, type PlaceAfter, type WayToLeave } from './departure';
import type { Eviction } from './eviction';

/**
 * The way to leave by the first of these reasons that keeps the instance.
 * @param eviction what the session says; null: nothing
 */
export const wayIn = (eviction: Eviction | null, reasons: readonly KeptUnless[]): WayToLeave =>
  reasons.find(({ option, byDefault }) => (eviction?.[option] ?? byDefault) === 'keep')?.way ?? { kind: 'moves' };

/** The instance as the session sees it. The cloud lists it as a session sees it that says nothing. */
export const seenIn = (eviction: Eviction | null, instance: CloudInstance): CloudInstance => {
  if (eviction === null) return instance;
  const { place, endsByItself, ...way } = leavingOf(instance);
  return leavingBy(instance, {
    ...(instance.keptUnless ? wayIn(eviction, instance.keptUnless) : way),
    place: placeIn(eviction, place),
    ...(endsByItself && { endsByItself: withItsTime(eviction, endsByItself) }),
  });
};

const placeIn = ({ localData }: Eviction, place: PlaceAfter): PlaceAfter =>
  place.kind === 'elsewhere' && place.ifNone !== undefined && localData !== undefined
    ? { ...place, ifNone: localData }
    : place;

const withItsTime = ({ completeWithinSeconds: seconds }: Eviction, ends: EndsByItself): EndsByItself =>
  seconds === undefined ? ends : { ...ends, waitSeconds: seconds, waitSecondsIfKept: seconds };
