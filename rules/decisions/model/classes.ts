/**
 * Which instances may go to which hosts, amounts apart: by class, since a cloud with thousands of both has few classes.
 * Drivers make the classes (rules/cloud/cloud-facts.ts).
 */
import type { Misfit } from '../../cloud/misfits';
import type { Host, Instance } from '../fleet/fleet';

/** The names of the hosts by what each lacks, in words; those that lack nothing are left out. */
export const namesByLack = (
  hosts: readonly Host[],
  lackOf: (host: Host) => string | undefined,
): ReadonlyMap<string, readonly string[]> => {
  const byLack = Map.groupBy(hosts, lackOf);
  return new Map(
    [...byLack].flatMap(([lacks, those]) => (lacks === undefined ? [] : [[lacks, those.map(({ name }) => name)]])),
  );
};

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

  /** What the host lacks that the instance needs, in words; undefined: nothing. */
  lackOn(instance: Pick<Instance, 'needs'>, { offers = '' }: Pick<Host, 'offers'>): string | undefined {
    return this.lacksFor(instance)?.get(offers);
  }

  mayGo(instance: Pick<Instance, 'needs'>, host: Pick<Host, 'offers'>): boolean {
    return this.lackOn(instance, host) === undefined;
  }

  /** The names of these hosts that the instance may not go to, by what they lack. */
  unfitAmong(instance: Pick<Instance, 'needs'>, hosts: readonly Host[]): ReadonlyMap<string, readonly string[]> {
    return namesByLack(hosts, (host) => this.lackOn(instance, host));
  }

  /** What a host must have for the instance, in words: each of what hosts of other classes lack. */
  wantedBy(instance: Pick<Instance, 'needs'>): readonly string[] {
    return [...new Set(this.lacksFor(instance)?.values())].sort();
  }
}
