/** Instances as a session sees them, by what it says about those that the cloud keeps, or that end by themselves. */
import type { CloudInstance, EndsByItself, HeldUnless } from './cloud-facts';
import type { Eviction } from './eviction';

/**
 * The first of these reasons that holds the instance.
 * @param eviction what the session says; null: nothing
 */
export const heldIn = (eviction: Eviction | null, reasons: readonly HeldUnless[]): HeldUnless['holds'] =>
  reasons.find(({ option, byDefault }) => (eviction?.[option] ?? byDefault) === 'keep')?.holds ?? {};

/** The instance as the session sees it. The cloud lists it as a session sees it that says nothing. */
export const seenIn = (eviction: Eviction | null, instance: CloudInstance): CloudInstance =>
  eviction === null ? instance : withItsTime(eviction, withItsHost(eviction, withItsHolds(eviction, instance)));

const withItsHolds = (eviction: Eviction, instance: CloudInstance): CloudInstance => {
  const { heldUnless } = instance;
  return heldUnless === undefined ? instance : { ...withoutHolds(instance), ...heldIn(eviction, heldUnless) };
};

const withoutHolds = ({
  cannotMove: _why,
  cannotMoveNow: _whyNow,
  mayBeRefused: _mayBeRefused,
  ...rest
}: CloudInstance): CloudInstance => rest;

const withItsHost = ({ localData }: Eviction, instance: CloudInstance): CloudInstance =>
  instance.withoutOtherHost === undefined || localData === undefined
    ? instance
    : { ...instance, withoutOtherHost: localData };

const withItsTime = ({ completeWithinSeconds }: Eviction, instance: CloudInstance): CloudInstance => {
  const { endsByItself } = instance;
  if (endsByItself === undefined || completeWithinSeconds === undefined) return instance;
  return { ...instance, endsByItself: { ...withoutOtherTime(endsByItself), waitSeconds: completeWithinSeconds } };
};

const withoutOtherTime = ({ waitSecondsIfKept: _unsaid, ...ends }: EndsByItself): EndsByItself => ends;
