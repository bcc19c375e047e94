/** The future events of a simulation, earliest first. Events of the same time keep their order (a binary heap). */

interface Entry<Event> {
  readonly atMs: number;
  readonly turn: number;
  readonly event: Event;
}

export class EventQueue<Event> {
  readonly #heap: Entry<Event>[] = [];
  #turns = 0;

  add(atMs: number, event: Event): void {
    this.#heap.push({ atMs, turn: this.#turns, event });
    this.#turns += 1;
    this.#rise(this.#heap.length - 1);
  }

  /** The time of the next event; undefined when none is left. */
  nextAtMs(): number | undefined {
    return this.#heap[0]?.atMs;
  }

  take(): Event | undefined {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (first && last && first !== last) {
      this.#heap[0] = last;
      this.#sink();
    }
    return first?.event;
  }

  #rise(from: number): void {
    let position = from;
    while (position > 0) {
      const parent = (position - 1) >> 1;
      if (!this.#swapUnlessOrdered(parent, position)) return;
      position = parent;
    }
  }

  #sink(): void {
    let position = 0;
    for (;;) {
      const [left, right] = [2 * position + 1, 2 * position + 2];
      const child = this.#isBefore(right, left) ? right : left;
      if (child >= this.#heap.length || !this.#swapUnlessOrdered(position, child)) return;
      position = child;
    }
  }

  #swapUnlessOrdered(parent: number, child: number): boolean {
    const [upper, lower] = [this.#heap[parent], this.#heap[child]];
    if (!upper || !lower || !this.#isBefore(child, parent)) return false;
    this.#heap[parent] = lower;
    this.#heap[child] = upper;
    return true;
  }

  #isBefore(one: number, other: number): boolean {
    const [first, second] = [this.#heap[one], this.#heap[other]];
    if (!first || !second) return first !== undefined;
    return first.atMs < second.atMs || (first.atMs === second.atMs && first.turn < second.turn);
  }
}
