/** What is expected to happen, in the order of time; of the same time, in no particular order. */
import { lowerBound } from '../live/lower-bound';

interface Timed {
  readonly atSeconds: number;
}

export class Timeline<Event extends Timed> {
  /** The latest first. */
  readonly #events: Event[] = [];

  add(event: Event): void {
    const place = lowerBound(this.#events, ({ atSeconds }) => atSeconds > event.atSeconds);
    this.#events.splice(place, 0, event);
  }

  /** Everything of the next time at which anything happens; nothing where nothing is left. */
  takeNext(): readonly Event[] {
    const first = this.#events.pop();
    if (!first) return [];
    const taken = [first];
    while (this.#events.at(-1)?.atSeconds === first.atSeconds) {
      const event = this.#events.pop();
      if (event) taken.push(event);
    }
    return taken;
  }

  clear(): void {
    this.#events.length = 0;
  }
}
