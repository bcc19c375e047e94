/** A fleet as its file describes it: hosts, instances, and the constraints that its projects would store. */
import type { CloudGroup } from '../cloud/cloud-facts';
import type { StoredGroup } from '../constraints/work-out-limits';
import type { HostLabels } from '../selectors/labels';
import type { SimulatedSize } from './simulated-classes';

export interface FleetHost extends SimulatedSize {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** True when the host can hold instances. */
  readonly isCompute: boolean;
  /** Words that instances may need (`FleetInstance.needs`). Left out: none. */
  readonly labels?: readonly string[];
  /** Its labels in the cloud (`CloudHost.labels`). Left out: none. */
  readonly properties?: HostLabels;
  /** True when the fleet asks for maintenance of the host. */
  readonly maintain: boolean;
  /** The time that maintaining the host takes, in simulated seconds. */
  readonly maintenanceSeconds: number;
  readonly enabled: boolean;
}

/** Constraints of a group (specification: Instance group constraints). */
export interface FleetGroup extends StoredGroup {
  readonly resourceMitigation: boolean;
}

/** A group of the cloud's own that differs from the group of constraints. */
export interface FleetServerGroup extends CloudGroup {
  readonly groupName: string;
  /** True when its members have to share one host. */
  readonly affinity: boolean;
}

/** Constraints of an instance (specification: Instance constraints); times in seconds. */
export interface FleetInstanceConstraints {
  readonly groupId: string;
  readonly migrationType: string;
  readonly leadTime: number;
  readonly maxInterruptionTime: number;
  readonly resourceMitigation: boolean;
}

export interface FleetInstance extends SimulatedSize {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  /** The instance's group in the cloud, which may differ from the group of its constraints. */
  readonly groupId?: string;
  readonly host: string;
  readonly flavor: string;
  /** Labels that a host must have to take it. Left out: none. */
  readonly needs?: readonly string[];
  /** The time that a move of it takes, in simulated seconds. */
  readonly moveSeconds: number;
  /** The number of its first moves that fail. */
  readonly failMoves: number;
  /** True when its project carries out an OWN_ACTION that it chose. */
  readonly actsItself: boolean;
  /** Hosts on which the cloud refuses it, whatever their capacity. Left out: none. */
  readonly refusedBy?: readonly string[];
  /**
   * The time between a notification and the manager's reply, in simulated seconds; null: never. The cloud ignores it.
   */
  readonly readySeconds?: number | null;
  readonly constraints?: FleetInstanceConstraints;
}

/** The name of a project, for people. */
export interface FleetProject {
  readonly projectId: string;
  readonly name: string;
}

export interface FileFleet {
  readonly name: string;
  /** Left out: no project has a name. */
  readonly projects?: readonly FleetProject[];
  readonly hosts: readonly FleetHost[];
  readonly groups: readonly FleetGroup[];
  /** Left out: the cloud knows the groups of constraints. */
  readonly serverGroups?: readonly FleetServerGroup[];
  readonly instances: readonly FleetInstance[];
}

/** The cloud's own groups in the fleet. A group of constraints is also one of the cloud's, unless it says otherwise. */
export const serverGroupsOf = ({ groups, serverGroups = [], instances }: FileFleet): readonly FleetServerGroup[] => {
  const described = new Set(serverGroups.map(({ groupId }) => groupId));
  const membersOf = new Map<string, string[]>();
  for (const { groupId, instanceId } of instances) {
    if (groupId === undefined) continue;
    const members = membersOf.get(groupId);
    if (members) members.push(instanceId);
    else membersOf.set(groupId, [instanceId]);
  }
  const ofConstraints = groups.filter(({ groupId }) => !described.has(groupId));
  return [
    ...serverGroups,
    ...ofConstraints.map(({ groupId, projectId, groupName, antiAffinityGroup: antiAffinity, maxInstancesPerHost }) => ({
      groupId,
      projectId,
      groupName,
      antiAffinity,
      affinity: false,
      maxInstancesPerHost,
      instanceIds: membersOf.get(groupId) ?? [],
    })),
  ];
};
