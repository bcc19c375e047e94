/**
 * Which instances may go to which hosts, amounts apart: by class, since a cloud with thousands of both has few classes.
 * Drivers make the classes (rules/decisions/fleet/cloud-facts.ts).
 */
import type { Host, Instance, Misfit } from '../fleet/fleet';

export class Classes {
  /** The classes of hosts that a class of instances may not go to, with what these lack. */
  readonly #lacks = new Map<string, Map<string, string>>();

  constructor(readonly misfits: readonly Misfit[] = []) {
    for (const { needs, offers, lacks } of misfits) {
      const known = this.#lacks.get(needs);
      if (known) known.set(offers, lacks);
      else this.#lacks.set(needs, new Map([[offers, lacks]]));
    }
  }

  /** What each class of hosts lacks that the instance may not go to; undefined: it may go to all. */
  lacksFor({ needs = '' }: Pick<Instance, 'needs'>): ReadonlyMap<string, string> | undefined {
    return this.#lacks.get(needs);
  }

  mayGo(instance: Pick<Instance, 'needs'>, { offers = '' }: Pick<Host, 'offers'>): boolean {
    return this.lacksFor(instance)?.has(offers) !== true;
  }

  /** The names of these hosts that the instance may not go to, by what they lack. */
  unfitAmong(instance: Pick<Instance, 'needs'>, hosts: readonly Host[]): ReadonlyMap<string, readonly string[]> {
    const unfit = new Map<string, string[]>();
    for (const { name, offers = '' } of hosts) {
      const lacks = this.lacksFor(instance)?.get(offers);
      if (lacks !== undefined) unfit.set(lacks, [...(unfit.get(lacks) ?? []), name]);
    }
    return unfit;
  }

  /** What a host must have for the instance, in words: each of what hosts of other classes lack. */
  wantedBy(instance: Pick<Instance, 'needs'>): readonly string[] {
    return [...new Set(this.lacksFor(instance)?.values())].sort();
  }
}
