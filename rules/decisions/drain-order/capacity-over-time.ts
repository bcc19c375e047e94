/** The capacity and the queues of a fleet as time goes on, in one forecast. */
import { type Capacity, hasCapacityFor } from '../fleet/capacity';
import { lowerBound } from '../fleet/ordered';
import type { ForecastFacts, Stay } from './stay';

export interface HostAway {
  readonly size: Capacity;
  readonly endSeconds: number;
}

export const lastToEndFirst = (running: readonly Stay[]): readonly HostAway[] =>
  running
    .map(({ size, seconds }) => ({ size, endSeconds: seconds }))
    .sort((one, other) => other.endSeconds - one.endSeconds);

export class CapacityOverTime {
  /** Ends of the hosts under work, then of those that start. */
  readonly ends: number[] = [];
  /** The last to end first. */
  readonly #running: HostAway[];
  readonly #bookedSeconds: number[];
  readonly #free: number[];
  #slots: number;
  #nowSeconds = 0;

  /** @param running the hosts under work, as `lastToEndFirst` has sorted them: once for all forecasts */
  constructor({ free, slots, bookedSeconds }: ForecastFacts, running: readonly HostAway[]) {
    this.#free = [...free];
    this.#slots = slots;
    this.#bookedSeconds = [...bookedSeconds];
    this.#running = [...running];
    for (const { endSeconds } of running) this.ends.push(endSeconds);
  }

  get nowSeconds(): number {
    return this.#nowSeconds;
  }

  hasCapacityFor(size: Capacity): boolean {
    return this.#slots >= 1 && hasCapacityFor(this.#free, size);
  }

  /** Starts it now, whether it fits or not. @returns the second from now at which it is back */
  start(stay: Stay): number {
    const endSeconds = this.#nowSeconds + this.#takeTurns(stay) + stay.seconds;
    this.#take(stay.size, 1);
    this.#run(stay.size, endSeconds);
    return endSeconds;
  }

  /** Goes on until the next hosts are back. @returns false where none is away */
  awaitEnd(): boolean {
    const next = this.#running.at(-1);
    if (!next) return false;
    this.#nowSeconds = next.endSeconds;
    for (let back: HostAway | undefined = next; back?.endSeconds === this.#nowSeconds; back = this.#running.at(-1)) {
      this.#running.pop();
      this.#take(back.size, -1);
    }
    return true;
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

  #run(size: Capacity, endSeconds: number): void {
    const at = lowerBound(this.#running, (other) => other.endSeconds > endSeconds);
    this.#running.splice(at, 0, { size, endSeconds });
    this.ends.push(endSeconds);
  }

  #take(size: Capacity, times: 1 | -1): void {
    for (let at = 0; at < size.length; at += 1) this.#free[at] = (this.#free[at] ?? 0) - times * (size[at] ?? 0);
    this.#slots -= times;
  }
}
