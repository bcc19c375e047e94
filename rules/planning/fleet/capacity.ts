/** Capacity of a host: vcpus and memory. How much of it instances and claims hold: see double-allocation.ts. */

export interface Capacity {
  readonly vcpus: number;
  readonly memoryMb: number;
}

/** True when a host with this much free takes something of this size. */
export const hasCapacityFor = (free: Capacity, size: Capacity): boolean =>
  Math.max(0, free.vcpus) >= size.vcpus && Math.max(0, free.memoryMb) >= size.memoryMb;

/** Free capacity without what is overbooked: a lack of vcpus takes no memory from others. */
export const usable = ({ vcpus, memoryMb }: Capacity): Capacity => ({
  vcpus: Math.max(0, vcpus),
  memoryMb: Math.max(0, memoryMb),
});

/** The capacity that must be free in addition so that this size fits. Overbooked capacity is not counted again. */
export const missingCapacity = (free: Capacity, size: Capacity): Capacity => ({
  vcpus: shortage(free.vcpus, size.vcpus),
  memoryMb: shortage(free.memoryMb, size.memoryMb),
});

/** `missingCapacity` as a share of the size: a number, because it is asked of every host for every instance. */
export const missingShare = (free: Capacity, size: Capacity): number =>
  shortage(free.vcpus, size.vcpus) / Math.max(1, size.vcpus) +
  shortage(free.memoryMb, size.memoryMb) / Math.max(1, size.memoryMb);

const shortage = (free: number, needed: number): number => Math.max(0, needed - Math.max(0, free));

/** Capacity as a share of a whole, so that vcpus and memory can be weighed against each other. */
export const shareOf = (capacity: Capacity, whole: Capacity): number =>
  capacity.vcpus / Math.max(1, whole.vcpus) + capacity.memoryMb / Math.max(1, whole.memoryMb);

/** The number of instances with this many vcpus that fit beside each other into free vcpus. */
export const slotsIn = (freeVcpus: number, vcpus: number): number =>
  vcpus > 0 ? Math.max(0, Math.floor(freeVcpus / vcpus)) : Infinity;

/** True when it is more than nothing. */
export const isAny = ({ vcpus, memoryMb }: Capacity): boolean => vcpus > 0 || memoryMb > 0;

export const addCapacity = (one: Capacity, other: Capacity): Capacity => ({
  vcpus: one.vcpus + other.vcpus,
  memoryMb: one.memoryMb + other.memoryMb,
});
