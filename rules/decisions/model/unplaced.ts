/**
 * Members that the cloud found no place for after they were made again: they prove that room was misjudged. While there
 * is one, no further host is begun that has a member of its group, or an instance of the same class. Members that come
 * back with their host prove nothing: they were expected to have no place until then.
 */
import { comesBackWithHost } from '../../cloud/departure';
import type { Group, Instance } from '../fleet/fleet';

/** By what an instance needs of its host, amounts apart. */
const classOf = ({ needs = '' }: Instance): string => needs;

export class Unplaced {
  readonly #byGroup = new Map<string, Group>();
  readonly #byClass = new Map<string, Group>();

  constructor(groups: readonly Group[], instances: Iterable<Instance>) {
    const without = new Map(groups.flatMap((group) => (group.unplaced === undefined ? [] : [[group.key, group]])));
    if (without.size === 0) return;
    for (const instance of instances) {
      const group = without.get(instance.groupKey);
      if (group === undefined || comesBackWithHost(instance)) continue;
      this.#byGroup.set(group.key, group);
      this.#byClass.set(classOf(instance), group);
    }
  }

  get isAny(): boolean {
    return this.#byGroup.size > 0;
  }

  /** The group whose members lack a place, for which such an instance is not moved off a further host. */
  groupFor(instance: Instance): Group | undefined {
    return this.#byGroup.get(instance.groupKey) ?? this.#byClass.get(classOf(instance));
  }
}
