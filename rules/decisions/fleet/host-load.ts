/** The load of one host: its free capacity, and the members of each group on it. */
import type { Sized } from '../../cloud/amounts';
import { addCapacity, type Capacity } from './capacity';
import type { Instance, Limited } from './fleet';
import { limitKeysOf } from './limit-keys';

/** Whoever takes capacity of a host and counts in groups: an instance, or the claim of one that is gone. */
export type Holder = Sized & Limited & Partial<Pick<Instance, 'id' | 'host' | 'spreads'>>;

export interface HostLoad {
  readonly free: Capacity;
  readonly membersByGroup: ReadonlyMap<string, number>;
}

export interface ChangingLoad {
  free: Capacity;
  readonly membersByGroup: Map<string, number>;
}

/** @param free the capacity of the host */
export const emptyLoad = (free: Capacity): ChangingLoad => ({ free, membersByGroup: new Map() });

export interface LoadChange {
  readonly holder: Limited;
  /** The capacity that it takes. */
  readonly size: Capacity;
  /** 1: the host holds it from now on; -1: no longer. */
  readonly times: 1 | -1;
}

export const changeLoad = (load: ChangingLoad, { holder, size, times }: LoadChange): void => {
  load.free = addCapacity(load.free, size, times === 1 ? -1 : 1);
  for (const key of limitKeysOf(holder)) addOrForget(load.membersByGroup, key, times);
};

/** Counts, and keeps no count that is 0: those that are left are gone through quickly. */
export const addOrForget = <Key>(counts: Map<Key, number>, key: Key, times: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + times;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
};
