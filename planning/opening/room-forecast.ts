/**
 * Hosts put into the room of a fleet in a given order, on expected times: each starts as soon as it fits, and takes
 * longer where its instances queue for the budgets of their groups behind those of hosts that started before.
 */
import { type Room, hasRoomFor } from '../fleet/room';
import { lateEnd } from './late-end';
import { lowerBound } from '../live/lower-bound';

/** A host with the room that it takes away, and the seconds until it is back where nobody queues. */
export interface Stay extends Room {
  readonly seconds: number;
  readonly turns: readonly Turn[];
}

/** What a host takes of a group's queue. */
export interface Turn {
  /** The group's position in `bookedSeconds`. */
  readonly queue: number;
  /** By so much the queue grows. */
  readonly seconds: number;
  /** So far the queue may be booked before without making the host wait. */
  readonly bearableSeconds: number;
}

/** What is ahead of a session. */
export interface ForecastFacts {
  readonly waiting: readonly Stay[];
  /** Hosts under work. */
  readonly running: readonly Stay[];
  /** Free now. */
  readonly room: Room;
  /** Hosts that may be under work beside those that are. */
  readonly slots: number;
  /** How far the queue of each group is booked by those that wait in it now. */
  readonly bookedSeconds: readonly number[];
}

/** Of two orders that end at the same time, the one whose hosts are empty earlier is a little better. */
const startWeight = 1e-3;

/** Hosts of one size, by their position among the waiting, in the order of a run. */
interface SameSize {
  readonly size: Stay;
  readonly positions: number[];
  next: number;
}

interface End {
  readonly atSeconds: number;
  readonly stay: Stay;
}

/** Is run over and over on the same facts, and keeps what it works with. */
export class RoomForecast {
  readonly #starts: number[];
  readonly #rankOf: number[];
  readonly #sizes: readonly SameSize[];
  readonly #sizeOf: readonly SameSize[];
  readonly #running: readonly End[];
  /** When what is under work gives its room back, the latest first. */
  #ends: End[] = [];
  /** When each host is back. */
  readonly #allEnds: number[] = [];
  readonly #bookedSeconds: number[];
  #free = { vcpus: 0, memoryMb: 0 };
  #slots = 0;
  readonly #volume: number;
  #nowSeconds = 0;

  constructor(private readonly ahead: ForecastFacts) {
    const { waiting, running, bookedSeconds } = ahead;
    this.#bookedSeconds = [...bookedSeconds];
    const sizes = new Map<string, SameSize>();
    this.#sizeOf = waiting.map((size) => {
      const key = `${String(size.vcpus)}/${String(size.memoryMb)}`;
      const same = sizes.get(key) ?? { size, positions: [], next: 0 };
      sizes.set(key, same);
      return same;
    });
    this.#sizes = [...sizes.values()];
    this.#volume = waiting.reduce((sum, { vcpus }) => sum + vcpus, 1);
    this.#starts = waiting.map(() => 0);
    this.#rankOf = waiting.map(() => 0);
    this.#running = running
      .map((stay) => ({ atSeconds: stay.seconds, stay }))
      .sort((one, other) => other.atSeconds - one.atSeconds);
  }

  /** When each host started in the last run: seconds from now, by its position among the waiting. */
  starts(): readonly number[] {
    return [...this.#starts];
  }

  /** What the order costs: about the seconds until the last host is back. */
  run(order: readonly number[]): number {
    this.#reset(order);
    let started = 0;
    for (let left = order.length; left > 0; left -= 1) {
      const { stay, atSeconds } = this.#startNext();
      this.#allEnds.push(atSeconds);
      started += (atSeconds - stay.seconds) * stay.vcpus;
    }
    return lateEnd(this.#allEnds) + (started * startWeight) / this.#volume;
  }

  #reset(order: readonly number[]): void {
    for (const same of this.#sizes) [same.positions.length, same.next] = [0, 0];
    for (let rank = 0; rank < order.length; rank += 1) {
      const position = order[rank] ?? 0;
      this.#rankOf[position] = rank;
      this.#sizeOf[position]?.positions.push(position);
    }
    const { room, slots, bookedSeconds } = this.ahead;
    for (let queue = 0; queue < bookedSeconds.length; queue += 1) {
      this.#bookedSeconds[queue] = bookedSeconds[queue] ?? 0;
    }
    this.#ends = [...this.#running];
    this.#allEnds.length = 0;
    for (const { atSeconds } of this.#running) this.#allEnds.push(atSeconds);
    this.#free = { vcpus: room.vcpus, memoryMb: room.memoryMb };
    [this.#slots, this.#nowSeconds] = [slots, 0];
  }

  /** Waits until a host fits. One that is larger than all the room there is starts alone. */
  #startNext(): End {
    let fitting = this.#firstThatFits();
    while (!fitting && this.#ends.length > 0) {
      this.#awaitEnd();
      fitting = this.#firstThatFits();
    }
    return this.#startFirstOf(fitting ?? this.#first(() => true));
  }

  #firstThatFits(): SameSize | undefined {
    if (this.#slots < 1) return undefined;
    return this.#first(({ size }) => hasRoomFor(this.#free, size));
  }

  #first(suits: (same: SameSize) => boolean): SameSize | undefined {
    let first: SameSize | undefined;
    let leastRank = Infinity;
    for (const same of this.#sizes) {
      const position = same.positions[same.next];
      if (position === undefined) continue;
      const rank = this.#rankOf[position] ?? 0;
      if (rank < leastRank && suits(same)) [first, leastRank] = [same, rank];
    }
    return first;
  }

  #startFirstOf(same: SameSize | undefined): End {
    const position = same?.positions[same.next] ?? 0;
    const stay = this.ahead.waiting[position];
    if (!same || !stay) throw new RangeError('an order names a host that does not wait');
    same.next += 1;
    this.#starts[position] = this.#nowSeconds;
    this.#take(stay, 1);
    const end = { atSeconds: this.#nowSeconds + this.#takeTurns(stay) + stay.seconds, stay };
    this.#addEnd(end);
    return end;
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
    const next = this.#ends.at(-1);
    if (!next) return;
    this.#nowSeconds = next.atSeconds;
    while (this.#ends.at(-1)?.atSeconds === next.atSeconds) {
      const end = this.#ends.pop();
      if (end) this.#take(end.stay, -1);
    }
  }

  #addEnd(end: End): void {
    const place = lowerBound(this.#ends, ({ atSeconds }) => atSeconds > end.atSeconds);
    this.#ends.splice(place, 0, end);
  }

  #take({ vcpus, memoryMb }: Stay, times: 1 | -1): void {
    this.#free.vcpus -= times * vcpus;
    this.#free.memoryMb -= times * memoryMb;
    this.#slots -= times;
  }
}
