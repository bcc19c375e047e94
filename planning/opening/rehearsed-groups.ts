/** The budgets of groups while a script is played, and who queues for them: instances and groups by their position. */
import type { Script } from './script';

/** So many instances in a queue are looked at in about the time of any other step. */
const looksPerStep = 64;

export class RehearsedGroups {
  /** Members of each group that have a place and are not admitted yet. */
  readonly #queueOf: number[][];
  readonly #impactedOf: number[];
  /** By instance: asked, moving or recovering. */
  readonly #isImpacted: boolean[];
  /** Groups whose queue or budget has grown. */
  readonly #changed = new Set<number>();
  #steps = 0;

  constructor(private readonly script: Script) {
    this.#queueOf = script.groups.map(() => []);
    this.#impactedOf = script.groups.map(() => 0);
    this.#isImpacted = script.instances.map(() => false);
  }

  reset(): void {
    for (const queue of this.#queueOf) queue.length = 0;
    this.#impactedOf.fill(0);
    this.#isImpacted.fill(false);
    this.#changed.clear();
    this.#steps = 0;
  }

  /** What looking through long queues took since the reset; of short ones it is nothing beside the rest. */
  get steps(): number {
    return this.#steps;
  }

  impact(instance: number): void {
    this.#isImpacted[instance] = true;
    this.#addImpacted(this.#groupOf(instance), 1);
  }

  recover(instance: number): void {
    const group = this.#groupOf(instance);
    this.#isImpacted[instance] = false;
    this.#addImpacted(group, -1);
    this.#changed.add(group);
  }

  join(instance: number): void {
    const group = this.#groupOf(instance);
    this.#queueOf[group]?.push(instance);
    this.#changed.add(group);
  }

  /** Takes back the last that joined the queue of this one's group. */
  leaveLast(instance: number): void {
    this.#queueOf[this.#groupOf(instance)]?.pop();
  }

  /**
   * Of every group as many as its budget has left now: those first of which the fewest others are on the same host.
   * They are impacted from now on.
   */
  admit(countBeside: (instance: number) => number): readonly number[] {
    if (this.#changed.size === 0) return [];
    const admitted: number[] = [];
    for (const group of this.#changed) {
      const most = this.script.groups[group]?.maxImpactedMembers ?? 1;
      while ((this.#impactedOf[group] ?? 0) < most) {
        const next = this.#takeNext(group, countBeside);
        if (next === undefined) break;
        this.impact(next);
        admitted.push(next);
      }
    }
    this.#changed.clear();
    return admitted;
  }

  #takeNext(group: number, countBeside: (instance: number) => number): number | undefined {
    const queue = this.#queueOf[group] ?? [];
    this.#steps += Math.floor(queue.length / looksPerStep);
    let [next, fewest] = [-1, Infinity];
    for (let place = 0; place < queue.length; place += 1) {
      const instance = queue[place] ?? 0;
      const count = countBeside(instance);
      if (!this.#isImpacted[instance] && count < fewest) [next, fewest] = [place, count];
    }
    return next < 0 ? undefined : queue.splice(next, 1)[0];
  }

  #groupOf(instance: number): number {
    return this.script.instances[instance]?.group ?? 0;
  }

  #addImpacted(group: number, count: number): void {
    this.#impactedOf[group] = (this.#impactedOf[group] ?? 0) + count;
  }
}
