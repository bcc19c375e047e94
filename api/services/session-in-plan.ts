/** A session's row, or a create request, as the plan plays it. */
import type { SessionProgress } from '../../prisma/session/session-progress';
import type { Steering } from '../../prisma/session/session-steering';
import { choicesOf, worksLike } from '../../rules/decisions/both-workflows/built-in-workflow';
import { type SessionState, sessionStates } from '../../rules/decisions/fleet/fleet';
import { asTimedPlugin } from '../../rules/expectations/plugins-of-host';
import { zoneProblemOf } from '../../rules/maintenance-windows/openings';
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

const isPlannedState = (state: string): state is SessionState => sessionStates.some((one) => one === state);

export const asPlayed = (
  session: SessionToPlan,
  { defaultImpactShare }: { readonly defaultImpactShare: number },
): SessionInPlan => {
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
    },
    stateEnteredAtMs: stateEnteredAt.getTime(),
    maintenanceAtMs: maintenanceAt.getTime(),
    isBegun: session.begunAt !== null,
    ...(session.begunAt !== null && { begunAtMs: session.begunAt.getTime() }),
    ...(drainOrder.length > 0 && { drainOrder }),
    actions: session.actions.map(asTimedPlugin),
    steering: steeringOf(session),
  };
};

const steeringOf = ({ canary, canaryEndedAt, windows, replyPolicy, failedHosts }: SessionToPlan): PlannedSteering => ({
  ...(canary !== null && {
    canary: { canary, ...(canaryEndedAt !== null && { endedAtMs: canaryEndedAt.getTime() }) },
  }),
  ...windowsOf(windows),
  ...(replyPolicy !== null && { replyPolicy }),
  enablesFailedHosts: failedHosts === 'enable',
});

const windowsOf = (windows: SessionToPlan['windows']): Pick<PlannedSteering, 'windows' | 'windowsProblem'> => {
  if (windows === null) return {};
  const windowsProblem = zoneProblemOf(windows);
  return windowsProblem === undefined ? { windows } : { windowsProblem };
};
