/**
 * What the service needs of a cloud. One driver a cloud, one contract suite over all of them
 * (test/integration/clouds/contract.ts). A cloud's own vocabulary stops here.
 *
 * Moves are *start (with the claim's ID), observe, force, abort*: starting one again attaches to what already runs,
 * so that a caller may be killed at any point and come back.
 */

export interface CloudHost {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** Holds instances: true for computes and for a controller that is a compute too. */
  readonly isCompute: boolean;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** May take new instances, as an operator wants it. */
  readonly enabled: boolean;
  /** Its service in the cloud answers; while it does not, nothing can move to the host or away from it. */
  readonly isUp: boolean;
  /** Why the host is disabled, in the words of who disabled it. */
  readonly disabledReason?: string;
  /** How long maintaining it takes, where the cloud knows (the simulated one); real seconds. */
  readonly maintenanceSeconds?: number;
}

export interface CloudInstance {
  /** IDs are as the cloud writes them, one ID always in the same form. */
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly host: string;
  /** Instances of a project with the same flavor form a group where no constraints are stored. */
  readonly flavor: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** The cloud's own word, for example ACTIVE. */
  readonly state: string;
  /** Why the cloud moves it nowhere, in words that follow "since"; left out: it may. */
  readonly cannotMove?: string;
}

/** `CloudInstance.cannotMove` of a member that the cloud keeps on one host with others. */
export const togetherReason = (groupName: string, groupId: string): string =>
  `server group ${groupName} (${groupId}) keeps it on one host with its other members (affinity)`;

/**
 * A group as the cloud knows it (server group). What it keeps apart holds whatever projects store; besides, it is a
 * default where no constraints are stored.
 */
export interface CloudGroup {
  readonly groupId: string;
  readonly groupName?: string;
  readonly projectId: string;
  readonly antiAffinity: boolean;
  /** With anti-affinity: members that may share a host. */
  readonly maxInstancesPerHost: number;
  readonly instanceIds: readonly string[];
}

export type MoveAction = 'LIVE_MIGRATE' | 'MIGRATE' | 'OWN_ACTION' | 'EVICTION';

export interface MoveRequest {
  /** Identity of the move: the same claim never moves twice, save once forced. */
  readonly claimId: string;
  readonly instanceId: string;
  readonly action: MoveAction;
  readonly source: string;
  /** Empty: of an OWN_ACTION whose project deletes the instance first, and brings a new one wherever there is room. */
  readonly target: string;
}

/**
 * What became of a move.
 * - running: under way (also: accepted, not begun yet).
 * - done: the instance is on `host`, which need not be the target that was asked for.
 * - failed: over, the instance is where it was; `reason` in the cloud's own words.
 * - refused: over, the instance is where it was; the cloud will not have it on that target, and may on another one.
 *   `passesInSeconds`: where that may pass by itself, how soon it is worth asking again.
 * - gone: the instance does not exist any more.
 * - unknown: this claim has never started a move.
 */
export type MoveStatus =
  | { readonly kind: 'running' }
  | { readonly kind: 'done'; readonly host: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'refused'; readonly reason: string; readonly passesInSeconds?: number }
  | { readonly kind: 'gone' }
  | { readonly kind: 'unknown' };

/** How old at most what `listInstancesLately` tells was when it was asked. */
export const latelyMs = 5_000;

export interface CloudDriver {
  readonly name: string;
  /** Whether EVICTION is an action here. */
  readonly evicts: boolean;
  /** Whether the caller chooses the target; else the cloud does, and the booked target is only a hint. */
  choosesTarget(): Promise<boolean>;

  /** How often a move may be looked at: after a share of the time that it has taken, within limits. */
  readonly pollPace: { readonly leastMs: number; readonly mostMs: number; readonly shareOfElapsed: number };

  listHosts(): Promise<CloudHost[]>;
  /** Hosts as they were within the last seconds, which may cost the cloud nothing: enough to go on, not to give up. */
  listHostsLately(): Promise<CloudHost[]>;
  /** Instances of all projects, those on one host where it is named. */
  listInstances(host?: string): Promise<CloudInstance[]>;
  /**
   * Instances on a host as they were within the last `latelyMs`, which may cost the cloud nothing: enough to know whom
   * to ask and what has room, not to touch the host.
   */
  listInstancesLately(host: string): Promise<CloudInstance[]>;
  findInstance(instanceId: string): Promise<CloudInstance | undefined>;
  /** Instances that are on their way or wait for the end of a move, whoever asked for it. */
  listMoving(): Promise<CloudInstance[]>;
  listGroups(): Promise<CloudGroup[]>;

  /** Takes the host out of scheduling; done already is done. @throws CloudRefusal */
  disableHost(host: string, reason: string): Promise<void>;
  /** @throws CloudRefusal */
  enableHost(host: string): Promise<void>;

  /**
   * Starts a move; where the claim has one already, returns that one's status. OWN_ACTION starts nothing in a real
   * cloud: it notes that the project is at work, and `observeMove` tells when the instance is gone or elsewhere.
   * @throws CloudRefusal where the cloud says no at once
   */
  startMove(move: MoveRequest): Promise<MoveStatus>;
  /** The newest of the claim's moves, the forced one where there is one. */
  observeMove(move: MoveRequest): Promise<MoveStatus>;
  /**
   * Gives up what runs for the claim (its live migration or own action) and moves the instance cold to the target;
   * a forced move that runs already is attached to. @throws CloudRefusal
   */
  forceMove(move: MoveRequest): Promise<MoveStatus>;
  /** Stops what runs for the claim where that is possible, and tells what became of it. */
  abortMove(move: MoveRequest): Promise<MoveStatus>;

  /** Of these projects the names that the cloud tells soon, for people. It never rejects; left out: there are none. */
  projectNames?(projectIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** `CloudHost.maintenanceSeconds` of one host. */
  maintenanceSeconds?(host: string): Promise<number | undefined>;
  /** Answers when the cloud can be reached and lets us in. */
  ping(): Promise<void>;
}

/** The cloud understood and said no: repeating the call will not help. Anything else a driver throws may be retried. */
export class CloudRefusal extends Error {
  override readonly name = 'CloudRefusal';
}

/** The cloud said no because of the target: another one may do. */
export class TargetRefusal extends CloudRefusal {
  /** @param passesInSeconds see MoveStatus */
  constructor(
    message: string,
    readonly passesInSeconds?: number,
  ) {
    super(message);
  }
}
