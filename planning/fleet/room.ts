/** Room on a host: vcpus and memory. How much of it instances and claims hold: see double-allocation.ts. */

export interface Room {
  readonly vcpus: number;
  readonly memoryMb: number;
}

/** What is overbooked of one kind is no hindrance for what needs none of it. */
export function hasRoomFor(free: Room, size: Room): boolean {
  return Math.max(0, free.vcpus) >= size.vcpus && Math.max(0, free.memoryMb) >= size.memoryMb;
}

/** Whether anything may fit that needs both. */
export function isUseful({ vcpus, memoryMb }: Room): boolean {
  return vcpus > 0 && memoryMb > 0;
}

/** What others may take: what is overbooked is no room that others lack. */
export function roomToTake({ vcpus, memoryMb }: Room): Room {
  return { vcpus: Math.max(0, vcpus), memoryMb: Math.max(0, memoryMb) };
}

/** How much more must be free so that something of this size fits; what is overbooked already is not counted again. */
export function missingRoom(free: Room, size: Room): Room {
  return { vcpus: shortage(free.vcpus, size.vcpus), memoryMb: shortage(free.memoryMb, size.memoryMb) };
}

/** `missingRoom` as a share of the size: a number, because it is asked of every host for every instance. */
export function missingShare(free: Room, size: Room): number {
  const vcpus = shortage(free.vcpus, size.vcpus) / Math.max(1, size.vcpus);
  return vcpus + shortage(free.memoryMb, size.memoryMb) / Math.max(1, size.memoryMb);
}

function shortage(free: number, needed: number): number {
  return Math.max(0, needed - Math.max(0, free));
}

/** Room as a share of a whole, so that vcpus and memory can be weighed against each other. */
export function shareOf(room: Room, whole: Room): number {
  return room.vcpus / Math.max(1, whole.vcpus) + room.memoryMb / Math.max(1, whole.memoryMb);
}

/** How many instances of so many vcpus fit beside each other into free ones. */
export function slotsIn(freeVcpus: number, vcpus: number): number {
  return vcpus > 0 ? Math.max(0, Math.floor(freeVcpus / vcpus)) : Infinity;
}
