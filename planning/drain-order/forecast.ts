/**
 * Hosts put into the free capacity of a fleet in a given order, on expected times: each starts as soon as it fits, and
 * takes longer where its instances queue for the budgets of their groups behind those of hosts that started before.
 */
import { type Capacity, hasCapacityFor } from '../fleet/capacity';

/** A host with the capacity that it takes out of the fleet, and the seconds until it is back where nobody queues. */
export interface Stay extends Capacity {
  readonly seconds: number;
  readonly turns: readonly Turn[];
}

/** A host's part in the queue of a group. */
export interface Turn {
  /** The position of its queue in `bookedSeconds`. */
  readonly queue: number;
  /** The time by which the queue becomes longer. */
  readonly seconds: number;
  /** A queue that is booked no further than this does not make the host wait. */
  readonly bearableSeconds: number;
}

export interface ForecastFacts {
  readonly waiting: readonly Stay[];
  /** Hosts under work. */
  readonly running: readonly Stay[];
  readonly free: Capacity;
  /** Hosts that may be under work beside those that are. */
  readonly slots: number;
  /** How far the queue of each group is booked by those that wait in it now. */
  readonly bookedSeconds: readonly number[];
}

/** If two orders end at the same time, the one whose hosts start earlier is a little better. */
const startWeight = 1e-3;

/** A share is squared this often, which makes it small quickly the farther below 1 it is. */
const squarings = 6;

/**
 * The last end, and an addition for each other end that is close to it (the 64-norm). Times are only expected, so any
 * of the close ends may turn out to be the last. Squares and roots alone: unlike powers, they are the same
 * to the last bit on every machine.
 */
const lateEnd = (ends: Float64Array): number => {
  let last = 0;
  for (const end of ends) last = Math.max(last, end);
  if (last === 0) return 0;
  let sum = 0;
  for (const end of ends) {
    let share = end / last;
    for (let turn = 0; turn < squarings; turn += 1) share *= share;
    sum += share;
  }
  for (let turn = 0; turn < squarings; turn += 1) sum = Math.sqrt(sum);
  return last * sum;
};

/** Hosts of one size that wait, as positions, with their turns in the order; the one whose turn is first first. */
interface SameSize {
  readonly size: Capacity;
  readonly positions: number[];
  readonly turns: number[];
  /** The number of those that are in the order as far as it was read, and of those that have started. */
  queued: number;
  started: number;
}

/**
 * Forecasts one order after the other from the same facts. A search compares hundreds of orders of up to thousands of
 * hosts, so it changes its state in place, and begins every order with `#begin`.
 */
export class Forecaster {
  readonly #sizes: readonly SameSize[];
  /** By the position among the waiting. */
  readonly #sizeOf: readonly SameSize[];
  /** Hosts that wait, then hosts under work. */
  readonly #stays: readonly Stay[];
  /** Hosts that went under work, as positions among these, in the order in which they are back; and when each is. */
  readonly #running: Int32Array;
  readonly #runningEnds: Float64Array;
  #runningCount = 0;
  /** The number of these hosts that are back. */
  #backCount = 0;
  readonly #starts: Float64Array;
  /** The ends of the hosts under work, then of those that start, in their order. */
  readonly #ends: Float64Array;
  readonly #turns: Turns;
  readonly #bookedSeconds: Float64Array;
  readonly #free = { vcpus: 0, memoryMb: 0 };
  #slots = 0;
  #nowSeconds = 0;

  constructor(private readonly facts: ForecastFacts) {
    const { waiting, bookedSeconds } = facts;
    const running = facts.running.toSorted((one, other) => one.seconds - other.seconds);
    this.#sizeOf = sizesOf(waiting);
    this.#sizes = [...new Set(this.#sizeOf)];
    this.#stays = [...waiting, ...running];
    this.#running = new Int32Array(this.#stays.length);
    this.#runningEnds = new Float64Array(this.#stays.length);
    this.#starts = new Float64Array(waiting.length);
    this.#ends = new Float64Array(this.#stays.length);
    this.#turns = turnsOf(facts);
    this.#bookedSeconds = new Float64Array(bookedSeconds.length);
  }

  /**
   * About the seconds until the last host is back: the less, the better the order.
   *
   * @param order positions among the waiting, each once
   * @param mostCost Infinity is answered, and sooner, where the order costs more than this
   */
  costOf(order: readonly number[], mostCost = Infinity): number {
    this.#begin(order);
    let [ended, started, volume] = [this.facts.running.length, 0, 1];
    while (ended < this.#ends.length) {
      const position = this.#startNext();
      const stay = this.#stayAt(position);
      const end = this.#nowSeconds + this.#takeTurns(position) + stay.seconds;
      // The cost is no less than the last end.
      if (end > mostCost) return Infinity;
      this.#run(position, end);
      this.#ends[ended] = end;
      ended += 1;
      started += (end - stay.seconds) * stay.vcpus;
      volume += stay.vcpus;
    }
    const cost = lateEnd(this.#ends) + (started * startWeight) / volume;
    return cost > mostCost ? Infinity : cost;
  }

  /** The second from now at which each host starts, by its position among the waiting. */
  startsOf(order: readonly number[]): readonly number[] {
    this.costOf(order);
    return [...this.#starts];
  }

  #begin(order: readonly number[]): void {
    const { waiting, bookedSeconds, free, slots } = this.facts;
    [this.#nowSeconds, this.#slots] = [0, slots];
    Object.assign(this.#free, free);
    this.#bookedSeconds.set(bookedSeconds);
    [this.#runningCount, this.#backCount] = [0, 0];
    for (let at = waiting.length; at < this.#stays.length; at += 1) this.#run(at, this.#stayAt(at).seconds);
    this.#ends.set(this.#runningEnds.subarray(0, this.#runningCount));
    for (const same of this.#sizes) [same.queued, same.started] = [0, 0];
    for (let turn = 0; turn < order.length; turn += 1) this.#enqueue(order[turn] ?? -1, turn);
  }

  #enqueue(position: number, turn: number): void {
    const same = this.#sizeOf[position];
    if (!same) throw new RangeError('an order names a host that does not wait');
    same.positions[same.queued] = position;
    same.turns[same.queued] = turn;
    same.queued += 1;
  }

  /** Waits until a host fits. One that is larger than all the capacity there is starts alone. */
  #startNext(): number {
    let next = this.#first(true);
    while (!next && this.#backCount < this.#runningCount) {
      this.#awaitEnd();
      next = this.#first(true);
    }
    next ??= this.#first(false);
    const position = next?.positions[next.started] ?? -1;
    if (next) next.started += 1;
    this.#starts[position] = this.#nowSeconds;
    this.#take(this.#stayAt(position), 1);
    return position;
  }

  #stayAt(position: number): Stay {
    const stay = this.#stays[position];
    if (!stay) throw new RangeError('an order lacks a host that waits');
    return stay;
  }

  /** Chooses, among the sizes that fit, the one whose turn is first. */
  #first(mustFit: boolean): SameSize | undefined {
    if (mustFit && this.#slots < 1) return undefined;
    let first: SameSize | undefined;
    let leastTurn = Infinity;
    for (const same of this.#sizes) {
      const turn = same.turns[same.started] ?? Infinity;
      if (turn >= leastTurn || (mustFit && !hasCapacityFor(this.#free, same.size))) continue;
      first = same;
      leastTurn = turn;
    }
    return first;
  }

  /** Joins the queues of the host's groups. @returns how long the last of its instances waits, in seconds */
  #takeTurns(position: number): number {
    const { begins, queues, seconds, bearableSeconds } = this.#turns;
    let longest = 0;
    for (let turn = begins[position] ?? 0; turn < (begins[position + 1] ?? 0); turn += 1) {
      const queue = queues[turn] ?? 0;
      const ahead = Math.max(0, (this.#bookedSeconds[queue] ?? 0) - this.#nowSeconds);
      longest = Math.max(longest, ahead - (bearableSeconds[turn] ?? 0));
      this.#bookedSeconds[queue] = this.#nowSeconds + ahead + (seconds[turn] ?? 0);
    }
    return longest;
  }

  #run(position: number, endSeconds: number): void {
    let at = this.#runningCount;
    for (; at > this.#backCount && (this.#runningEnds[at - 1] ?? 0) > endSeconds; at -= 1) {
      this.#running[at] = this.#running[at - 1] ?? 0;
      this.#runningEnds[at] = this.#runningEnds[at - 1] ?? 0;
    }
    this.#running[at] = position;
    this.#runningEnds[at] = endSeconds;
    this.#runningCount += 1;
  }

  /** Until the next ones are back; several may be at the same time. */
  #awaitEnd(): void {
    this.#nowSeconds = this.#runningEnds[this.#backCount] ?? this.#nowSeconds;
    for (; this.#backCount < this.#runningCount; this.#backCount += 1) {
      if (this.#runningEnds[this.#backCount] !== this.#nowSeconds) return;
      this.#take(this.#stayAt(this.#running[this.#backCount] ?? -1), -1);
    }
  }

  #take({ vcpus, memoryMb }: Capacity, times: 1 | -1): void {
    this.#free.vcpus -= times * vcpus;
    this.#free.memoryMb -= times * memoryMb;
    this.#slots -= times;
  }
}

/** By the position of each host, all hosts of one size together. */
const sizesOf = (stays: readonly Stay[]): readonly SameSize[] => {
  const sizes = new Map<string, SameSize>();
  return stays.map(({ vcpus, memoryMb }) => {
    const key = `${vcpus} ${memoryMb}`;
    const same = sizes.get(key) ?? { size: { vcpus, memoryMb }, positions: [], turns: [], queued: 0, started: 0 };
    sizes.set(key, same);
    return same;
  });
};

/** The turns of all hosts, one after the other: each host's from its begin to the begin of the next. */
interface Turns {
  readonly begins: Int32Array;
  readonly queues: Int32Array;
  readonly seconds: Float64Array;
  readonly bearableSeconds: Float64Array;
}

const turnsOf = ({ waiting, bookedSeconds }: ForecastFacts): Turns => {
  const makesWait = queuesThatMakeWait(waiting, bookedSeconds);
  const ofHosts = waiting.map(({ turns }) => turns.filter(({ queue }) => makesWait.has(queue)));
  const all = ofHosts.flat();
  let count = 0;
  return {
    begins: Int32Array.from([0, ...ofHosts.map((turns) => (count += turns.length))]),
    queues: Int32Array.from(all, ({ queue }) => queue),
    seconds: Float64Array.from(all, ({ seconds }) => seconds),
    bearableSeconds: Float64Array.from(all, ({ bearableSeconds }) => bearableSeconds),
  };
};

/** All others are never booked further than their hosts can bear, whatever the order. */
const queuesThatMakeWait = (waiting: readonly Stay[], bookedSeconds: readonly number[]): ReadonlySet<number> => {
  const whole = [...bookedSeconds];
  const turns = waiting.flatMap((stay) => stay.turns);
  for (const { queue, seconds } of turns) whole[queue] = (whole[queue] ?? 0) + seconds;
  const late = turns.filter(({ queue, seconds, bearableSeconds }) => (whole[queue] ?? 0) - seconds > bearableSeconds);
  return new Set(late.map(({ queue }) => queue));
};
