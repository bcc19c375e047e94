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
import type { OpeningNews } from '../live/opening-news';
import { OpeningOrder } from '../opening/opening-order';
import { mostFailures } from '../opening/opening-queue';
import { type Place, TargetPool } from './target-pool';
import { type VnfFacts, countUnderWork, ownInPhase, slotsLeft } from '../live/vnf-facts';

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
  if (live.news.isAny) {
    const mark = live.occupancy.mark();
    const opening = new OpeningPlan(facts).make();
    live.occupancy.rollBack(mark);
    live.targets.restore();
    // Until something else happens, nothing more will find a place.
    live.news.clear();
    const isNothingToDo = opening.open.length + opening.reserve.length === 0;
    return { ...opening, admit: isNothingToDo ? admissionsOf(facts) : [] };
  }
  return { open: [], reserve: [], admit: admissionsOf(facts) };
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
  readonly #news: OpeningNews;
  /** The session's hosts that wait. */
  readonly #waiting: readonly Host[];
  #comparing: OpeningOrder | undefined;
  #opensController = false;

  constructor(private readonly facts: VnfFacts) {
    this.#isIdle = countUnderWork(facts) === 0;
    this.#slots = slotsLeft(facts);
    this.#pool = new TargetPool(facts.live);
    this.#news = facts.live.news;
    this.#waiting = ownInPhase(facts, 'waiting');
  }

  make(): Omit<ParallelWork, 'admit'> {
    const isAllPlaced = this.#placeHostsUnderWork();
    this.#openEmpty();
    if (isAllPlaced) {
      this.#openWhole();
      this.#openAhead();
    }
    const found = this.#comparing?.found;
    return {
      open: [...this.#open],
      reserve: this.#reserve,
      ...(found && { openingOrder: found.map(({ name }) => name) }),
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

  /** Made out when hosts are to be compared: it looks at all that wait. */
  get #order(): OpeningOrder {
    this.#comparing ??= new OpeningOrder(this.facts, this.#waiting.filter(this.#isFilled));
    return this.#comparing;
  }

  readonly #isFilled = (host: Host): boolean => !isEmpty(this.facts.live, host);

  #openEmpty(): void {
    for (const host of this.#waiting) {
      if (this.#news.mayOpen(host) && !this.#isFilled(host) && this.#mayOpen(host)) this.#take(host, []);
    }
  }

  /** Opens hosts, the cheapest first, whose instances all find a place. */
  #openWhole(): void {
    let failures = 0;
    let candidates = this.#waiting.filter((host) => {
      return this.#news.mayOpen(host) && this.#mayOpenWhole(host) && this.#isFilled(host);
    });
    while (candidates.length > 0 && this.#isWorthTrying(failures)) {
      const compared = this.#order.firstOf(candidates);
      failures += this.#openFrom(compared, failures);
      const isDone = new Set(compared);
      candidates = candidates.filter((host) => !isDone.has(host) && this.#mayOpenWhole(host));
    }
  }

  /** How many of these were tried in vain. */
  #openFrom(hosts: readonly Host[], failuresBefore: number): number {
    const queue = this.#order.queueOf(hosts);
    let failures = 0;
    while (this.#isWorthTrying(failuresBefore + failures)) {
      const next = queue.take();
      if (!next) break;
      if (!this.#mayOpenWhole(next)) continue;
      if (this.#openIfPlaced(next)) this.#order.open(next);
      else failures += 1;
    }
    return failures;
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
   * Opens the cheapest host of which at least an instance finds a place, and whose rest fits on a host that is being
   * maintained: it comes first when that one is enabled, so it can end.
   */
  #openAhead(): void {
    const returning = ownInPhase(this.facts, 'maintaining').filter(becomesTarget);
    if (returning.length === 0 || !this.#pool.hasLastingRoom()) return;
    const candidates = this.#waiting.filter((host) => {
      return this.#news.mayOpenAhead(host) && this.#mayOpen(host) && this.#isFilled(host);
    });
    if (candidates.length === 0) return;
    const queue = this.#order.queueOf(this.#order.firstOf(candidates));
    for (let failures = 0; failures < mostFailures; failures += 1) {
      const host = queue.take();
      if (!host) return;
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
