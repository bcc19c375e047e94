/** Fleets whose instances somebody sees in another way than the snapshot tells them. */
import type { Fleet, Instance } from './fleet';

/** Makes of an instance what somebody sees of it. */
export type ViewOfInstance = (instance: Instance) => Instance;

/** The fleet through these views, one after the other, in one pass. A view that is undefined changes nothing. */
export const seenThrough = <Seen extends Pick<Fleet, 'instances'>>(
  fleet: Seen,
  views: readonly (ViewOfInstance | undefined)[],
): Seen => {
  const changing = views.filter((view) => view !== undefined);
  if (changing.length === 0) return fleet;
  const seen = (instance: Instance): Instance => changing.reduce((before, view) => view(before), instance);
  return { ...fleet, instances: fleet.instances.map(seen) };
};
