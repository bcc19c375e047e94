/** The instances of a fleet, the largest first: sorted when they are asked for, and kept until they are other ones. */
import type { Instance } from '../fleet/fleet';
import { largestFirst } from '../limits/placement';

export class InstancesBySize {
  #ids: readonly string[] | undefined;

  constructor(private readonly instanceById: ReadonlyMap<string, Instance>) {}

  list(): readonly Instance[] {
    this.#ids ??= [...this.instanceById.values()].sort(largestFirst).map(({ id }) => id);
    return this.#ids.flatMap((id) => this.instanceById.get(id) ?? []);
  }

  /** To be called when there is one more, or one of another size. */
  forget(): void {
    this.#ids = undefined;
  }
}
