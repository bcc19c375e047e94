/**
 * What is done on many hosts at once. Everything that has to leave the hosts under work gets a reserved place first,
 * hosts with the fewest instances left before others; a further host goes under work where all of its instances find a
 * place beside those, so that an order in which all can end exists. What room is left then serves to begin with one
 * host more than can be emptied yet: a host in maintenance will take its rest, and the room would lie idle until then.
 */
import { admissionsOf, stayingOn } from './admissions';
import type { Admission } from '../decision';
import type { Host, Instance, Reservation } from '../fleet/fleet';
import { compareText } from '../fleet/fleet-index';
import { isEmpty } from '../fleet/host-content';
import { becomesTarget, controllerOut } from '../fleet/host-work';
import { type OrderOfHosts, orderOf } from '../opening/opening-order';
import { type Place, TargetPool } from './target-pool';
import { type VnfFacts, countUnderWork, ownInPhase, slotsLeft } from '../live/vnf-facts';

/** How many hosts may be tried in vain in one decision, where others are under work. */
const mostFailures = 10;

export interface ParallelWork {
  readonly open: readonly Host[];
  readonly reserve: readonly Reservation[];
  readonly admit: readonly Admission[];
  /** See Decision. */
  readonly openingOrder?: readonly string[];
}

/** Opens and reserves; or, where there is nothing of that to do, admits. */
export function planParallelWork(facts: VnfFacts): ParallelWork {
  const { live } = facts;
  const mark = live.occupancy.mark();
  const opening = new OpeningPlan(facts).make();
  live.occupancy.rollBack(mark);
  live.targets.restore();
  const isNothingToDo = opening.open.length + opening.reserve.length === 0;
  return { ...opening, admit: isNothingToDo ? admissionsOf(facts) : [] };
}

/** Whether a host that nothing has to leave, or is to go to, may be put under work now. */
export function mayOpenEmptyHost(facts: VnfFacts): boolean {
  const { live } = facts;
  if (slotsLeft(facts) <= 0) return false;
  return ownInPhase(facts, 'waiting').some((host) => {
    if (!isEmpty(live, host) || live.isReservedOnto(host.name)) return false;
    return host.type !== 'controller' || controllerOut(live, host) === undefined;
  });
}

/** Owns what one decision opens and reserves, held in the occupancy while it is made. */
class OpeningPlan {
  readonly #open = new Set<Host>();
  readonly #reserve: Reservation[] = [];
  readonly #reservedOnto = new Set<string>();
  readonly #pool: TargetPool;
  readonly #isIdle: boolean;
  readonly #slots: number;
  /** The session's hosts that wait. */
  readonly #waiting: readonly Host[];
  #order: OrderOfHosts | undefined;
  #opensController = false;

  constructor(private readonly facts: VnfFacts) {
    this.#isIdle = countUnderWork(facts) === 0;
    this.#slots = slotsLeft(facts);
    this.#pool = new TargetPool(facts.live);
    this.#waiting = ownInPhase(facts, 'waiting');
  }

  make(): Omit<ParallelWork, 'admit'> {
    const isAllPlaced = this.#placeHostsUnderWork();
    this.#openEmpty();
    if (isAllPlaced) {
      this.#openWhole();
      this.#openAhead();
    }
    return {
      open: [...this.#open],
      reserve: this.#reserve,
      ...(this.#order?.isNew === true && { openingOrder: this.#order.hosts.map(({ name }) => name) }),
    };
  }

  /** Whether everything on hosts under work has a place now. */
  #placeHostsUnderWork(): boolean {
    const { live } = this.facts;
    const unplaced = [...live.lackingPlaces]
      .flatMap((name) => live.hostByName.get(name) ?? [])
      .filter((host) => host.work?.sessionId === this.facts.sessionId);
    const work = unplaced.map((host) => ({ host, left: stayingOn(live, host.name) }));
    work.sort((one, other) => one.left.length - other.left.length || compareText(one.host.name, other.host.name));
    return work.map(({ left }) => this.#placeRest(left)).every((isPlaced) => isPlaced);
  }

  #placeRest(left: readonly Instance[]): boolean {
    const placeless = left.filter(({ id }) => !this.facts.live.reservedTarget.has(id));
    const places = this.#pool.placeAll(placeless, { thoroughly: true }) ?? this.#pool.placeMost(placeless);
    this.#keep(places);
    return places.length === placeless.length;
  }

  /** Nothing is to go there, the cap on hosts under work is not reached, and no two controllers are under work. */
  #mayOpen(host: Host): boolean {
    const { live } = this.facts;
    if (live.incomingByHost.has(host.name)) return false;
    if (this.#open.has(host) || this.#reservedOnto.has(host.name) || live.isReservedOnto(host.name)) return false;
    if (host.type === 'controller' && (this.#opensController || controllerOut(live, host))) return false;
    return this.#open.size < this.#slots;
  }

  /** As far as can be told without a search for places. */
  #mayOpenWhole(host: Host): boolean {
    return this.#mayOpen(host) && this.#pool.mayTakeAllOf(host);
  }

  /** The hosts that wait and suit, in the order in which to try them. A forecast is made only where there are any. */
  #inOrder(suits: (host: Host) => boolean): readonly Host[] {
    if (!this.#waiting.some((host) => this.#isFilled(host) && suits(host))) return [];
    this.#order ??= orderOf(this.facts, this.#waiting.filter(this.#isFilled));
    return this.#order.hosts.filter(suits);
  }

  readonly #isFilled = (host: Host): boolean => !isEmpty(this.facts.live, host);

  #openEmpty(): void {
    for (const host of this.#waiting) {
      if (!this.#isFilled(host) && this.#mayOpen(host)) this.#take(host, []);
    }
  }

  /** Opens hosts, in their order, whose instances all find a place. */
  #openWhole(): void {
    let failures = 0;
    for (const host of this.#inOrder((each) => this.#mayOpenWhole(each))) {
      if (!this.#isWorthTrying(failures)) return;
      // Those that were opened before it may have taken what it needs.
      if (this.#mayOpenWhole(host) && !this.#openIfPlaced(host)) failures += 1;
    }
  }

  #isWorthTrying(failures: number): boolean {
    return failures < mostFailures || this.#isNothingUnderWork();
  }

  #openIfPlaced(host: Host): boolean {
    const search = { leaving: host, thoroughly: this.#isNothingUnderWork() };
    const places = this.#pool.placeAll(stayingOn(this.facts.live, host.name), search);
    if (places) this.#take(host, places);
    return places !== undefined;
  }

  /**
   * Opens the first host of which at least one instance finds a place, and whose rest fits on a host that is being
   * maintained: it comes first when that one is enabled, so it can end.
   */
  #openAhead(): void {
    const returning = ownInPhase(this.facts, 'maintaining').filter(becomesTarget);
    if (returning.length === 0 || !this.#pool.hasLastingRoom()) return;
    for (const host of this.#inOrder((each) => this.#mayOpen(each)).slice(0, mostFailures)) {
      const places = this.#pool.placeSome(stayingOn(this.facts.live, host.name), returning);
      if (places.length > 0) {
        this.#take(host, places);
        return;
      }
    }
  }

  /** Where nothing is under work, any host that can be emptied counts, however long the search for it takes. */
  #isNothingUnderWork(): boolean {
    return this.#isIdle && this.#open.size === 0;
  }

  #take(host: Host, places: readonly Place[]): void {
    this.#open.add(host);
    if (host.type === 'controller') this.#opensController = true;
    this.#pool.remove(host);
    this.#keep(places);
  }

  #keep(places: readonly Place[]): void {
    this.#reserve.push(...places);
    for (const { target } of places) this.#reservedOnto.add(target);
  }
}
