/**
 * The facts of decisions: a snapshot of hosts, instances, groups and claims, taken at one time. Plain data, no I/O, no
 * clock, no Temporal. No field tells in advance how long a move will take or when a manager will answer.
 */

import type { Sized } from '../../cloud/amounts';
import type { OnceItself } from '../../cloud/as-before';
import type { CloudInstance, LimitKeeper } from '../../cloud/cloud-facts';
import type { Departing } from '../../cloud/departure';
import type { HostDoubt } from '../../cloud/host-findings';
import type { Misfit } from '../../cloud/misfits';
import type { TimedByOwner } from '../../owner-times/release';
import type { HostLabels } from '../../selectors/labels';

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
 * - waiting: no work on the host.
 * - emptying: under work; disabled, its instances are asked about and moved.
 * - maintaining: under work; empty, announced, its plug-ins run.
 * - releasing: under work; moves in flight end, then it is enabled and given back (waiting) without maintenance.
 * - maintained: done.
 * - failed: something on it failed; it is set aside next, or the session fails.
 * - set_aside: it failed, and the session continues without it (set-aside-or-fail.ts).
 * - skipped: the admin has left it out; it is in use.
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

/** No work follows in one of these phases (`isDone`): the session is done when all of its hosts are in one. */
export const phasesDone = ['maintained', 'set_aside', 'skipped'] as const satisfies readonly HostPhase[];
export type PhaseDone = (typeof phasesDone)[number];

/** The work of the unfinished session that owns a host. */
export interface HostWork {
  readonly sessionId: string;
  readonly phase: HostPhase;
  /** The session disabled it before the snapshot was taken, so the instances in the snapshot can only become fewer. */
  readonly disabled: boolean;
  /** Someone else had disabled it before the session did: it stays disabled after its maintenance, and is no target. */
  readonly disabledBefore: boolean;
  /** The time when the session disabled it last, in milliseconds; left out: it is not disabled by the session. */
  readonly disabledAtMs?: number;
  /** The start of its first drain in the session, in milliseconds; left out: it was not drained yet. */
  readonly drainingSinceMs?: number;
  /** maintenance.host IN_MAINTENANCE was announced. */
  readonly announced: boolean;
  /** The time of the announcement, in milliseconds. */
  readonly announcedAtMs?: number;
  /** The number of times that it was given back to break a deadlock. */
  readonly releases: number;
  /** Its maintenance is over, and it is not back yet. */
  readonly comesBack?: ComingBack;
  /** Why it was given back for good: the cloud refused a move of it until the limit. Others go on without it. */
  readonly refusedBecause?: string;
  /** The reason of somebody else who has disabled it since the session did, and keeps it so. */
  readonly keptDisabledBy?: string;
  readonly failure?: string;
  /** Why the session goes on without it, also while it is still to be enabled; left out: it does not. */
  readonly skipReason?: string;
  /** The time of an admin's request to drain it before others; the latest such request counts first. Milliseconds. */
  readonly firstAtMs?: number;
}

export interface ComingBack {
  /** The time until which it is waited for, in milliseconds. */
  readonly untilMs: number;
  /** The differences from before its drain, each as a clause about it (cloud/as-before.ts). Empty: it is not up. */
  readonly differences: readonly string[];
}

export interface LearnedMaintenance {
  /** The end of the newest maintenance that it was learned from. Milliseconds. */
  readonly seenAtMs: number;
  /** The duration that would be expected otherwise. */
  readonly usualSeconds: number;
}

export interface Host extends Sized, OnceItself {
  readonly name: string;
  readonly type: 'compute' | 'controller';
  /** True when it can hold instances; a controller may be a compute as well. */
  readonly isCompute: boolean;
  /** See `CloudHost.labels`. */
  readonly labels?: HostLabels;
  /** Class of what it offers, amounts apart; left out: nothing special. See `Fleet.misfits`. */
  readonly offers?: string;
  /** See `CloudHost.offersOnceItself`. */
  readonly offersOnceItself?: string;
  /** True when it is enabled in the cloud and up, and the cloud knows what is on it: it may take instances. */
  readonly enabled: boolean;
  /** Its service in the cloud does not answer, and it is not starting, so nothing moves away. Left out: it answers. */
  readonly isDown?: true;
  /** The expected duration of its maintenance, when it is known. Safety does not depend on it. */
  readonly expectedMaintenanceSeconds?: number;
  /** Set where `expectedMaintenanceSeconds` was learned from maintenances that were seen. */
  readonly learnedMaintenance?: LearnedMaintenance;
  /**
   * Its session has enabled it lately and it is not up yet: the end, in milliseconds, of the time in which it is
   * expected.
   */
  readonly startingUntilMs?: number;
  /** Something holds it, or may hold it, that is no instance which can be moved; the first of several. */
  readonly doubt?: HostDoubt;
  readonly work?: HostWork;
}

/** The keys of the groups that count an instance or a claim: see rules/decisions/limits/limits-of-instance.ts. */
export interface Limited {
  /** The key of its own group; every instance belongs to exactly one. */
  readonly groupKey: string;
  /** The keys of further limits, over other members; left out: none. */
  readonly furtherLimitKeys?: readonly string[];
}

/** Decisions read these fields as the cloud tells them. */
export const fieldsOfCloud = [
  'needs',
  'spreads',
  'isUnhealthy',
  'madeAtMs',
  'mayComeBack',
  'endsForGood',
  'expectedMoveSeconds',
  'terms',
] as const satisfies readonly (keyof CloudInstance)[];

export interface Instance
  extends Limited, Sized, Departing, TimedByOwner, Pick<CloudInstance, (typeof fieldsOfCloud)[number]> {
  readonly id: string;
  readonly name: string;
  readonly projectId: string;
  readonly host: string;
  /** The action of the constraints; undefined when none are stored. */
  readonly migrationType?: Action;
  /** The default behaviour for it, by the actions of its cloud: it follows when its project chooses nothing. */
  readonly defaultAction: Action;
  /** Seconds; undefined when no constraints are stored. 0: nothing is asked (specification, Limits 4). */
  readonly leadTimeSeconds?: number;
  /** Set where its project told the cloud, instead of storing constraints, that it wants to be asked. */
  readonly wantsQuestions?: true;
  /** Its own value, or else that of its group; undefined when neither is stored. See double-allocation.ts. */
  readonly resourceMitigation?: boolean;
  /** Set where its project is told nothing of it: the workflow `k8s` (both-workflows/without-a-word.ts). */
  readonly isQuiet?: true;
  /** The answer of its project's terms to a question about it. Left out: none, or nobody expects answers. */
  readonly byTerms?: MoveByTerms;
  /** The action by which it leaves its present host, from its project's answer or silence; undefined: not known yet. */
  readonly settledAction?: Action;
}

/** The answer of terms about one instance (rules/terms/). */
export interface MoveByTerms {
  /** Left out: the default behaviour. */
  readonly action?: Action;
  /** False: it follows silence. */
  readonly atOnce: boolean;
}

/** Limits over the members of a group. */
export interface Group {
  /** The key of its ID, or of its project's ID with the flavor of its members: the same whatever the form of the ID. */
  readonly key: string;
  /**
   * ID in the form of its project or the cloud; undefined for instances of a project with one flavor, and for those
   * that name a group of another project.
   */
  readonly id?: string;
  /** Name for people: the stored name, or else a description. */
  readonly name: string;
  /** Infinity: it has no such limit. */
  readonly maxImpactedMembers: number;
  readonly recoveryTimeSeconds: number;
  /** The maximum number of members on one host; undefined without anti-affinity. */
  readonly maxInstancesPerHost?: number;
  readonly keptBy: LimitKeeper;
  /** The number of its members that are out although no claim counts them (rules/constraints/members-away.ts). */
  readonly membersAway?: number;
  /** Those of them that have been away for too long. */
  readonly overdue?: MembersOverdue;
  /** Set where the cloud finds no host for a member that was made while a session was under way: its own words. */
  readonly unplaced?: string;
  /** What is wrong with the limits that its project told the cloud. */
  readonly fault?: string;
}

/** Members that do not serve although they have had the time that a member needs to begin. */
export interface MembersOverdue {
  readonly count: number;
  /** Tells of the first of them which it is, since when and why, as a sentence. */
  readonly because: string;
  /** Set where none of the last that were moved has begun to serve: no further member is moved. */
  readonly isOfLastMoved?: true;
}

/**
 * The permission to impact an instance, from any session. asked: its own question is open or answered, no action yet.
 * moving: the action is granted or in flight. recovering: the action is over, but the group's recovery_time is not. A
 * snapshot only has open claims; it has no recovering claim whose time is over.
 */
export interface Claim extends Limited, Sized {
  readonly id: string;
  readonly sessionId: string;
  readonly instanceId: string;
  readonly phase: 'asked' | 'moving' | 'recovering';
  readonly source: string;
  /** Keeps capacity for the instance from the time it is asked or granted until the action's end; may be `noTarget`. */
  readonly target: string;
  readonly action: Action;
  /** The end of its recovery, while it recovers. */
  readonly recoversAtMs?: number;
}

/** Capacity that is kept for an instance that waits for its admission (`vnf`). It impacts nobody. */
export interface Reservation {
  readonly instanceId: string;
  /** `noTarget`: it needs no capacity. */
  readonly target: string;
}

/** A host on which the cloud refused an instance: see rules/decisions/limits/refusals.ts. */
export interface Refusal {
  /** The class of instances that it holds for. */
  readonly refusalClass: string;
  readonly target: string;
  /** Reason in the cloud's words. */
  readonly reason: string;
  /** The time when it is tried again; undefined: not before something on the host has changed. */
  readonly passesAtMs?: number;
}

/** Members of a group were made again on hosts of the session after these had been disabled, and were moved again. */
export interface MembersReturned {
  readonly sessionId: string;
  readonly groupKey: string;
  readonly times: number;
}

export interface Fleet {
  readonly hosts: readonly Host[];
  readonly instances: readonly Instance[];
  readonly groups: readonly Group[];
  readonly claims: readonly Claim[];
  /**
   * The reservations of all sessions, oldest first, in the order in which decisions made them; left out: none. See
   * rules/decisions/model/reservations.ts.
   */
  readonly reservations?: readonly Reservation[];
  /** How often members came back to hosts that were being drained, by session and group; left out: never. */
  readonly returns?: readonly MembersReturned[];
  /** Refusals that still hold; left out: none. */
  readonly refusals?: readonly Refusal[];
  /** The classes of instances and of hosts that do not go together, amounts apart; left out: all do. */
  readonly misfits?: readonly Misfit[];
  /** A right in the cloud that the service lacks and without which no work begins; left out: it has all. */
  readonly missingRight?: { readonly rule: string; readonly neededTo: string };
  /** Names of hosts that their sessions pass over for now: see rules/steering/hold-back.ts. Left out: none. */
  readonly heldBack?: readonly string[];
}
