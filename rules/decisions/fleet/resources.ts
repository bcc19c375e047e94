/** Gives the resources of a fleet an order, so that amounts become lists of numbers, which are quick to compare. */
import type { Amounts, Sized } from '../../cloud/amounts';
import type { Capacity } from './capacity';

/** The names in the order in which they were first seen. */
export class Resources {
  readonly #positionOf = new Map<string, number>();
  readonly #names: string[] = [];
  /** Facts never change, and the same amounts are asked about again and again. */
  readonly #capacityOf = new WeakMap<Amounts, Capacity>();

  capacityOf({ amounts }: Sized): Capacity {
    const known = this.#capacityOf.get(amounts);
    if (known) return known;
    const capacity: number[] = this.#names.map(() => 0);
    for (const [name, amount] of Object.entries(amounts)) capacity[this.#position(name)] = amount;
    this.#capacityOf.set(amounts, capacity);
    return capacity;
  }

  /** The amounts by name, without those that are 0. */
  amountsOf(capacity: Capacity): Amounts {
    const named = capacity.map((amount, at) => [this.#names[at] ?? '', amount] as const);
    return Object.fromEntries(named.filter(([, amount]) => amount !== 0));
  }

  #position(name: string): number {
    const known = this.#positionOf.get(name);
    if (known !== undefined) return known;
    this.#positionOf.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }
}
