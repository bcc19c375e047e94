/**
 * What is done on many hosts at once. Everything that has to leave the hosts under work gets a reserved place first,
 * hosts with the fewest instances left before others; a further host goes under work where all of its instances find a
 * place beside those, so that an order in which all can end exists. What room is left then serves to begin with one host
 * more than can be emptied yet: the hosts in maintenance will be its targets, and the room would lie idle until then.
 */
import { admissionsOf, stayingOn } from './asking';
import type { Admission, Reservation } from './decision';
import { DrainCost } from './drain-cost';
import type { Host, Instance } from './fleet';
import { compareText } from './fleet-index';
import { isEmpty } from './host-content';
import { controllerUnderWork, isInPhase, isUnderWork } from './host-work';
import { type Target, bestTarget, place, targetsOf, worstRank } from './placement';
import { type VnfFacts, ownHosts } from './vnf-facts';

export interface ParallelWork {
  readonly open: readonly Host[];
  readonly reserve: readonly Reservation[];
  readonly admit: readonly Admission[];
}

/** How many hosts may be tried in vain before the search for one to open ends, where others are under work. */
const mostFailures = 20;

/** Opens and reserves; or, where there is nothing of that to do, admits. */
export function planParallelWork(facts: VnfFacts): ParallelWork {
  const { live } = facts;
  if (live.roomGrew) {
    const mark = live.occupancy.mark();
    const { open, reserve } = new OpeningPlan(facts).make();
    live.occupancy.rollBack(mark);
    if (open.length + reserve.length > 0) return { open, reserve, admit: [] };
    live.noMoreFits();
  }
  return { open: [], reserve: [], admit: admissionsOf(facts) };
}

/** Owns what one decision opens and reserves, held in the occupancy while it is made. */
class OpeningPlan {
  readonly #open = new Set<Host>();
  readonly #reserve: Reservation[] = [];
  readonly #reservedOnto = new Set<string>();
  readonly #own: readonly Host[];
  readonly #cost: DrainCost;
  #targets: readonly Target[];
  /** Hosts under work with an instance that finds no place yet. */
  #unplaced = 0;

  constructor(private readonly facts: VnfFacts) {
    const { live } = facts;
    this.#own = ownHosts(facts);
    this.#cost = new DrainCost(live);
    this.#targets = targetsOf(live, live.occupancy).filter(({ load: { free } }) => free.vcpus > 0 && free.memoryMb > 0);
  }

  make(): Pick<ParallelWork, 'open' | 'reserve'> {
    this.#reserveForHostsUnderWork();
    const waiting = this.#waitingHosts();
    for (const host of waiting) if (this.#mayOpen(host) && isEmpty(this.facts.live, host)) this.#take(host);
    const full = waiting.filter((host) => !isEmpty(this.facts.live, host));
    if (this.#unplaced === 0) this.#openWhole(full);
    if (this.#unplaced === 0 && this.#own.some(isInPhase('maintaining'))) this.#openAhead(full);
    return { open: [...this.#open], reserve: this.#reserve };
  }

  #reserveForHostsUnderWork(): void {
    const { live } = this.facts;
    const work = this.#own.filter(isInPhase('emptying')).map((host) => ({ host, left: stayingOn(live, host.name) }));
    work.sort((one, other) => one.left.length - other.left.length || compareText(one.host.name, other.host.name));
    for (const { left } of work) {
      for (const { groupKey } of left) this.#cost.enqueue(groupKey);
      const unplaced = left.filter(({ id }) => !live.reservedTarget.has(id));
      if (!this.#placeAll(unplaced) && this.#placeSome(unplaced) < unplaced.length) this.#unplaced += 1;
    }
  }

  #waitingHosts(): readonly Host[] {
    return this.#own.filter((host) => isInPhase('waiting')(host) && !this.facts.live.incomingByHost.has(host.name));
  }

  /** Nothing is to go there, the cap on hosts under work is not reached, and no two controllers are under work. */
  #mayOpen(host: Host): boolean {
    const { live, limits } = this.facts;
    if (this.#open.has(host) || this.#reservedOnto.has(host.name) || live.isReservedOnto(host.name)) return false;
    if (host.type === 'controller' && this.#isControllerUnderWork()) return false;
    const underWork = this.#own.filter(isUnderWork).length + this.#open.size;
    return underWork < (limits.maxParallelHosts ?? Infinity);
  }

  #isControllerUnderWork(): boolean {
    const opened = [...this.#open].some(({ type }) => type === 'controller');
    return opened || controllerUnderWork(this.facts.live) !== undefined;
  }

  /** Opens hosts, the cheapest first, whose instances all find a place. */
  #openWhole(hosts: readonly Host[]): void {
    let candidates = this.#cost.cheapestFirst(hosts);
    for (let failures = 0; failures < mostFailures || this.#isNothingUnderWork();) {
      const next = candidates.shift();
      if (!next) return;
      if (!this.#mayOpen(next)) continue;
      if (!this.#tryToOpen(next, (instances) => this.#hasRoomFor(instances) && this.#placeAll(instances))) {
        failures += 1;
        continue;
      }
      for (const { groupKey } of stayingOn(this.facts.live, next.name)) this.#cost.enqueue(groupKey);
      candidates = this.#cost.cheapestFirst(candidates);
    }
  }

  /** Opens the cheapest host of which at least an instance finds a place. */
  #openAhead(hosts: readonly Host[]): void {
    const candidates = this.#cost.cheapestFirst(hosts).filter((host) => this.#mayOpen(host));
    candidates
      .slice(0, mostFailures)
      .find((host) => this.#tryToOpen(host, (instances) => this.#placeSome(instances) > 0));
  }

  /** Where nothing is under work, any host that can be emptied counts, however long the search for it takes. */
  #isNothingUnderWork(): boolean {
    return this.#open.size === 0 && !this.#own.some(isUnderWork);
  }

  #tryToOpen(host: Host, placeThem: (instances: readonly Instance[]) => boolean): boolean {
    const targets = this.#targets;
    this.#targets = targets.filter((target) => target.host !== host);
    if (placeThem(stayingOn(this.facts.live, host.name))) {
      this.#open.add(host);
      return true;
    }
    this.#targets = targets;
    return false;
  }

  #take(host: Host): void {
    this.#open.add(host);
    this.#targets = this.#targets.filter((target) => target.host !== host);
  }

  /** A quick look, before places are searched: whether there is as much room at all. */
  #hasRoomFor(instances: readonly Instance[]): boolean {
    const needed = instances.reduce((sum, { vcpus }) => sum + vcpus, 0);
    return this.#targets.reduce((sum, { load }) => sum + load.free.vcpus, 0) >= needed;
  }

  /** Whether all of them found a place; none is reserved where not. */
  #placeAll(instances: readonly Instance[]): boolean {
    const { live } = this.facts;
    const placement = place({ index: live, instances, targets: this.#targets, occupancy: live.occupancy });
    if (placement.kind === 'lacking') return false;
    for (const [id, { name }] of placement.targetOf) this.#keep(id, name);
    return true;
  }

  /** How many found a place, on hosts that will not be emptied again. */
  #placeSome(instances: readonly Instance[]): number {
    const lasting = this.#targets.filter(({ rank }) => rank < worstRank);
    return instances.filter((instance) => {
      const target = bestTarget(this.facts.live, instance, lasting);
      if (!target) return false;
      this.facts.live.occupancy.hold(target.host.name, instance);
      this.#keep(instance.id, target.host.name);
      return true;
    }).length;
  }

  #keep(instanceId: string, target: string): void {
    this.#reserve.push({ instanceId, target });
    this.#reservedOnto.add(target);
  }
}
