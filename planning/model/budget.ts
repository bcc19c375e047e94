/** The budgets of groups while one decision is made: as the model counts them, less what the decision admits. */
import type { Group, Limited } from '../fleet/fleet';
import { limitKeysOf } from '../fleet/limit-keys';
import { limitsOf } from '../limits/limits-of-instance';
import type { FleetModel } from './fleet-model';

export class Budget {
  readonly #admitted = new Map<string, number>();

  constructor(private readonly model: FleetModel) {}

  /** The number of further members of the group that may be impacted now. */
  membersLeft(groupKey: string): number {
    return this.model.groups.membersLeft(groupKey) - this.#admittedOf(groupKey);
  }

  /** The first of its limits that lets nothing more be impacted now; undefined: the instance may be. */
  spentLimit(limited: Limited): Group | undefined {
    return limitsOf(this.model, limited).find(({ key }) => this.membersLeft(key) <= 0);
  }

  /** Counts it as impacted from now on, under all of its limits. */
  impact(limited: Limited): void {
    for (const key of limitKeysOf(limited)) this.#admitted.set(key, this.#admittedOf(key) + 1);
  }

  #admittedOf(groupKey: string): number {
    return this.#admitted.get(groupKey) ?? 0;
  }
}
