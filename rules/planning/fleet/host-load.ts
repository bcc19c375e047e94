/** The load of one host: its free capacity, and the members of each group on it. */
import { addCapacity, type Capacity } from './capacity';
import type { Limited } from './fleet';
import { limitKeysOf } from './limit-keys';

/** Whoever takes capacity of a host and counts in groups: an instance, or the claim of one that is gone. */
export type Holder = Capacity & Limited;

export interface HostLoad {
  readonly free: Capacity;
  readonly membersByGroup: ReadonlyMap<string, number>;
}

export interface ChangingLoad {
  free: Capacity;
  readonly membersByGroup: Map<string, number>;
}

export const emptyLoad = ({ vcpus, memoryMb }: Capacity): ChangingLoad => ({
  free: { vcpus, memoryMb },
  membersByGroup: new Map(),
});

/** @param times 1: the host holds it from now on; -1: no longer */
export const changeLoad = (load: ChangingLoad, holder: Holder, times: 1 | -1): void => {
  load.free = addCapacity(load.free, { vcpus: -times * holder.vcpus, memoryMb: -times * holder.memoryMb });
  for (const key of limitKeysOf(holder)) addOrForget(load.membersByGroup, key, times);
};

/** Counts, and keeps no count that is 0: those that are left are gone through quickly. */
export const addOrForget = <Key>(counts: Map<Key, number>, key: Key, times: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + times;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};
