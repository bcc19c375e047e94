/** The blocker of a session that would not be over at its deadline. */
import { expectedTimes } from '../../rules/expectations/expected-times';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import type { Plan, PlanInput } from '../../rules/simulation/plan/plan';
import { deadlineMissIn } from '../../rules/steering/deadline-miss';
import type { SessionToPlan } from './session-in-plan';

/** Also where it would be over in time only if all goes well; it says the same as the event does. */
export const deadlineMissed = (
  { endsAtMs }: Pick<Plan, 'endsAtMs'>,
  session: SessionToPlan,
  input: Pick<PlanInput, 'nowMs' | 'fleet' | 'freezes' | 'replySeconds' | 'seen' | 'usual'>,
): readonly Blocker[] => {
  const { nowMs, fleet, freezes = [], replySeconds, seen, usual } = input;
  const { deadline } = session;
  if (deadline === null) return [];
  const plannedEndMs = endsAtMs?.expected ?? Infinity;
  const look = { nowMs, fleet, freezes, replySeconds, expected: expectedTimes(seen, usual), plannedEndMs };
  // An event may have told it before.
  const isMissed = (session.deadlineMissed ?? deadlineMissIn(session, look)) !== undefined;
  const about = { sessionId: session.id, deadlineMs: deadline.getTime(), isPassed: deadline.getTime() <= nowMs };
  if (isMissed) {
    return [blocker('deadline_missed', { ...about, severity: 'delays', endMs: plannedEndMs })];
  }
  if (!endsAtMs || endsAtMs.latest <= about.deadlineMs) return [];
  return [blocker('deadline_missed', { ...about, severity: 'note', endMs: endsAtMs.latest })];
};
