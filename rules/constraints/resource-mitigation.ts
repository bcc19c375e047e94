/** Decides whether an instance needs a double allocation: by its own constraints, or else by those of its group. */
import { keyOf } from '../cloud/id';

export interface MitigationFacts {
  readonly instances: readonly { readonly instanceId: string; readonly resourceMitigation: boolean }[];
  readonly storedGroups: readonly (OfProject & { readonly resourceMitigation: boolean })[];
  /**
   * An instance without its own constraints belongs to the group that is stored under the server group's ID, unless
   * another project has stored that.
   */
  readonly serverGroups: readonly (OfProject & { readonly instanceIds: readonly string[] })[];
}

interface OfProject {
  readonly groupId: string;
  readonly projectId: string;
}

/** @returns by the instance's ID, as far as anything is stored for it */
export const mitigationsOf = ({
  instances,
  storedGroups,
  serverGroups,
}: MitigationFacts): ReadonlyMap<string, boolean> => {
  const ofGroup = new Map(storedGroups.map((group) => [keyOf(group.groupId), group]));
  const byGroup = serverGroups.flatMap(({ groupId, projectId, instanceIds }) => {
    const stored = ofGroup.get(keyOf(groupId));
    if (stored === undefined || keyOf(stored.projectId) !== keyOf(projectId)) return [];
    return instanceIds.map((id) => [id, stored.resourceMitigation] as const);
  });
  const own = instances.map(({ instanceId, resourceMitigation }) => [instanceId, resourceMitigation] as const);
  return new Map([...byGroup, ...own]);
};
