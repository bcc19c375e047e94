/** The load of every host: its free capacity and the members of each group on it. Planning tries moves on it. */
import type { Host, Limited } from './fleet';
import { hostWhenSettled, hostsHolding } from './double-allocation';
import { type FleetIndex, isInFlight, limitKeysOf } from './fleet-index';
import type { Room } from './room';

/** An item that uses capacity on a host and counts in groups: an instance, or the claim of an instance that is gone. */
export type Holder = Room & Limited;

export interface HostLoad {
  readonly free: Room;
  readonly membersByGroup: ReadonlyMap<string, number>;
}

interface ChangingLoad {
  readonly free: { vcpus: number; memoryMb: number };
  readonly membersByGroup: Map<string, number>;
}

interface Change {
  readonly hostname: string;
  readonly load: ChangingLoad;
  readonly holder: Holder;
  readonly times: 1 | -1;
}

/** Owns the loads during a decision. `rollBack` takes back the moves that were tried. */
export class Occupancy {
  readonly #loads = new Map<string, ChangingLoad>();
  readonly #changes: Change[] = [];

  /** @param noteLoad called with the name of every host whose load has changed */
  constructor(
    hosts: readonly Host[],
    private readonly noteLoad?: (hostname: string) => void,
  ) {
    for (const { name, vcpus, memoryMb } of hosts) {
      this.#loads.set(name, { free: { vcpus, memoryMb }, membersByGroup: new Map() });
    }
  }

  /** @throws RangeError when the fleet has no such host */
  loadOf(hostname: string): HostLoad {
    const load = this.#loads.get(hostname);
    if (!load) throw new RangeError(`host ${hostname} is not in the fleet`);
    return load;
  }

  /** Does nothing for a host that the fleet does not have. */
  hold(hostname: string, holder: Holder): void {
    this.#change(hostname, holder, 1);
  }

  drop(hostname: string, holder: Holder): void {
    this.#change(hostname, holder, -1);
  }

  mark(): number {
    return this.#changes.length;
  }

  /** Takes back everything since the mark. */
  rollBack(mark: number): void {
    for (const change of this.#changes.splice(mark).reverse()) this.#apply(change, change.times === 1 ? -1 : 1);
  }

  /** Makes everything so far stay: it cannot be taken back any more. */
  keep(): void {
    this.#changes.length = 0;
  }

  #change(hostname: string, holder: Holder, times: 1 | -1): void {
    const load = this.#loads.get(hostname);
    if (!load) return;
    const change = { hostname, load, holder, times };
    this.#apply(change, times);
    this.#changes.push(change);
  }

  #apply({ hostname, load, holder }: Change, times: 1 | -1): void {
    apply(load, holder, times);
    this.noteLoad?.(hostname);
  }
}

/** Everything held now, with double allocation. */
export function occupancyNow(index: FleetIndex): Occupancy {
  const occupancy = occupancyOfGone(index);
  for (const instance of index.fleet.instances) {
    for (const hostname of hostsHolding(instance, index.claimByInstance.get(instance.id))) {
      occupancy.hold(hostname, instance);
    }
  }
  return occupancy;
}

/** What will be held when all that is in flight has ended well. */
export function occupancyWhenSettled(index: FleetIndex): Occupancy {
  const occupancy = occupancyOfGone(index);
  for (const instance of index.fleet.instances) {
    occupancy.hold(hostWhenSettled(instance, index.claimByInstance.get(instance.id)), instance);
  }
  return occupancy;
}

/** Targets held for instances that are gone: their project puts a new one there (OWN_ACTION). */
function occupancyOfGone(index: FleetIndex): Occupancy {
  const occupancy = new Occupancy(index.hosts);
  for (const claim of index.fleet.claims) {
    if (isInFlight(claim) && !index.instanceById.has(claim.instanceId)) occupancy.hold(claim.target, claim);
  }
  return occupancy;
}

function apply({ free, membersByGroup }: ChangingLoad, holder: Holder, times: 1 | -1): void {
  free.vcpus -= times * holder.vcpus;
  free.memoryMb -= times * holder.memoryMb;
  for (const key of limitKeysOf(holder)) {
    const members = (membersByGroup.get(key) ?? 0) + times;
    // What was tried and taken back leaves nothing behind that everyone who looks through the groups would pass.
    if (members === 0) membersByGroup.delete(key);
    else membersByGroup.set(key, members);
  }
}
