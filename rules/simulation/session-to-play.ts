/** The sessions that are played in virtual time, as they are at the beginning of the run, and their possible ends. */
import type { BuiltInWorkflow } from '../decisions/both-workflows/built-in-workflow';
import type { VnfFacts, VnfLimits } from '../decisions/both-workflows/session-facts';
import type { Decision } from '../decisions/decision';
import type { Action, Fleet, Instance, SessionState } from '../decisions/fleet/fleet';
import type { ExpectedTimes } from '../expectations/expected-times';
import type { ReplyPolicy } from '../questions/reply-policy';
import type { Reason } from '../reasons/reason';
import type { Faults } from './faults';
import type { DecisionSteering } from './steered-step';
import type { Times } from './times';
import type { VirtualWorld } from './virtual-world';

/** How an admin steers a session, beside its limits; left out: not at all. */
export interface PlayedSteering extends DecisionSteering {
  /** The consequence when a window about a host ends without an answer. */
  readonly silence?: ReplyPolicy['silence'];
  /** The consequence when a project has refused for the last time. */
  readonly lastNack?: ReplyPolicy['lastNack'];
  /** False: hosts that are set aside while they are drained are left disabled. */
  readonly enablesFailedHosts?: boolean;
}

/** A session at the beginning of the run. */
export interface SessionToPlay {
  readonly sessionId: string;
  readonly worksLike: BuiltInWorkflow;
  readonly limits: VnfLimits;
  readonly steering?: PlayedSteering;
  /** A rolling state; undefined: the session looks at the fleet when it begins. */
  readonly state?: SessionState;
  /** The time at which it begins to work on hosts. */
  readonly beginsAtMs: number;
  /** The time at which it had begun before the run; left out: it begins in it. */
  readonly begunAtMs?: number;
  readonly drainOrder?: readonly string[];
  /** Instances, in `default`, whose question about the host is settled, each with its action. */
  readonly ready?: ReadonlyMap<string, Action>;
}

export interface SessionsSetting {
  /** Groups with the default impact, as `withDefaultImpact` gives it. */
  readonly fleet: Fleet;
  readonly startMs: number;
  readonly sessions: readonly SessionToPlay[];
  readonly times: Times;
  readonly replySeconds: number;
  /** The times that sessions expect, by which they tell what fits into a window; left out: as if nothing was seen. */
  readonly expected?: ExpectedTimes;
  /** The action of an instance, after its manager was asked and has answered, or has not. */
  readonly actionOf: (instance: Instance, admitted: Action, isAnswered: boolean) => Action;
  /** The times since which open claims are in their phase, by instance ID; left out: since now. */
  readonly claimedAtMs?: ReadonlyMap<string, number>;
  /** How long a session asks in vain for capacity before it gives up; left out: it is not played. */
  readonly scaleInMs?: (sessionId: string, fleet: Fleet) => number;
  /** Called at the end of every maintenance, with its duration: decisions may expect others to take as long. */
  readonly maintained?: ((world: VirtualWorld, hostname: string, ms: number) => void) | undefined;
  /** The clock that measures decisions, in milliseconds; undefined: they are not measured. */
  readonly clock?: (() => number) | undefined;
  /** Called with each decision, and the facts that it was taken on. */
  readonly watch?: ((facts: VnfFacts, decision: Decision) => void) | undefined;
  /** Left out: nothing goes wrong. */
  readonly faults?: Faults;
}

/**
 * The end of a session. paused: it pauses itself, and goes on only when somebody has done something. neverFits: the
 * hosts that are left would not be back in time in any of its windows. windowsOver: the last of its windows has closed
 * before. stalled: the simulation stands still: no event is left, and nothing is decided.
 */
export type Ending =
  | { readonly kind: 'complete' }
  | { readonly kind: 'scaleIn'; readonly failure: string; readonly fittingNowhere: readonly Reason[] }
  | { readonly kind: 'failed'; readonly failure: string }
  | { readonly kind: 'paused'; readonly because: string; readonly projectId: string }
  | { readonly kind: 'neverFits'; readonly held: readonly Reason[] }
  | { readonly kind: 'windowsOver' }
  | { readonly kind: 'stalled' };

/** A pause that the run passes over, as if the session were resumed at once. */
export interface PassedPause {
  readonly atMs: number;
  readonly because: string;
}

export interface EnteredState {
  readonly state: SessionState;
  readonly fromMs: number;
}
