/** A fleet as its file describes it: hosts, instances, and the constraints that its projects would store. */

export interface FleetHost {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** Holds instances. */
  readonly isCompute: boolean;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Whether the fleet asks for maintenance of it. */
  readonly maintain: boolean;
  /** How long maintaining it takes, in simulated seconds. */
  readonly maintenanceSeconds: number;
  readonly enabled: boolean;
}

/** Constraints of a group (specification: Instance group constraints); `recoveryTime` in seconds. */
export interface FleetGroup {
  readonly groupId: string;
  readonly projectId: string;
  readonly groupName: string;
  readonly antiAffinityGroup: boolean;
  readonly maxInstancesPerHost: number;
  readonly maxImpactedMembers: number;
  readonly recoveryTime: number;
  readonly resourceMitigation: boolean;
}

/** A group of the cloud's own, where it is another one than constraints say. */
export interface FleetServerGroup {
  readonly groupId: string;
  readonly projectId: string;
  readonly groupName: string;
  readonly antiAffinity: boolean;
  /** Its members have to share one host. */
  readonly affinity: boolean;
  readonly maxInstancesPerHost: number;
  readonly instanceIds: readonly string[];
}

/** Constraints of an instance (specification: Instance constraints); times in seconds. */
export interface FleetInstanceConstraints {
  readonly groupId: string;
  readonly migrationType: string;
  readonly leadTime: number;
  readonly maxInterruptionTime: number;
  readonly resourceMitigation: boolean;
}

export interface FleetInstance {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  /** Its group in the cloud; that of its constraints may be another. */
  readonly groupId?: string;
  readonly host: string;
  readonly flavor: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** How long a move of it takes, in simulated seconds. */
  readonly moveSeconds: number;
  /** How many of its first moves fail. */
  readonly failMoves: number;
  /** Whether its project carries out an OWN_ACTION that it chose. */
  readonly actsItself: boolean;
  /** Hosts that the cloud refuses it, whatever room they have; left out: none. */
  readonly refusedBy?: readonly string[];
  /** How long after a notification its manager replies, in simulated seconds; null: never. The cloud ignores it. */
  readonly readySeconds?: number | null;
  readonly constraints?: FleetInstanceConstraints;
}

export interface Fleet {
  readonly name: string;
  readonly hosts: readonly FleetHost[];
  readonly groups: readonly FleetGroup[];
  /** Left out: the cloud knows the groups of constraints. */
  readonly serverGroups?: readonly FleetServerGroup[];
  readonly instances: readonly FleetInstance[];
}

/** The cloud's own groups that the fleet describes; one of constraints is also the cloud's unless it says otherwise. */
export const serverGroupsOf = ({ groups, serverGroups = [], instances }: Fleet): readonly FleetServerGroup[] => {
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
      ...{ groupId, projectId, groupName, antiAffinity, affinity: false, maxInstancesPerHost },
      instanceIds: membersOf.get(groupId) ?? [],
    })),
  ];
};
