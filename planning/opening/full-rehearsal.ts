/**
 * The rest of a session played on expected times, as decisions would take it: hosts go under work in a given order as
 * soon as all of their instances find a place, instances leave as the budgets of their groups allow, and what comes
 * back takes what is left. Coarser than decisions, and quick enough to be played for many orders.
 */
import { mostFailures } from './opening-queue';
import { worstLastingRank, worstRank } from '../limits/placement';
import type { Tried } from './order-search';
import { playCost } from './play-cost';
import { RehearsalStage } from './rehearsal-stage';
import { RehearsedGroups } from './rehearsed-groups';
import { hasRoomFor } from '../fleet/room';
import type { PlayedHost, PlayedInstance, Script } from './script';
import { Timeline } from './timeline';
import { Whereabouts } from './whereabouts';

interface Event {
  readonly atSeconds: number;
  readonly kind: 'arrival' | 'recovery' | 'return';
  /** The position of an instance or, that returns, of a host. */
  readonly who: number;
}

/** Is played over and over on one script, and keeps what it works with. */
export class FullRehearsal {
  readonly #stage: RehearsalStage;
  readonly #groups: RehearsedGroups;
  readonly #ahead = new Timeline<Event>();
  #nowSeconds = 0;
  /** Hosts of the order that wait. */
  #waiting: readonly number[] = [];
  /** Hosts of the order that went under work, in the order in which they did. */
  readonly #opened: number[] = [];
  readonly #where: Whereabouts;
  /** Instances that are impacted or have a place at first. */
  readonly #onTheMove: readonly number[];
  /** Hosts in maintenance that take instances when they are back. */
  readonly #returning = new Set<PlayedHost>();
  #mayOpen = true;
  #mayOpenAhead = false;
  /** Whether anything on hosts under work may be without a place. */
  #mayLackPlaces = true;
  #underWork = 0;
  #steps = 0;
  /** Moves to hosts that have still to be emptied. */
  #movesToWaiting = 0;
  /** When each host came back. */
  readonly #returns: number[] = [];

  constructor(private readonly script: Script) {
    this.#stage = new RehearsalStage(script);
    this.#groups = new RehearsedGroups(script);
    this.#where = new Whereabouts(script);
    this.#onTheMove = script.instances.flatMap((instance, id) => (isOnTheMove(instance) ? id : []));
  }

  /**
   * What the order costs (play-cost.ts). And the order in which hosts were opened, then those that never were: it is
   * the better one to change, since a host that had to be passed over stood anywhere in the other.
   *
   * @param order positions of hosts that wait
   */
  play(order: readonly number[]): Tried {
    this.#reset(order);
    this.#decide();
    for (let events = this.#ahead.takeNext(); events.length > 0; events = this.#ahead.takeNext()) {
      for (const event of events) this.#happen(event);
      this.#steps += events.length;
      this.#decide();
    }
    const stuck = order.filter((host) => !this.#stage.isBack(host));
    const stuckSeconds = stuck.reduce((sum, host) => sum + this.#stage.hostAt(host).maintenanceSeconds, 0);
    const waitingHosts = Math.max(1, order.length);
    const movesAgain = this.#movesToWaiting / Math.max(1, this.script.instances.length);
    const cost = playCost({ returnsSeconds: this.#returns, stuckSeconds, waitingHosts, movesAgain });
    return { order: [...this.#opened, ...this.#waiting], cost };
  }

  /**
   * What happened in the last play, and the places and queues searched in it: the time it took is about proportional to
   * that.
   */
  get steps(): number {
    return this.#steps + this.#groups.steps;
  }

  #reset(order: readonly number[]): void {
    this.#stage.reset();
    this.#groups.reset();
    this.#where.reset();
    this.#ahead.clear();
    this.#returning.clear();
    this.#waiting = order;
    this.#opened.length = 0;
    [this.#mayOpen, this.#mayOpenAhead, this.#mayLackPlaces] = [true, false, true];
    [this.#nowSeconds, this.#steps, this.#underWork, this.#returns.length] = [0, 0, 0, 0];
    this.#movesToWaiting = 0;
    for (const id of this.#onTheMove) this.#enter(id, this.#instanceAt(id));
    this.script.hosts.forEach(({ part }, host) => {
      if (part !== 'emptying' && part !== 'maintaining') return;
      this.#underWork += 1;
      if (part === 'maintaining' || this.#where.isEmpty(host)) this.#begin(host);
    });
  }

  #enter(id: number, { target, arrivesIn, recoversIn }: PlayedInstance): void {
    if (target !== undefined) this.#where.send(id, target);
    if (arrivesIn !== undefined || recoversIn !== undefined) this.#groups.impact(id);
    if (arrivesIn !== undefined) this.#expect('arrival', id, arrivesIn);
    else if (target !== undefined) this.#groups.join(id);
    if (recoversIn !== undefined) this.#expect('recovery', id, recoversIn);
  }

  #happen({ atSeconds, kind, who }: Event): void {
    this.#nowSeconds = atSeconds;
    if (kind === 'arrival') this.#arrive(who, this.#instanceAt(who));
    else if (kind === 'return') this.#return(who);
    else this.#groups.recover(who);
  }

  #arrive(id: number, instance: PlayedInstance): void {
    const target = this.#where.targetOf(id);
    if (target !== undefined) this.#move(id, target);
    const recoverySeconds = this.script.groups[instance.group]?.recoverySeconds ?? 0;
    if (recoverySeconds > 0) this.#expect('recovery', id, recoverySeconds);
    else this.#groups.recover(id);
  }

  #move(id: number, target: number): void {
    const source = this.#where.hostOf(id);
    this.#stage.hold(source, this.#instanceAt(id), -1);
    this.#where.arrive(id);
    if (this.#stage.partOf(target) === 'waiting') {
      this.#movesToWaiting += 1;
      if (!this.#where.isAwaiting(target)) this.#mayOpen = true;
    }
    if (this.#where.isEmpty(source) && this.#stage.partOf(source) === 'emptying') this.#begin(source);
  }

  #begin(host: number): void {
    this.#stage.setPart(host, 'maintaining');
    this.#mayOpenAhead = true;
    const played = this.#stage.hostAt(host);
    if (played.becomesTarget) this.#returning.add(played);
    this.#expect('return', host, played.maintenanceSeconds);
  }

  #return(host: number): void {
    this.#stage.setPart(host, 'maintained');
    this.#returning.delete(this.#stage.hostAt(host));
    this.#underWork -= 1;
    this.#returns.push(this.#nowSeconds);
    this.#mayOpen = true;
  }

  #decide(): void {
    if (this.#mayOpen || this.#mayOpenAhead) this.#placeMore();
    [this.#mayOpen, this.#mayOpenAhead] = [false, false];
    for (const id of this.#groups.admit((one) => this.#where.countOn(this.#where.hostOf(one)))) {
      this.#expect('arrival', id, this.#instanceAt(id).actionSeconds);
    }
  }

  #placeMore(): void {
    if (this.#waiting.length === 0 && !this.#mayLackPlaces) return;
    this.#stage.lookForRoom();
    if (this.#mayOpen && this.#mayLackPlaces) this.#mayLackPlaces = !this.#placeRest();
    if (this.#mayOpen && !this.#mayLackPlaces) this.#openWhole();
    if (!this.#mayLackPlaces) this.#openAhead();
  }

  /** Whether everything on hosts under work has a place now. */
  #placeRest(): boolean {
    let isAllPlaced = true;
    for (let host = 0; host < this.script.hosts.length; host += 1) {
      if (this.#stage.partOf(host) !== 'emptying') continue;
      for (const id of this.#where.placelessOn(host)) if (!this.#placeIfFits(id, worstRank)) isAllPlaced = false;
    }
    return isAllPlaced;
  }

  #openWhole(): void {
    let room = this.#stage.room();
    let failures = 0;
    for (const host of this.#waiting) {
      if (failures >= mostFailures && this.#underWork > 0) return;
      // All room less the host's own has to be as much as the host holds: it has to have room for the host as a whole.
      if (!this.#mayGo(host) || !hasRoomFor(room, this.#stage.hostAt(host))) continue;
      if (this.#open(host, (ids) => this.#placeAll(ids))) room = this.#stage.room();
      else failures += 1;
    }
  }

  /** The first host of which an instance finds a lasting place, and whose rest fits on one that is in maintenance. */
  #openAhead(): void {
    if (this.#returning.size === 0 || !this.#stage.hasLastingRoom()) return;
    let failures = 0;
    for (const host of this.#waiting) {
      if (failures >= mostFailures) return;
      if (!this.#mayGo(host)) continue;
      if (this.#open(host, (ids) => this.#placeSome(ids))) {
        this.#mayLackPlaces = true;
        return;
      }
      failures += 1;
    }
  }

  #mayGo(host: number): boolean {
    const isFree = this.#stage.partOf(host) === 'waiting' && !this.#where.isAwaiting(host);
    return isFree && this.#underWork < this.script.mostUnderWork;
  }

  /** Puts the host under work, unless too little of it finds a place. */
  #open(host: number, placeEnough: (ids: readonly number[]) => boolean): boolean {
    this.#stage.setPart(host, 'emptying');
    const ids = this.#where.placelessOn(host);
    const isOpened = placeEnough(ids);
    if (!isOpened) {
      for (const id of ids) this.#takeBack(id);
      this.#stage.setPart(host, 'waiting');
      return false;
    }
    this.#underWork += 1;
    this.#opened.push(host);
    this.#waiting = this.#waiting.filter((other) => other !== host);
    if (this.#where.isEmpty(host)) this.#begin(host);
    return true;
  }

  #placeAll(ids: readonly number[]): boolean {
    return ids.every((id) => this.#placeIfFits(id, worstRank));
  }

  #placeSome(ids: readonly number[]): boolean {
    const rest = { vcpus: 0, memoryMb: 0 };
    for (const id of ids) {
      if (this.#placeIfFits(id, worstLastingRank)) continue;
      rest.vcpus += this.#instanceAt(id).vcpus;
      rest.memoryMb += this.#instanceAt(id).memoryMb;
    }
    const isAnyPlaced = ids.some((id) => this.#where.targetOf(id) !== undefined);
    return isAnyPlaced && [...this.#returning].some((host) => hasRoomFor(host, rest));
  }

  #placeIfFits(id: number, mostRank: number): boolean {
    const instance = this.#instanceAt(id);
    this.#steps += 1;
    const target = this.#stage.targetFor(instance, mostRank);
    if (target === undefined) return false;
    this.#where.send(id, target);
    this.#stage.hold(target, instance, 1);
    this.#groups.join(id);
    return true;
  }

  #takeBack(id: number): void {
    const target = this.#where.targetOf(id);
    if (target === undefined) return;
    this.#where.recall(id);
    this.#stage.hold(target, this.#instanceAt(id), -1);
    this.#groups.leaveLast(id);
  }

  #expect(kind: Event['kind'], who: number, seconds: number): void {
    this.#ahead.add({ atSeconds: this.#nowSeconds + seconds, kind, who });
  }

  #instanceAt(id: number): PlayedInstance {
    const instance = this.script.instances[id];
    if (!instance) throw new RangeError(`the script has no instance ${String(id)}`);
    return instance;
  }
}

function isOnTheMove({ target, arrivesIn, recoversIn }: PlayedInstance): boolean {
  return target !== undefined || arrivesIn !== undefined || recoversIn !== undefined;
}
