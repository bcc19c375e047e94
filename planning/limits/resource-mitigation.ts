/** Whether an instance needs a double allocation: by its own constraints, else by those of its group. */
import { keyOf } from '../fleet/id';

export interface MitigationFacts {
  readonly instances: readonly { readonly instanceId: string; readonly resourceMitigation: boolean }[];
  readonly storedGroups: readonly { readonly groupId: string; readonly resourceMitigation: boolean }[];
  /** Instances without constraints of their own belong to the group that is stored under the server group's ID. */
  readonly serverGroups: readonly { readonly groupId: string; readonly instanceIds: readonly string[] }[];
}

/** @returns by the instance's ID, as far as anything is stored for it */
export function mitigationsOf({
  instances,
  storedGroups,
  serverGroups,
}: MitigationFacts): ReadonlyMap<string, boolean> {
  const ofGroup = new Map(storedGroups.map((group) => [keyOf(group.groupId), group.resourceMitigation]));
  const byGroup = serverGroups.flatMap(({ groupId, instanceIds }) => {
    const mitigation = ofGroup.get(keyOf(groupId));
    return mitigation === undefined ? [] : instanceIds.map((id) => [id, mitigation] as const);
  });
  const own = instances.map(({ instanceId, resourceMitigation }) => [instanceId, resourceMitigation] as const);
  return new Map([...byGroup, ...own]);
}
