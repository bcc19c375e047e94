/**
 * Who may store which constraints. A stored record belongs to one project, and so does the ID of a group: the cloud
 * decides to which where it has such a group, otherwise the project that first stored the group or an instance that
 * names it.
 */
import type { Id, IdKey } from '../cloud/id';

/** Admins may write and take over any project's records. */
export type Writer = { readonly kind: 'admin' } | { readonly kind: 'project'; readonly projectId: Id };

/**
 * - ofAnotherProject: the stored record belongs to a project for which the writer may not act.
 * - foreignGroup: the instance names a group for which another project has stored the group or instances.
 * - foreignMembers: the number of stored instances of other projects that name the group.
 */
export type WriteAnswer =
  | { readonly kind: 'written' }
  | { readonly kind: 'ofAnotherProject' }
  | { readonly kind: 'foreignGroup' }
  | { readonly kind: 'foreignMembers'; readonly count: number };

export interface RecordToWrite {
  /** The instance whose constraints these are; left out: they are those of the group. */
  readonly instanceKey?: IdKey;
  readonly projectKey: IdKey;
  readonly groupKey: IdKey;
  readonly writer: Writer;
  /** The cloud has the group, and it belongs to this project: records of others under its ID do not count. */
  readonly isOwnGroup: boolean;
}

interface StoredInstance {
  readonly instanceKey: IdKey;
  readonly projectKey: IdKey;
  readonly groupKey: IdKey;
}

/** The stored records on which some writes depend: of their instances and of their groups. */
export interface StoredOwners {
  readonly instances: readonly StoredInstance[];
  readonly groups: readonly { readonly groupKey: IdKey; readonly projectKey: IdKey }[];
  /** How many stored instances of a project name one of the groups. */
  readonly members: readonly { readonly groupKey: IdKey; readonly projectKey: IdKey; readonly count: number }[];
}

/** Judges writes one after the other, as if each that is allowed was stored before the next is judged. */
export class WriteJudge {
  readonly #instances: Map<IdKey, StoredInstance>;
  readonly #ownerOfGroup: Map<IdKey, IdKey>;
  readonly #membersOf = new Map<IdKey, Map<IdKey, number>>();

  constructor({ instances, groups, members }: StoredOwners) {
    this.#instances = new Map(instances.map((one) => [one.instanceKey, one]));
    this.#ownerOfGroup = new Map(groups.map(({ groupKey, projectKey }) => [groupKey, projectKey]));
    for (const { count, ...one } of members) this.#addMembers(one, count);
  }

  /** True when another project has stored constraints of the group. */
  isGroupOfOther({ groupKey, projectKey }: Pick<RecordToWrite, 'groupKey' | 'projectKey'>): boolean {
    return (this.#ownerOfGroup.get(groupKey) ?? projectKey) !== projectKey;
  }

  judge(write: RecordToWrite): WriteAnswer {
    const { instanceKey } = write;
    return instanceKey === undefined ? this.#judgeGroup(write) : this.#judgeInstance({ ...write, instanceKey });
  }

  #judgeInstance(write: RecordToWrite & StoredInstance): WriteAnswer {
    const { instanceKey, projectKey, groupKey, isOwnGroup } = write;
    const stored = this.#instances.get(instanceKey);
    if (!maySpeakFor(write.writer, stored?.projectKey)) return { kind: 'ofAnotherProject' };
    const isForeign = this.isGroupOfOther(write);
    if (!isOwnGroup && (isForeign || this.#countForeignMembers(write) > 0)) return { kind: 'foreignGroup' };
    // Records of another project give way to those of the group's owner in the cloud.
    if (isForeign) this.#ownerOfGroup.delete(groupKey);
    if (stored) this.#addMembers(stored, -1);
    this.#instances.set(instanceKey, { instanceKey, projectKey, groupKey });
    this.#addMembers(write, 1);
    return { kind: 'written' };
  }

  #judgeGroup(write: RecordToWrite): WriteAnswer {
    const { groupKey, projectKey, isOwnGroup } = write;
    if (!isOwnGroup) {
      if (!maySpeakFor(write.writer, this.#ownerOfGroup.get(groupKey))) return { kind: 'ofAnotherProject' };
      const count = this.#countForeignMembers(write);
      if (count > 0) return { kind: 'foreignMembers', count };
    }
    this.#ownerOfGroup.set(groupKey, projectKey);
    return { kind: 'written' };
  }

  #addMembers({ groupKey, projectKey }: Pick<RecordToWrite, 'groupKey' | 'projectKey'>, count: number): void {
    const counts = this.#membersOf.get(groupKey) ?? new Map<IdKey, number>();
    counts.set(projectKey, (counts.get(projectKey) ?? 0) + count);
    this.#membersOf.set(groupKey, counts);
  }

  #countForeignMembers({ groupKey, projectKey }: RecordToWrite): number {
    const counts = [...(this.#membersOf.get(groupKey) ?? [])];
    return counts.reduce((sum, [owner, count]) => (owner === projectKey ? sum : sum + count), 0);
  }
}

/** @param owner undefined: nobody has stored the record */
export const maySpeakFor = (writer: Writer, owner: IdKey | undefined): boolean =>
  writer.kind === 'admin' || owner === undefined || writer.projectId.key === owner;
