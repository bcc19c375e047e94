/** What holds an instance in a session, by what the session says about instances that the cloud keeps. */
import type { CloudInstance, HeldUnless } from './cloud-facts';
import type { Eviction } from './eviction';

/**
 * The first of these reasons that holds the instance.
 * @param eviction what the session says; null: nothing
 */
export const heldIn = (eviction: Eviction | null, reasons: readonly HeldUnless[]): HeldUnless['holds'] =>
  reasons.find(({ option, byDefault }) => (eviction?.[option] ?? byDefault) === 'keep')?.holds ?? {};

/** The instance as the session sees it. The cloud lists it as a session sees it that says nothing. */
export const seenIn = (eviction: Eviction | null, instance: CloudInstance): CloudInstance => {
  const { heldUnless } = instance;
  if (heldUnless === undefined || eviction === null) return instance;
  return { ...withoutHolds(instance), ...heldIn(eviction, heldUnless) };
};

const withoutHolds = ({
  cannotMove: _why,
  cannotMoveNow: _whyNow,
  isWorthTrying: _isWorthTrying,
  ...rest
}: CloudInstance): CloudInstance => rest;
