/**
 * Capacity of a host: an amount of each resource, in the order that `Resources` gives them. How much of it instances
 * and claims hold: see double-allocation.ts.
 */

/** What is beyond its end is 0. */
export type Capacity = readonly number[];

export const noCapacity: Capacity = [];

// Loops that make no objects: these are asked of every host for every instance.

/** True when a host with this much free takes something of this size. */
export const hasCapacityFor = (free: Capacity, size: Capacity): boolean => {
  for (let at = 0; at < size.length; at += 1) {
    const needed = size[at] ?? 0;
    if (needed > 0 && needed > (free[at] ?? 0)) return false;
  }
  return true;
};

/** Free capacity without what is overbooked: a lack of one resource takes nothing of the others. */
export const usable = (capacity: Capacity): Capacity => capacity.map((amount) => Math.max(0, amount));

/** The capacity that must be free in addition so that this size fits. Overbooked capacity is not counted again. */
export const missingCapacity = (free: Capacity, size: Capacity): Capacity =>
  size.map((needed, at) => shortage(free[at] ?? 0, needed));

/** `missingCapacity` as a share of the size. */
export const missingShare = (free: Capacity, size: Capacity): number => {
  let share = 0;
  for (let at = 0; at < size.length; at += 1) {
    const needed = size[at] ?? 0;
    share += shortage(free[at] ?? 0, needed) / Math.max(1, needed);
  }
  return share;
};

const shortage = (free: number, needed: number): number => Math.max(0, needed - Math.max(0, free));

/** Capacity as a share of a whole, so that different resources can be weighed against each other. */
export const shareOf = (capacity: Capacity, whole: Capacity): number => {
  let share = 0;
  for (let at = 0; at < capacity.length; at += 1) share += (capacity[at] ?? 0) / Math.max(1, whole[at] ?? 0);
  return share;
};

/** The number of amounts of this size that fit beside each other into what is free of one resource. */
export const slotsIn = (free: number, size: number): number =>
  size > 0 ? Math.max(0, Math.floor(free / size)) : Infinity;

/** True when it is more than nothing. */
export const isAny = (capacity: Capacity): boolean => capacity.some((amount) => amount > 0);

/** @param times 1: both together; -1: the first without the other */
export const addCapacity = (one: Capacity, other: Capacity, times: 1 | -1 = 1): Capacity => {
  const sum: number[] = [];
  const length = Math.max(one.length, other.length);
  for (let at = 0; at < length; at += 1) sum.push((one[at] ?? 0) + times * (other[at] ?? 0));
  return sum;
};

/** The most of each resource that one of both has. */
export const largerOf = (one: Capacity, other: Capacity): Capacity => {
  const [longer, shorter] = one.length < other.length ? [other, one] : [one, other];
  return longer.map((amount, at) => Math.max(amount, shorter[at] ?? 0));
};
