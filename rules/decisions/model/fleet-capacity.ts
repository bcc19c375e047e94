/**
 * Decides which host takes an instance: of the best rank that has capacity (fleet/host-work.ts), the host where the
 * least stays unused. Which hosts an instance may go to at all, capacity apart: `mayTakeIt` (may-take-it.ts). It knows
 * what every host of the fleet holds, and everything that is tried can be taken back.
 */
import type { Sized } from '../../cloud/amounts';
import {
  addCapacity,
  type Capacity,
  hasCapacityFor,
  largerOf,
  noCapacity,
  shareOf,
  slotsIn,
  usable,
} from '../fleet/capacity';
import type { Host } from '../fleet/fleet';
import { addOrForget, changeLoad, type ChangingLoad, emptyLoad, type Holder, type HostLoad } from '../fleet/host-load';
import { rankOf, type TargetRank, targetRanks } from '../fleet/host-work';
import { lowerBound } from '../fleet/ordered';
import type { Resources } from '../fleet/resources';

/** A host that may take instances, with its load, which changes as instances are placed. */
export interface Target {
  readonly host: Host;
  readonly load: HostLoad;
}

export interface TargetSearch {
  /** True when the instance may go there, capacity apart. */
  readonly mayTake: (target: Target) => boolean;
  /** Left out: hosts of any rank. */
  readonly worstRank?: TargetRank;
  /**
   * How scarce a class of hosts is: within a rank, the less scarce one is better (pools.ts). Left out: all are as good.
   */
  readonly scarcity?: ReadonlyMap<string, number> | undefined;
}

interface Found {
  readonly target: Target;
  readonly scarce: number;
}

interface Listed extends Target {
  readonly rank: TargetRank;
  /** Position by name among all hosts: of equals the first is taken. */
  readonly position: number;
  /** The free capacity of the largest host when this was listed. */
  share: number;
}

export class FleetCapacity {
  readonly #loads: ReadonlyMap<string, ChangingLoad>;
  readonly #positions: ReadonlyMap<string, number>;
  readonly #largest: Capacity;
  readonly #targets = new Map<string, Listed>();
  /** The fullest first. */
  readonly #byRank: readonly Listed[][] = Object.values(targetRanks).map(() => []);
  /** Bounds: for each rank no less than the most of each resource that is free on one of its targets. */
  readonly #mostFree: Capacity[] = this.#byRank.map(() => noCapacity);
  /** The number of targets that have this much free, for each resource. */
  readonly #countsByFree: Map<number, number>[] = [];
  readonly #undo: (() => void)[] = [];
  /** The hosts beside their own that hold instances under a spread, by the ID of the instance. */
  readonly #placeOf = new Map<string, string>();
  /** The free capacity of each class of targets. */
  readonly #totals = new Map<string, Capacity>();
  #total: Capacity | undefined;

  /** @param hosts by name; none of them is a target yet */
  constructor(
    hosts: readonly Host[],
    private readonly resources: Resources,
  ) {
    this.#positions = new Map(hosts.map(({ name }, position) => [name, position]));
    this.#loads = new Map(hosts.map((host) => [host.name, emptyLoad(this.sizeOf(host))]));
    this.#largest = hosts.map((host) => this.sizeOf(host)).reduce(largerOf, noCapacity);
  }

  /** The amounts of a host, an instance or a claim. */
  sizeOf(sized: Sized): Capacity {
    return this.resources.capacityOf(sized);
  }

  /** The size of it beside the largest host: one number to weigh sizes by. */
  weightOf(sized: Sized): number {
    return shareOf(this.sizeOf(sized), this.#largest);
  }

  /** @throws RangeError where the fleet has no such host */
  loadOf(hostname: string): HostLoad {
    const load = this.#loads.get(hostname);
    if (!load) throw new RangeError(`host ${hostname} is not in the fleet`);
    return load;
  }

  /** See KnownPlaces (spread-counts.ts). */
  placeOf(instanceId: string): string | undefined {
    return this.#placeOf.get(instanceId);
  }

  isTarget(hostname: string): boolean {
    return this.#targets.has(hostname);
  }

  /** Takes no capacity of a host that the fleet does not have. */
  hold(hostname: string, holder: Holder): void {
    this.#change(hostname, holder, 1);
  }

  drop(hostname: string, holder: Holder): void {
    this.#change(hostname, holder, -1);
  }

  /** Lets the host take instances from now on. */
  setTarget(host: Host, rank: TargetRank = rankOf(host)): void {
    const before = this.#targets.get(host.name);
    if (before?.host === host && before.rank === rank) return;
    this.removeTarget(host.name);
    const position = this.#positions.get(host.name) ?? 0;
    this.#list({ host, rank, position, load: this.loadOf(host.name), share: 0 });
    this.#undo.push(() => this.#unlist(host.name));
  }

  /** Lets the host take no instances from now on. Does nothing for a host that takes none anyway. */
  removeTarget(hostname: string): void {
    const target = this.#unlist(hostname);
    if (target) this.#undo.push(() => this.#list(target));
  }

  /** The target that the rule names; undefined where none has capacity. */
  bestFor(instance: Sized, search: TargetSearch): Target | undefined {
    const { worstRank = targetRanks.toBeDrained } = search;
    const size = this.sizeOf(instance);
    let best: Found | undefined;
    for (let rank = 0; rank <= worstRank && best?.scarce !== 0; rank += 1) {
      const found = this.#bestOf(rank, size, search);
      if (found && found.scarce < (best?.scarce ?? Infinity)) best = found;
    }
    return best?.target;
  }

  #bestOf(rank: number, size: Capacity, { mayTake, scarcity }: TargetSearch): Found | undefined {
    const targets = this.#byRank[rank] ?? [];
    if (!hasCapacityFor(this.#mostFree[rank] ?? noCapacity, size)) return undefined;
    const share = shareOf(size, this.#largest);
    // The hosts before the first have less free capacity than the instance needs.
    const first = lowerBound(targets, (target) => target.share < share);
    const suits = (target: Target): boolean => hasCapacityFor(target.load.free, size) && mayTake(target);
    const best = scarcity ? leastScarce(targets.slice(first), scarcity, suits) : firstOf(targets, first, suits);
    if (!best) this.#mostFree[rank] = mostFreeOn(targets);
    return best;
  }

  /** Best rank first, of each rank the fullest first. */
  targets(): readonly Target[] {
    return this.#byRank.flat();
  }

  /** Free on all targets together. */
  get total(): Capacity {
    return (this.#total ??= this.totalOn(this.#totals.keys()));
  }

  /** Free on all targets of these classes together. */
  totalOn(offered: Iterable<string>): Capacity {
    let total = noCapacity;
    for (const offers of offered) total = addCapacity(total, this.#totals.get(offers) ?? noCapacity);
    return total;
  }

  /** The number of instances with this much of one resource that the targets take, as far as this resource tells. */
  slotsFor(amount: number, resource: number): number {
    let slots = 0;
    for (const [free, count] of this.#countsByFree[resource] ?? []) slots += count * slotsIn(free, amount);
    return slots;
  }

  mark(): number {
    return this.#undo.length;
  }

  /** Takes back everything since the mark. */
  rollBack(mark: number): void {
    for (const undo of this.#undo.splice(mark).reverse()) undo();
  }

  /** Makes everything so far stay: it cannot be taken back any more. */
  keep(): void {
    this.#undo.length = 0;
  }

  #change(hostname: string, holder: Holder, times: 1 | -1): void {
    if (holder.spreads) this.#changePlace(hostname, holder, times);
    const load = this.#loads.get(hostname);
    if (!load) return;
    this.#apply(hostname, load, { holder, times });
    this.#undo.push(() => this.#apply(hostname, load, { holder, times: times === 1 ? -1 : 1 }));
  }

  #changePlace(hostname: string, { id = '', host }: Holder, times: 1 | -1): void {
    const before = this.#placeOf.get(id);
    if (times === 1 ? hostname === host : hostname !== before) return;
    this.#setPlace(id, times === 1 ? hostname : undefined);
    this.#undo.push(() => this.#setPlace(id, before));
  }

  #setPlace(id: string, hostname: string | undefined): void {
    if (hostname === undefined) this.#placeOf.delete(id);
    else this.#placeOf.set(id, hostname);
  }

  #apply(hostname: string, load: ChangingLoad, change: { readonly holder: Holder; readonly times: 1 | -1 }): void {
    const target = this.#unlist(hostname);
    changeLoad(load, { ...change, size: this.sizeOf(change.holder) });
    if (target) this.#list(target);
  }

  #list(target: Listed): void {
    target.share = shareOf(usable(target.load.free), this.#largest);
    const targets = this.#byRank[target.rank] ?? [];
    targets.splice(positionIn(targets, target), 0, target);
    this.#mostFree[target.rank] = largerOf(this.#mostFree[target.rank] ?? noCapacity, target.load.free);
    this.#targets.set(target.host.name, target);
    this.#count(target, 1);
  }

  #unlist(hostname: string): Listed | undefined {
    const target = this.#targets.get(hostname);
    if (!target) return undefined;
    const targets = this.#byRank[target.rank] ?? [];
    targets.splice(positionIn(targets, target), 1);
    this.#targets.delete(hostname);
    this.#count(target, -1);
    return target;
  }

  #count({ host: { offers = '' }, load }: Target, times: 1 | -1): void {
    const left = usable(load.free);
    this.#total = undefined;
    this.#totals.set(offers, addCapacity(this.#totals.get(offers) ?? noCapacity, left, times));
    for (const [resource, amount] of left.entries()) {
      this.#countsByFree[resource] ??= new Map();
      addOrForget(this.#countsByFree[resource], amount, times);
    }
  }
}

const firstOf = (targets: readonly Target[], first: number, suits: (target: Target) => boolean): Found | undefined => {
  for (let at = first, target = targets[at]; target; at += 1, target = targets[at]) {
    if (suits(target)) return { target, scarce: 0 };
  }
  return undefined;
};

const leastScarce = (
  targets: readonly Target[],
  scarcity: ReadonlyMap<string, number>,
  suits: (target: Target) => boolean,
): Found | undefined => {
  let best: Found | undefined;
  for (const target of targets) {
    const scarce = scarcity.get(target.host.offers ?? '') ?? 0;
    if (scarce < (best?.scarce ?? Infinity) && suits(target)) best = { target, scarce };
  }
  return best;
};

/** Makes one object on its way: it is asked whenever an instance finds no place in a rank. */
const mostFreeOn = (targets: readonly Listed[]): Capacity => {
  const most: number[] = [];
  for (const { load } of targets) {
    for (let at = 0; at < load.free.length; at += 1) most[at] = Math.max(most[at] ?? 0, load.free[at] ?? 0);
  }
  return most;
};

const positionIn = (targets: readonly Listed[], { share, position }: Listed): number =>
  lowerBound(targets, (other) => other.share < share || (other.share === share && other.position < position));
