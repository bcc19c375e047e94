/**
 * Hosts put into the free capacity of a fleet in a given order, on expected times: each starts as soon as it fits, and
 * takes longer where its instances queue for the budgets of their groups behind those of hosts that started before.
 */
import type { Capacity } from '../fleet/capacity';
import { CapacityOverTime, type HostAway, lastToEndFirst } from './capacity-over-time';
import type { ForecastFacts, Stay } from './stay';

/** If two orders end at the same time, the one whose hosts start earlier is a little better. */
const startWeight = 1e-3;

/** The weight of all hosts is hardly ever less; it keeps hosts without any capacity from a division by 0. */
const leastVolume = 1e-9;

/** A share is squared this often, which makes it small quickly the farther below 1 it is. */
const squarings = 6;

/**
 * The last end, and an addition for each other end that is close to it (the 64-norm). Times are only expected, so any
 * of the close ends may turn out to be the last. Squares and roots alone: unlike powers, they are the same
 * to the last bit on every machine.
 */
const lateEnd = (ends: readonly number[]): number => {
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

export interface Forecast {
  /** Positions among the waiting. */
  readonly order: readonly number[];
  /** The second from now at which each host starts, by its position among the waiting. */
  readonly starts: readonly number[];
  /** The seconds, more or less, until the last host is back: the fewer, the better the order. */
  readonly cost: number;
}

/** The hosts of one size that have not started, as their turns in the order, the first of them last. */
interface SameSize {
  readonly size: Capacity;
  readonly turns: number[];
}

/**
 * Forecasts one order after the other from the same facts. A search compares hundreds of orders of up to thousands of
 * hosts, so everything that is the same in all of them is worked out once.
 */
export class Forecaster {
  readonly #waiting: readonly Stay[];
  readonly #running: readonly HostAway[];
  readonly #sizes: readonly Capacity[];
  /** Position of the host's size, by the position among the waiting. */
  readonly #sizeOf: readonly number[];

  constructor(private readonly facts: ForecastFacts) {
    this.#waiting = withTurnsThatMatter(facts);
    this.#running = lastToEndFirst(facts.running);
    const sizes = new Map(facts.waiting.map(({ size }) => [size.join(), size]));
    const names = [...sizes.keys()];
    this.#sizes = [...sizes.values()];
    this.#sizeOf = facts.waiting.map(({ size }) => names.indexOf(size.join()));
  }

  /**
   * @param order positions among the waiting, each once
   * @param mostCost Infinity is answered, and sooner, where the order costs more than this
   */
  forecast(order: readonly number[], mostCost = Infinity): Forecast {
    const ahead = new CapacityOverTime(this.facts, this.#running);
    const waiting = this.#turnsOf(order);
    const starts = [...order];
    let [started, volume] = [0, 0];
    for (let left = order.length; left > 0; left -= 1) {
      const position = order[takeTurn(ahead, waiting)] ?? -1;
      starts[position] = ahead.nowSeconds;
      const stay = this.#stayAt(position);
      const endSeconds = ahead.start(stay);
      // The cost is no less than the last end.
      if (endSeconds > mostCost) return { order, starts, cost: Infinity };
      started += (endSeconds - stay.seconds) * stay.weight;
      volume += stay.weight;
    }
    const cost = lateEnd(ahead.ends) + (started * startWeight) / Math.max(leastVolume, volume);
    return { order, starts, cost: cost > mostCost ? Infinity : cost };
  }

  #turnsOf(order: readonly number[]): readonly SameSize[] {
    const waiting = this.#sizes.map((size): SameSize => ({ size, turns: [] }));
    for (let turn = order.length - 1; turn >= 0; turn -= 1) {
      waiting[this.#sizeOf[order[turn] ?? -1] ?? -1]?.turns.push(turn);
    }
    return waiting;
  }

  #stayAt(position: number): Stay {
    const stay = this.#waiting[position];
    if (!stay) throw new RangeError('an order does not name each host that waits once');
    return stay;
  }
}

/** Waits until a host fits, and takes its turn. A host that is larger than all the capacity there is starts alone. */
const takeTurn = (ahead: CapacityOverTime, waiting: readonly SameSize[]): number => {
  let next = earliest(waiting, ahead);
  while (!next && ahead.awaitEnd()) next = earliest(waiting, ahead);
  next ??= earliest(waiting);
  return next?.turns.pop() ?? -1;
};

/** Picks the size whose turn is first, of those that there is capacity for, or of all where no capacity is given. */
const earliest = (waiting: readonly SameSize[], ahead?: CapacityOverTime): SameSize | undefined => {
  let first: SameSize | undefined;
  let firstTurn = Infinity;
  for (const same of waiting) {
    const turn = same.turns.at(-1) ?? Infinity;
    if (turn >= firstTurn || ahead?.hasCapacityFor(same.size) === false) continue;
    first = same;
    firstTurn = turn;
  }
  return first;
};

/** The hosts that wait, without turns in queues that are never booked further than their hosts can bear. */
const withTurnsThatMatter = ({ waiting, bookedSeconds }: ForecastFacts): readonly Stay[] => {
  const whole = [...bookedSeconds];
  const turns = waiting.flatMap((stay) => stay.turns);
  for (const { queue, seconds } of turns) whole[queue] = (whole[queue] ?? 0) + seconds;
  const late = turns.filter(({ queue, seconds, bearableSeconds }) => (whole[queue] ?? 0) - seconds > bearableSeconds);
  const makeWait = new Set(late.map(({ queue }) => queue));
  return waiting.map((stay) => ({ ...stay, turns: stay.turns.filter(({ queue }) => makeWait.has(queue)) }));
};
