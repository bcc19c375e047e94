/** A session's row, or a create request, as the plan plays it. */
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { Steering } from '../../prisma/session/session-steering';
import { choicesOf, worksLike } from '../../rules/decisions/both-workflows/built-in-workflow';
import { domainLimitsOf } from '../../rules/decisions/both-workflows/fault-domains';
import { type SessionState, sessionStates } from '../../rules/decisions/fleet/fleet';
import { asTimedPlugin } from '../../rules/expectations/plugins-of-host';
import type { Freeze } from '../../rules/maintenance-windows/freeze';
import { zoneProblemOf } from '../../rules/maintenance-windows/openings';
import { calendarOf } from '../../rules/maintenance-windows/session-calendar';
import { lastNackOf } from '../../rules/questions/reply-policy';
import type { PlannedSteering, SessionInPlan } from '../../rules/simulation/plan/plan';

/** A session that is planned: one that would be created, or one that is there. */
export interface SessionToPlan
  extends
    Steering,
    Pick<
      SessionProgress,
      | 'id'
      | 'workflow'
      | 'rolling'
      | 'state'
      | 'stateEnteredAt'
      | 'maintenanceAt'
      | 'begunAt'
      | 'actions'
      | 'drainOrder'
      | 'canaryEndedAt'
      | 'deadlineMissed'
    > {
  /** Names of the hosts of a session that is not there yet. */
  readonly newHosts?: readonly string[];
  /** True for a session that has failed: it is planned as if it were continued now. */
  readonly isContinued?: true;
}

/** The facts that count for all sessions in a plan. */
export interface PlanTerms {
  readonly defaultImpactShare: number;
  readonly freezes: readonly Freeze[];
}

const isPlannedState = (state: string): state is SessionState => sessionStates.some((one) => one === state);

export const asPlayed = (session: SessionToPlan, { defaultImpactShare, freezes }: PlanTerms): SessionInPlan => {
  const { id, state, stateEnteredAt, maintenanceAt, drainOrder, maxParallelHosts, maxFailedHosts } = session;
  // A workflow from a package has further states: it looks at the fleet, as after them.
  const known = isPlannedState(state) ? state : 'SCALE_IN';
  return {
    sessionId: id,
    worksLike: worksLike(session),
    state: known,
    limits: {
      ...choicesOf(session),
      defaultImpactShare,
      maxFailedHosts: maxFailedHosts ?? 0,
      ...(maxParallelHosts !== null && { maxParallelHosts }),
      ...domainLimitsOf(session),
    },
    stateEnteredAtMs: stateEnteredAt.getTime(),
    maintenanceAtMs: maintenanceAt.getTime(),
    isBegun: session.begunAt !== null,
    ...(session.begunAt !== null && { begunAtMs: session.begunAt.getTime() }),
    ...(drainOrder.length > 0 && { drainOrder }),
    actions: session.actions.map(asTimedPlugin),
    steering: steeringOf(session, freezes),
  };
};

const steeringOf = (session: SessionToPlan, freezes: readonly Freeze[]): PlannedSteering => {
  const { canary, canaryEndedAt, replyPolicy, failedHosts } = session;
  const lastNack = lastNackOf(session);
  return {
    ...(canary !== null && {
      canary: { canary, ...(canaryEndedAt !== null && { endedAtMs: canaryEndedAt.getTime() }) },
    }),
    ...timesOf(session, freezes),
    ...(replyPolicy !== null && { replyPolicy }),
    ...(lastNack !== 'fail' && { lastNack }),
    enablesFailedHosts: failedHosts === 'enable',
  };
};

const timesOf = (
  session: SessionToPlan,
  freezes: readonly Freeze[],
): Pick<PlannedSteering, 'calendar' | 'windowsProblem'> => {
  const calendar = calendarOf(session, freezes);
  if (calendar === undefined) return {};
  const windowsProblem = zoneProblemOf(calendar);
  return windowsProblem === undefined ? { calendar } : { windowsProblem };
};
