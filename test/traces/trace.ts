/**
 * What happened to a fleet, told by the cloud's own log: enough to judge afterwards whether the constraints held at
 * every instant. Times are milliseconds of one clock, the database's. It shares no code with planning/.
 */
export interface Trace {
  readonly hosts: readonly TracedHost[];
  readonly groups: readonly TracedGroup[];
  readonly instances: readonly TracedInstance[];
  readonly moves: readonly TracedMove[];
  readonly maintenances: readonly TracedMaintenance[];
}

export interface TracedHost {
  readonly name: string;
  readonly vcpus: number;
  readonly memoryMb: number;
}

export interface TracedGroup {
  readonly key: string;
  readonly maxImpactedMembers: number;
  readonly recoveryTimeMs: number;
  /** Set for an anti-affinity group. */
  readonly maxInstancesPerHost?: number;
}

export interface TracedInstance {
  readonly id: string;
  readonly groupKey: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Where it was when the trace began, or where it appeared. */
  readonly host: string;
  /** Set where it appeared, or vanished, while the trace went on. */
  readonly appearedMs?: number;
  readonly vanishedMs?: number;
}

export interface TracedMove {
  readonly instanceId: string;
  readonly source: string;
  readonly target: string;
  readonly startedMs: number;
  /** Left out while it runs. */
  readonly endedMs?: number;
  /** The instance is on the target afterwards. */
  readonly arrived: boolean;
}

/** From the host's IN_MAINTENANCE to its MAINTENANCE_COMPLETE. */
export interface TracedMaintenance {
  readonly host: string;
  readonly fromMs: number;
  readonly untilMs: number;
}
