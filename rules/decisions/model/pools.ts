/**
 * Hosts that some instances are bound to and others are not, such as those of a zone. Capacity runs out in such a pool
 * before it does in the whole fleet: whoever may go elsewhere leaves its hosts to those who may not, and forecasts
 * count it apart.
 */
import type { Sized } from '../../cloud/amounts';
import { addCapacity, type Capacity, noCapacity } from '../fleet/capacity';
import type { Host, Instance } from '../fleet/fleet';
import type { Classes } from './classes';

export interface Pool {
  /** The classes of its hosts. */
  readonly offered: ReadonlySet<string>;
  /** What the instances take that may go nowhere else. */
  readonly demand: Capacity;
}

export interface PoolFacts {
  readonly classes: Classes;
  readonly hosts: readonly Host[];
  readonly instances: Iterable<Instance>;
  readonly sizeOf: (sized: Sized) => Capacity;
}

interface FreeByClass {
  totalOn(offered: ReadonlySet<string>): Capacity;
}

interface Own {
  readonly offered: readonly string[];
  readonly tighter: readonly Pool[];
}

/** Each pool makes decisions slower. Those with the most instances matter most. */
const mostPools = 8;

export class Pools {
  /** Those that hold the most instances first; none where everything may go everywhere. */
  readonly all: readonly Pool[];
  readonly #offered: readonly string[];
  readonly #ownByNeeds = new Map<string, Own>();

  constructor(private readonly facts: PoolFacts) {
    const { classes, hosts, instances } = facts;
    const computes = hosts.filter(({ isCompute }) => isCompute);
    this.#offered = [...new Set(computes.map(({ offers = '' }) => offers))].sort();
    this.all = classes.misfits.length === 0 ? [] : this.#poolsOf([...instances]);
  }

  /**
   * How scarce the hosts of each class are now for instances that are bound more tightly than this one: what those
   * take, beside what is free there. Undefined: nothing is bound.
   */
  scarcityFor(instance: Instance, capacity: FreeByClass): ReadonlyMap<string, number> | undefined {
    if (this.all.length === 0) return undefined;
    const own = this.#ownOf(instance);
    const size = this.facts.sizeOf(instance);
    const scarcities = own.tighter.map((pool) => ({ pool, scarcity: scarcityOf(pool, size, capacity) }));
    return new Map(
      own.offered.map((offers) => {
        const tight = scarcities.filter(({ pool }) => pool.offered.has(offers));
        return [offers, Math.max(0, ...tight.map(({ scarcity }) => scarcity))];
      }),
    );
  }

  /** The classes that it may go to, and the pools that do not hold all of these. */
  #ownOf(instance: Instance): Own {
    const known = this.#ownByNeeds.get(instance.needs ?? '');
    if (known) return known;
    const offered = this.#mayGo(instance);
    const tighter = this.all.filter((pool) => offered.some((offers) => !pool.offered.has(offers)));
    const own = { offered, tighter };
    this.#ownByNeeds.set(instance.needs ?? '', own);
    return own;
  }

  #mayGo(instance: Pick<Instance, 'needs'>): readonly string[] {
    return this.#offered.filter((offers) => this.facts.classes.mayGo(instance, { offers }));
  }

  #poolsOf(instances: readonly Instance[]): readonly Pool[] {
    const { sizeOf } = this.facts;
    const bound = [...Map.groupBy(instances, ({ needs = '' }) => needs)].map(([needs, members]) => ({
      members,
      offered: new Set(this.#mayGo({ needs })),
    }));
    const pools = new Map(
      bound
        .filter(({ offered }) => offered.size < this.#offered.length)
        .map(({ offered }) => [[...offered].join('\n'), offered]),
    );
    return [...pools.values()]
      .map((offered) => {
        const within = bound.filter((one) => isWithin(one.offered, offered)).flatMap(({ members }) => members);
        return { offered, members: within.length, demand: sumOf(within.map(sizeOf)) };
      })
      .sort((one, other) => other.members - one.members)
      .slice(0, mostPools);
  }
}

const scarcityOf = ({ offered, demand }: Pool, size: Capacity, capacity: FreeByClass): number => {
  const free = capacity.totalOn(offered);
  const shares = size.map((needed, at) => (needed === 0 ? 0 : (demand[at] ?? 0) / Math.max(1, free[at] ?? 0)));
  return Math.max(0, ...shares);
};

const sumOf = (sizes: readonly Capacity[]): Capacity => sizes.reduce((sum, size) => addCapacity(sum, size), noCapacity);

const isWithin = (few: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...few].every((each) => all.has(each));
