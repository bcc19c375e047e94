/** A plan: all that a session would do, or will still do, as far as can be seen from the facts of one moment. */
import type { Action, Fleet, HostPhase, PhaseDone, SessionState } from '../../decisions/fleet/fleet';
import type { UsualTimes } from '../../decisions/fleet/usual-times';
import type { SeenTimes } from '../../expectations/expected-times';
import type { TimedPlugin } from '../../expectations/plugins-of-host';
import type { Freeze } from '../../maintenance-windows/freeze';
import type { SessionCalendar } from '../../maintenance-windows/session-calendar';
import type { Blocker } from '../../obstacles/blockers';
import type { ReplyPolicy, ReplyVerdict } from '../../questions/reply-policy';
import type { AnsweredAtOnce } from '../../terms/moves-by-terms';
import type { PlayedSteering, SessionToPlay } from '../session-to-play';

/** A session, as the plan finds it. */
export interface SessionInPlan extends Omit<SessionToPlay, 'beginsAtMs' | 'state' | 'steering'> {
  readonly state: SessionState;
  /** The time when it entered that state; of a session that is not created: now. */
  readonly stateEnteredAtMs: number;
  readonly maintenanceAtMs: number;
  /** False until it works on hosts: it waits for `maintenanceAtMs` first. */
  readonly isBegun: boolean;
  readonly actions: readonly TimedPlugin[];
  /** Left out: it is not steered. */
  readonly steering?: PlannedSteering;
}

/** How an admin steers a session, beside its limits. */
export interface PlannedSteering extends Pick<PlayedSteering, 'canary' | 'enablesFailedHosts'> {
  /** Left out: it may begin at any time. */
  readonly calendar?: SessionCalendar;
  /** Why it cannot be worked out here when it may begin; then it is played as if it might at any time. */
  readonly windowsProblem?: string;
  readonly replyPolicy?: ReplyPolicy;
  /** Follows the last refusal of a project; left out: the session fails. */
  readonly lastNack?: ReplyVerdict['kind'];
}

/** The facts about a host that the plan needs beside the fleet. */
export interface HostInCloud {
  readonly name: string;
  /** True when the operator has it enabled. */
  readonly enabled: boolean;
  readonly isUp: boolean;
  readonly disabledReason?: string | undefined;
  /** How long its maintenance takes, where the cloud tells it. */
  readonly maintenanceSeconds?: number | undefined;
}

export interface PlanInput {
  readonly nowMs: number;
  /** The planned session. */
  readonly sessionId: string;
  /** It, and the others that are under way, which share the fleet. */
  readonly sessions: readonly SessionInPlan[];
  readonly fleet: Fleet;
  readonly cloudHosts: readonly HostInCloud[];
  /** The time when open claims entered their phase, by instance ID. */
  readonly claimedAtMs: ReadonlyMap<string, number>;
  /** Left out: there are none. */
  readonly freezes?: readonly Freeze[];
  readonly seen: SeenTimes;
  readonly usual: UsualTimes;
  /** How long projects have for an answer where no constraints say it. */
  readonly replySeconds: number;
  /** How a session asks for capacity before it gives up; left out: it gives up at once. */
  readonly scaleIn?: { readonly rounds: number; readonly replySeconds: number };
  /** Projects that have refused a question of a session before; left out: none. */
  readonly refusedBefore?: readonly string[];
  /** Projects of the planned session whose terms answer; left out: none. */
  readonly answeredAtOnce?: AnsweredAtOnce;
}

/** Seconds or milliseconds, as the field says. */
export interface Range {
  readonly earliest: number;
  readonly expected: number;
  readonly latest: number;
}

export interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface PlannedHost {
  readonly hostname: string;
  readonly type: 'compute' | 'controller';
  /** The phase of the host now. */
  readonly phase: HostPhase;
  /**
   * Lasts from its disable until its last instance has left; undefined: it is done, or the session does not get to it.
   */
  readonly drain?: Span;
  readonly maintenance?: Span;
  /** How the session is done with the host; undefined: it does not get to it. */
  readonly endsAs?: PhaseDone;
  /** Instances that leave it. */
  readonly moves: number;
}

export interface PlannedMove {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly action: Action;
  readonly source: string;
  /** undefined: its project finds the place, or it comes back with its host. */
  readonly target?: string;
  readonly span: Span;
}

export interface PlannedQuestion {
  readonly projectId: string;
  /** undefined: the project as a whole. */
  readonly instanceId?: string;
  readonly instanceName?: string;
  /** Set where it is about draining the host. */
  readonly hostname?: string;
  readonly state: SessionState;
  readonly askedAtMs: number;
  readonly windowSeconds: number;
  /** False: its project has left most questions without an answer. */
  readonly isAnswered: boolean;
}

export interface PlannedGroup {
  readonly id?: string;
  readonly name: string;
  readonly projectIds: readonly string[];
  readonly members: number;
  /** Infinity: it limits something else. */
  readonly maxImpactedMembers: number;
  /** Most members out of service at once, moves of other sessions included. */
  readonly mostOut: number;
}

/** Why a host ends last: what happens to it, one after the other. */
export interface CriticalHost {
  readonly hostname: string;
  readonly steps: readonly CriticalStep[];
}

export interface CriticalStep extends Span {
  /**
   * turn: other hosts come first. group: its slowest instance waits for the budget of its group, or a place. answer:
   * its manager is asked. move: it moves. maintenance: the host is maintained. end: it is waited for to end by itself.
   */
  readonly kind: 'turn' | 'end' | 'group' | 'answer' | 'move' | 'maintenance';
  /** The host, the group's name, or the instance's ID. */
  readonly subject: string;
}

export interface Plan {
  /** The time when it begins to work on hosts. */
  readonly beginsAtMs: number;
  /** undefined: the session would not come to its end; see `blockers`. */
  readonly endsAtMs?: Range;
  /** The time when it would stop, if it does not come to its end. */
  readonly stopsAtMs?: number;
  readonly states: readonly { readonly state: SessionState; readonly fromMs: number }[];
  readonly hosts: readonly PlannedHost[];
  readonly moves: readonly PlannedMove[];
  readonly questions: readonly PlannedQuestion[];
  readonly groups: readonly PlannedGroup[];
  readonly criticalHost?: CriticalHost;
  readonly blockers: readonly Blocker[];
}
