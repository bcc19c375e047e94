/**
 * Which hosts the session starts to drain, many at once. Everything that has to leave the hosts under work gets a
 * reserved place first, hosts with the fewest instances left before others. A further host is drained where all of its
 * instances find a place beside those, so that an order in which all can end exists, or come back with their host
 * (leave-beside.ts). The capacity that is left serves to start with one host more than can be drained yet: a host in
 * maintenance will take its rest. Hosts that go last (both-workflows/goes-last.ts) follow one at a time.
 */
import { comesBackWithHost } from '../../cloud/departure';
import { isHeld } from '../both-workflows/cannot-begin';
import { whyNotBeside } from '../both-workflows/fault-domains';
import { goesLast } from '../both-workflows/goes-last';
import { ownHosts, ownUnderWork, slotsLeft, type VnfFacts } from '../both-workflows/session-facts';
import type { Decision } from '../decision';
import { namesOf } from '../decision';
import { orderOf, type OrderOfHosts } from '../drain-order/order-of-hosts';
import { needsNoPlace } from '../fleet/double-allocation';
import type { Host, Instance, Reservation } from '../fleet/fleet';
import { becomesTarget, byRequest, controllerOut, rankOf, targetRanks } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import { isEmpty, stayingOn } from '../model/host-content';
import { findTargets, place, type Targets } from '../model/placement';
import { mayBeAwayBeside, mayLeaveBeside } from './leave-beside';
import { mayLeaveSoon } from './leave-soon';
import { mayPlaceAllOf, placeMost, placesOf, placeSome } from './places';

/** The number of hosts that one decision may try in vain while others are under work. */
const mostFailures = 10;

/** One in this many of the hosts that wait may be drained although instances go to hosts that are drained later. */
const hostsForEachOntoLater = 10;

/**
 * Attempts to place a host's instances in another order, where there are other hosts to work on. Each that fails costs
 * as much as one that succeeds.
 */
const quickAttempts = 4;

export type StartOfDrains = Required<Pick<Decision, 'drain' | 'reserve'>> & Pick<Decision, 'drainOrder'>;

export const startDraining = (facts: VnfFacts): StartOfDrains => {
  const { model, sessionId, limits, drainOrder } = facts;
  const { capacity, searchedInVain } = model;
  const inVain = searchedInVain.get(sessionId);
  if (inVain && inVain.limits === limits && inVain.drainOrder === drainOrder) return { drain: [], reserve: [] };
  const mark = capacity.mark();
  const plan = new DrainPlan(facts);
  const start = plan.make();
  capacity.rollBack(mark);
  const isNothing = start.drain.length + start.reserve.length === 0 && start.drainOrder === undefined;
  const isInVain = isNothing && !plan.waitsForMembers;
  if (isInVain) searchedInVain.set(sessionId, { limits, drainOrder });
  return start;
};

/** The hosts that may be put under work now, places apart: no instance is to go there, no controller is out. */
export const hostsFreeToStart = (facts: VnfFacts): readonly Host[] => {
  const { model } = facts;
  if (slotsLeft(facts) <= 0) return [];
  const reservedOnto = new Set(model.reservedTarget.values());
  const underWork = ownUnderWork(facts);
  return ownHosts(facts, 'waiting').filter(
    (host) =>
      !model.incomingByHost.has(host.name) &&
      !reservedOnto.has(host.name) &&
      controllerOut(model, host) === undefined &&
      whyNotBeside(host, underWork, facts.limits.domains) === undefined &&
      !isHeld(model, host),
  );
};

/** Owns the hosts and places that one decision chooses, held in the model's capacity while it is made. */
class DrainPlan {
  /** True when a host is not started as others of a group are away or recover: that ends while no host changes. */
  waitsForMembers = false;
  readonly #started = new Set<Host>();
  readonly #reserve: Reservation[] = [];
  /** Hosts on which this decision reserves places. */
  readonly #reservedOnto = new Set<string>();
  readonly #underWork: readonly Host[];
  readonly #isIdle: boolean;
  readonly #slots: number;
  /** The session's hosts that wait. */
  readonly #waiting: readonly Host[];
  readonly #freeToStart: ReadonlySet<Host>;
  /** Those of them that go last. */
  readonly #lastOnes: ReadonlySet<Host>;
  /** Selects the hosts that are not empty. */
  readonly #filled: readonly Host[];
  #order: OrderOfHosts | undefined;

  constructor(private readonly facts: VnfFacts) {
    this.#underWork = ownUnderWork(facts);
    this.#isIdle = this.#underWork.length === 0;
    this.#slots = slotsLeft(facts);
    this.#waiting = ownHosts(facts, 'waiting');
    this.#freeToStart = new Set(hostsFreeToStart(facts));
    this.#lastOnes = new Set([...this.#freeToStart].filter((host) => goesLast(facts.model, host)));
    this.#filled = this.#waiting.filter((host) => !isEmpty(facts.model, host));
  }

  make(): StartOfDrains {
    const isAllPlaced = this.#placeHostsUnderWork();
    this.#startEmpty();
    if (isAllPlaced) {
      this.#startWhole();
      this.#startAhead();
      if (this.#mayStartLast()) this.#startLast();
    }
    return {
      drain: namesOf([...this.#started]),
      reserve: this.#reserve,
      ...(this.#order?.isNew === true && { drainOrder: namesOf(this.#order.hosts) }),
    };
  }

  /** True when everything on hosts under work has a place now. */
  #placeHostsUnderWork(): boolean {
    const { model } = this.facts;
    return ownHosts(this.facts, 'emptying')
      .filter(({ name }) => model.instancesOn(name).some(({ id }) => this.#lacksPlace(id)))
      .map(({ name }) => ({ name, staying: stayingOn(model, name) }))
      .sort((one, other) => one.staying.length - other.staying.length || compareText(one.name, other.name))
      .map(({ staying }) => this.#placeRest(staying.filter(({ id }) => this.#lacksPlace(id))))
      .every(Boolean);
  }

  #lacksPlace(instanceId: string): boolean {
    const { model } = this.facts;
    return model.isStaying(instanceId) && !model.reservedTarget.has(instanceId);
  }

  #placeRest(instances: readonly Instance[]): boolean {
    const { model } = this.facts;
    const targetOf = findTargets({ model, instances });
    const places = targetOf ? placesOf(instances, targetOf) : placeMost(model, instances);
    this.#keep(places);
    return places.length === instances.length;
  }

  /** True when it was free to start, and still is beside all that this decision starts and reserves. */
  #mayStart(host: Host): boolean {
    if (!this.#freeToStart.has(host) || this.#started.size >= this.#slots) return false;
    if (this.#started.has(host) || this.#reservedOnto.has(host.name)) return false;
    if (whyNotBeside(host, [...this.#underWork, ...this.#started], this.facts.limits.domains)) return false;
    return host.type !== 'controller' || ![...this.#started].some(({ type }) => type === 'controller');
  }

  /** Judges without a search for places. */
  #mayStartWhole(host: Host): boolean {
    return this.#mayStart(host) && !this.#lastOnes.has(host) && mayPlaceAllOf(this.facts.model, host);
  }

  /** One at a time, when no other host is drained or could be begun, or nothing else goes on. */
  #mayStartLast(): boolean {
    if (this.#lastOnes.size === 0 || this.#started.size > 0) return false;
    if (this.#isNothingUnderWork()) return true;
    return this.#lastOnes.size === this.#freeToStart.size && ownHosts(this.facts, 'emptying').length === 0;
  }

  #startLast(): void {
    const last = this.#inOrder((host) => this.#lastOnes.has(host)).filter((host) => this.#lastOnes.has(host));
    last.find((host) => this.#mayStart(host) && mayPlaceAllOf(this.facts.model, host) && this.#startIfPlaced(host));
  }

  /** The hosts that wait, in the order in which to try them. A forecast is made only where one of them suits. */
  #inOrder(suits: (host: Host) => boolean): readonly Host[] {
    if (!this.#filled.some(suits)) return [];
    this.#order ??= orderOf(this.facts, this.#filled);
    return this.#order.hosts.toSorted(byRequest);
  }

  #startEmpty(): void {
    if (this.#filled.length === this.#waiting.length) return;
    for (const host of this.#waiting.toSorted(byRequest)) {
      if (isEmpty(this.facts.model, host) && this.#mayStart(host)) this.#start(host, []);
    }
  }

  /** Starts with hosts, in their order, whose instances all find a place. */
  #startWhole(): void {
    let failures = 0;
    for (const host of this.#inOrder((each) => this.#mayStartWhole(each))) {
      if (failures >= mostFailures && !this.#isNothingUnderWork()) return;
      if (this.#mayStartWhole(host) && !this.#startIfPlaced(host)) failures += 1;
    }
  }

  #startIfPlaced(host: Host): boolean {
    const { model } = this.facts;
    const instances = stayingOn(model, host.name);
    if (!this.#mayBeAwayFrom(instances)) return false;
    const attempts = this.#isNothingUnderWork() ? {} : { furtherAttempts: quickAttempts };
    const mark = model.capacity.mark();
    const targetOf = findTargets({ model, instances, ...attempts });
    if (!targetOf) return this.#startIfRestComesBack(host, instances);
    if (this.#isTooEarly(instances, targetOf)) {
      model.capacity.rollBack(mark);
      return false;
    }
    this.#start(host, placesOf(instances, targetOf));
    return true;
  }

  /** The session's hosts that are drained with what this decision starts. */
  #drained(): readonly Host[] {
    return [...ownHosts(this.facts, 'emptying'), ...this.#started];
  }

  /** See `RollingChoices.sparesSecondMoves`. Budgets come back while no host changes. */
  #isTooEarly(instances: readonly Instance[], targetOf: Targets): boolean {
    if (!this.facts.limits.sparesSecondMoves || this.#isNothingUnderWork()) return false;
    const { model } = this.facts;
    const isOntoLater = [...targetOf.values()].some((target) => rankOf(target) === targetRanks.toBeDrained);
    if (isOntoLater && this.#drained().length >= this.#waiting.length / hostsForEachOntoLater) return true;
    const started = [...this.#started].flatMap(({ name }) => model.instancesOn(name));
    const isAnyToLeave = mayLeaveSoon(model, { instances, before: started });
    this.waitsForMembers ||= !isAnyToLeave;
    return !isAnyToLeave;
  }

  /** Those that come back with their host alone, beside those of other hosts. */
  #mayBeAwayFrom(instances: readonly Instance[]): boolean {
    const leaving = instances.filter((instance) => comesBackWithHost(instance) && needsNoPlace(instance));
    if (leaving.length === 0 || this.#isNothingUnderWork()) return true;
    const isAllowed = mayBeAwayBeside(this.facts.model, { leaving, instances, reserved: this.#reserve });
    this.waitsForMembers ||= !isAllowed;
    return isAllowed;
  }

  /** Beside other hosts: where nothing is under work, such a host is the last way to go on (without-places.ts). */
  #startIfRestComesBack(host: Host, instances: readonly Instance[]): boolean {
    const { model } = this.facts;
    if (this.#isNothingUnderWork() || !instances.some(comesBackWithHost)) return false;
    const mark = model.capacity.mark();
    const placement = place({ model, instances, furtherAttempts: quickAttempts });
    if (placement.kind === 'lacking') return false;
    const leaving = instances.filter((instance) => !placement.targetOf.has(instance.id) && !needsNoPlace(instance));
    if (mayLeaveBeside(model, { leaving, instances, reserved: this.#reserve })) {
      this.#start(host, placesOf(instances, placement.targetOf));
      return true;
    }
    this.waitsForMembers = true;
    model.capacity.rollBack(mark);
    return false;
  }

  /**
   * Starts with the first host of which at least one instance finds a place, and whose rest fits on a host that is
   * being maintained. When that one is enabled, the rest is placed there first, so the drain can end.
   */
  #startAhead(): void {
    const { model } = this.facts;
    const returning = ownHosts(this.facts, 'maintaining').filter(becomesTarget);
    if (returning.length === 0) return;
    let failures = 0;
    for (const host of this.#inOrder((each) => this.#mayStart(each))) {
      if (failures >= mostFailures) return;
      if (!this.#mayStart(host) || this.#lastOnes.has(host)) continue;
      const instances = stayingOn(model, host.name);
      const places = this.#mayBeAwayFrom(instances) ? placeSome(model, instances, returning) : [];
      if (places.length > 0) {
        this.#start(host, places);
        return;
      }
      failures += 1;
    }
  }

  /** Where nothing is under work, any host that can be drained counts, however long the search for it takes. */
  #isNothingUnderWork(): boolean {
    return this.#isIdle && this.#started.size === 0;
  }

  #start(host: Host, places: readonly Reservation[]): void {
    this.#started.add(host);
    this.facts.model.capacity.removeTarget(host.name);
    this.#keep(places);
  }

  #keep(places: readonly Reservation[]): void {
    this.#reserve.push(...places);
    for (const { target } of places) this.#reservedOnto.add(target);
  }
}
