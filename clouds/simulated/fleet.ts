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
  /** How long after a notification its manager replies, in simulated seconds; null: never. The cloud ignores it. */
  readonly readySeconds?: number | null;
  readonly constraints?: FleetInstanceConstraints;
}

export interface Fleet {
  readonly name: string;
  readonly hosts: readonly FleetHost[];
  readonly groups: readonly FleetGroup[];
  readonly instances: readonly FleetInstance[];
}
