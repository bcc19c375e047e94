/**
 * Hosts put into the free capacity of a fleet in a given order, on expected times: each starts as soon as it fits, and
 * takes longer where its instances queue for the budgets of their groups behind those of hosts that started before.
 */
import { type Capacity, hasCapacityFor } from '../fleet/capacity';
import { lowerBound } from '../fleet/ordered';

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

export interface Forecast {
  /** Positions among the waiting. */
  readonly order: readonly number[];
  /** The second from now at which each host starts, by its position among the waiting. */
  readonly starts: readonly number[];
  /** About the seconds until the last host is back: the less, the better the order. */
  readonly cost: number;
}

/** Of two orders that end at the same time, the one whose hosts start earlier is a little better. */
const startWeight = 1e-3;

/** @param order positions among the waiting, each once */
export const forecast = (facts: ForecastFacts, order: readonly number[]): Forecast =>
  new ForecastRun(facts, order).run(Infinity) ?? { order, starts: [], cost: Infinity };

/** The same; undefined, and sooner, where it costs more than this. */
export const forecastWithin = (
  facts: ForecastFacts,
  order: readonly number[],
  mostCost: number,
): Forecast | undefined => new ForecastRun(facts, order).run(mostCost);

/** A share is squared this often, which makes it small quickly the farther below 1 it is. */
const squarings = 6;

/**
 * The last end, and an addition for each other end that is close to it (the 64-norm). Times are only expected, so any
 * of the close ends may turn out to be the last. Squares and roots alone: unlike powers, they are the same
 * to the last bit on every machine.
 */
const lateEnd = (ends: readonly number[]): number => {
  const last = ends.reduce((latest, end) => Math.max(latest, end), 0);
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

/** Hosts of one size that wait, as positions, the one whose turn is last first. */
interface SameSize {
  readonly size: Capacity;
  readonly positions: number[];
}

interface UnderWork {
  readonly stay: Stay;
  readonly endSeconds: number;
}

/** Owns the state of the fleet while the hosts of one order start. Runs often: it changes its state in place. */
class ForecastRun {
  readonly #turnOf: number[];
  readonly #starts: number[];
  readonly #sizes: SameSize[] = [];
  /** The one that is back last first. */
  readonly #running: UnderWork[];
  readonly #ends: number[];
  readonly #bookedSeconds: number[];
  readonly #free: { vcpus: number; memoryMb: number };
  #slots: number;
  #nowSeconds = 0;

  constructor(
    private readonly facts: ForecastFacts,
    private readonly order: readonly number[],
  ) {
    const { waiting, running, bookedSeconds, free, slots } = facts;
    [this.#bookedSeconds, this.#free, this.#slots] = [[...bookedSeconds], { ...free }, slots];
    this.#running = running.map((stay) => ({ stay, endSeconds: stay.seconds }));
    this.#running.sort((one, other) => other.endSeconds - one.endSeconds);
    this.#ends = running.map(({ seconds }) => seconds);
    [this.#starts, this.#turnOf] = [waiting.map(() => 0), waiting.map(() => 0)];
    for (let turn = order.length - 1; turn >= 0; turn -= 1) this.#enqueue(order[turn] ?? 0, turn);
  }

  run(mostCost: number): Forecast | undefined {
    const { order } = this;
    let [started, volume] = [0, 1];
    for (let left = order.length; left > 0; left -= 1) {
      const stay = this.#startNext();
      const end = this.#ends.at(-1) ?? 0;
      // The cost is no less than the last end.
      if (end > mostCost) return undefined;
      started += (end - stay.seconds) * stay.vcpus;
      volume += stay.vcpus;
    }
    return { order, starts: this.#starts, cost: lateEnd(this.#ends) + (started * startWeight) / volume };
  }

  #enqueue(position: number, turn: number): void {
    const size = this.#stayAt(position);
    this.#turnOf[position] = turn;
    const same = this.#sizes.find((one) => one.size.vcpus === size.vcpus && one.size.memoryMb === size.memoryMb);
    if (same) same.positions.push(position);
    else this.#sizes.push({ size, positions: [position] });
  }

  #stayAt(position: number): Stay {
    const stay = this.facts.waiting[position];
    if (!stay) throw new RangeError('an order names a host that does not wait');
    return stay;
  }

  /** Waits until a host fits. One that is larger than all the capacity there is starts alone. */
  #startNext(): Stay {
    let fitting = this.#firstThatFits();
    while (!fitting && this.#running.length > 0) {
      this.#awaitEnd();
      fitting = this.#firstThatFits();
    }
    const position = (fitting ?? this.#first(() => true))?.positions.pop() ?? -1;
    const stay = this.#stayAt(position);
    this.#starts[position] = this.#nowSeconds;
    this.#take(stay, 1);
    const endSeconds = this.#nowSeconds + this.#takeTurns(stay) + stay.seconds;
    this.#ends.push(endSeconds);
    this.#running.splice(
      lowerBound(this.#running, (other) => other.endSeconds > endSeconds),
      0,
      { stay, endSeconds },
    );
    return stay;
  }

  #firstThatFits(): SameSize | undefined {
    return this.#slots < 1 ? undefined : this.#first(({ size }) => hasCapacityFor(this.#free, size));
  }

  #first(suits: (same: SameSize) => boolean): SameSize | undefined {
    let first: SameSize | undefined;
    let leastTurn = Infinity;
    for (const same of this.#sizes) {
      const position = same.positions.at(-1);
      if (position === undefined) continue;
      const turn = this.#turnOf[position] ?? Infinity;
      if (turn < leastTurn && suits(same)) [first, leastTurn] = [same, turn];
    }
    return first;
  }

  /** Joins the queues of the host's groups. @returns how long the last of its instances waits, in seconds */
  #takeTurns({ turns }: Stay): number {
    let longest = 0;
    for (const { queue, seconds, bearableSeconds } of turns) {
      const ahead = Math.max(0, (this.#bookedSeconds[queue] ?? 0) - this.#nowSeconds);
      longest = Math.max(longest, ahead - bearableSeconds);
      this.#bookedSeconds[queue] = this.#nowSeconds + ahead + seconds;
    }
    return longest;
  }

  /** Until the next ones are back; several may be at the same time. */
  #awaitEnd(): void {
    this.#nowSeconds = this.#running.at(-1)?.endSeconds ?? this.#nowSeconds;
    while (this.#running.at(-1)?.endSeconds === this.#nowSeconds) {
      const back = this.#running.pop();
      if (back) this.#take(back.stay, -1);
    }
  }

  #take({ vcpus, memoryMb }: Capacity, times: 1 | -1): void {
    this.#free.vcpus -= times * vcpus;
    this.#free.memoryMb -= times * memoryMb;
    this.#slots -= times;
  }
}
