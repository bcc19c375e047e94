/**
 * What planning knows: a snapshot of hosts, instances, groups and claims, taken at one time. Plain data, no I/O, no
 * clock, no Temporal. No field tells in advance how long a move will take or when a manager will answer.
 */

/** The session states of the specification that the built-in workflows go through. */
export const sessionStates = [
  'MAINTENANCE',
  'SCALE_IN',
  'PREPARE_MAINTENANCE',
  'START_MAINTENANCE',
  'PLANNED_MAINTENANCE',
  'MAINTENANCE_COMPLETE',
  'MAINTENANCE_DONE',
  'MAINTENANCE_FAILED',
] as const;
export type SessionState = (typeof sessionStates)[number];

export type Action = 'LIVE_MIGRATE' | 'MIGRATE' | 'OWN_ACTION' | 'EVICTION';

/**
 * - waiting: nothing is done on the host.
 * - emptying: under work; disabled, its instances are asked about and moved.
 * - maintaining: under work; empty, announced, its plug-ins run.
 * - releasing: under work; moves in flight end, then it is enabled and given back (waiting) unmaintained.
 * - maintained: done.
 * - failed: something on it failed; it is set aside next, or the session fails.
 * - set_aside: it failed, and the session goes on without it (host-failure.ts).
 * - skipped: the admin, or the session's reply_policy, has left it out; it is in use.
 */
export const hostPhases = [
  'waiting',
  'emptying',
  'maintaining',
  'releasing',
  'maintained',
  'failed',
  'set_aside',
  'skipped',
] as const;
export type HostPhase = (typeof hostPhases)[number];

/** Nothing more is done on a host in one of these phases: the session is done when all of its hosts are in one. */
export const phasesOver: readonly HostPhase[] = ['maintained', 'set_aside', 'skipped'];

/** The work of the unfinished session that owns a host. */
export interface HostWork {
  readonly sessionId: string;
  readonly phase: HostPhase;
  /** The session disabled it before the snapshot was taken, so what the snapshot shows on it can only get less. */
  readonly disabled: boolean;
  /** Someone else had disabled it before the session did: it stays disabled when it is maintained, and is no target. */
  readonly disabledBefore: boolean;
  /** maintenance.host IN_MAINTENANCE was announced. */
  readonly announced: boolean;
  /** When it was. Milliseconds. */
  readonly announcedAtMs?: number;
  /** How often it was given back to break a deadlock. */
  readonly releases: number;
  readonly failure?: string;
}

export interface Host {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** Holds instances; a controller may be a compute as well. */
  readonly isCompute: boolean;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** Enabled in the cloud, and up: may take instances. */
  readonly enabled: boolean;
  /** How long maintaining it is expected to take, where the cloud says so; what is safe does not hang on it. */
  readonly expectedMaintenanceSeconds?: number;
  /** Its session has enabled it lately and it is not up yet: until when it is waited for. Milliseconds. */
  readonly startingUntilMs?: number;
  readonly work?: HostWork;
}

/** What keys of groups an instance or a claim counts under: see planning/limits/limits-of-instance.ts. */
export interface Limited {
  /** Of its own group; every instance belongs to exactly one. */
  readonly groupKey: string;
  /** Of what holds beside that, over other members; left out: nothing. */
  readonly furtherLimitKeys?: readonly string[];
}

export interface Instance extends Limited {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly host: string;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** From the constraints; undefined where none are stored. */
  readonly migrationType?: Action;
  /** The default behaviour for it, by the actions of its cloud: what is done where its project chooses nothing. */
  readonly defaultAction: Action;
  /** Seconds; undefined where no constraints are stored. 0: nothing is asked (specification, Limits 4). */
  readonly leadTimeSeconds?: number;
  /** Why the cloud moves it nowhere: only its project can take it away. undefined: it may be moved. */
  readonly cannotMove?: string;
  /** Its own value, else that of its group; undefined where neither is stored. See double-allocation.ts. */
  readonly resourceMitigation?: boolean;
  /** How it leaves the host that it is on, by its project's answer or silence; undefined: that is not known yet. */
  readonly settledAction?: Action;
}

/** Limits over the members of a group. */
export interface Group {
  /** The key of its ID, or of its project's with the flavor of its members: the same however the ID is written. */
  readonly key: string;
  /**
   * As its project or the cloud writes it; undefined for the instances of a project with one flavor, and for those that
   * name a group of another project.
   */
  readonly id?: string;
  /** For people: the stored name, else what stands for it. */
  readonly name: string;
  /** Infinity: it limits something else. */
  readonly maxImpactedMembers: number;
  readonly recoveryTimeSeconds: number;
  /** Members on one host at most; undefined without anti-affinity. */
  readonly maxInstancesPerHost?: number;
  /** Nobody stored limits for it, and no server group of the cloud is behind it. */
  readonly withoutConstraints?: true;
  /** The cloud enforces it, whatever projects store. */
  readonly isOfCloud?: true;
}

/**
 * Leave to impact an instance, of any session. asked: its own question is open or answered, no action yet.
 * moving: the action is granted or under way. recovering: the action is over, the group's recovery_time is not.
 * Only open claims are in a snapshot; a recovering claim whose time is over is not.
 */
export interface Claim extends Limited {
  readonly id: string;
  readonly sessionId: string;
  readonly instanceId: string;
  readonly phase: 'asked' | 'moving' | 'recovering';
  readonly source: string;
  /** Holds the instance's room from the time it is asked or granted until the action's end; may be `noTarget`. */
  readonly target: string;
  readonly action: Action;
  readonly vcpus: number;
  readonly memoryMb: number;
  /** When recovering. */
  readonly recoversAtMs?: number;
}

/** Room held for an instance that still waits for its admission (`vnf`); it impacts nobody. */
export interface Reservation {
  readonly instanceId: string;
  /** `noTarget`: it needs no room. */
  readonly target: string;
}

/** A host that the cloud refused to an instance: see planning/limits/refusals.ts. */
export interface Refusal {
  readonly instanceId: string;
  readonly target: string;
  /** In the cloud's words. */
  readonly reason: string;
  /** It is tried again then; undefined: not before something there has changed. */
  readonly passesAtMs?: number;
}

export interface Fleet {
  readonly hosts: readonly Host[];
  readonly instances: readonly Instance[];
  readonly groups: readonly Group[];
  readonly claims: readonly Claim[];
  /**
   * Of all sessions, the oldest first, as decisions made them before; left out: none. See
   * planning/limits/reservations.ts.
   */
  readonly reservations?: readonly Reservation[];
  /** Those that hold now; left out: none. */
  readonly refusals?: readonly Refusal[];
}

/** Why something does not go on: one set of words for detail, display, log and test. */
export interface Waiting {
  readonly waitingFor: 'group' | 'room' | 'affinity' | 'answer' | 'recovery' | 'host' | 'bus' | 'time' | 'resume';
  /** What waits: a host's name or an instance's ID. */
  readonly who: string;
  /** What it waits for: a group's name, a host, a project, a time; `resume`: since when the session is paused. */
  readonly subject: string;
  /** Where `subject` is the name of a group: its ID. */
  readonly subjectId?: string;
  /** What the cloud says of it, or how much room is missing, where that tells more. */
  readonly because?: string;
  /** Milliseconds at most where that is known. */
  readonly remainingMs?: number;
}
