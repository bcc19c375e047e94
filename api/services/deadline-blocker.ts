/** The blocker of a session that would not be over at its deadline. */
import type { Instance } from '../../rules/decisions/fleet/fleet';
import { expectedTimes } from '../../rules/expectations/expected-times';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import type { Plan, PlanInput } from '../../rules/simulation/plan/plan';
import { deadlineMissIn, lastPutOff } from '../../rules/steering/deadline-miss';
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
  const deadlineMs = deadline.getTime();
  const putOff = putOffBeyond(deadlineMs, lastPutOff(session.id, look));
  const about = { sessionId: session.id, deadlineMs, isPassed: deadlineMs <= nowMs, putOff };
  if (isMissed) {
    return [blocker('deadline_missed', { ...about, severity: 'delays', endMs: plannedEndMs })];
  }
  if (!endsAtMs || endsAtMs.latest <= about.deadlineMs) return [];
  return [blocker('deadline_missed', { ...about, severity: 'note', endMs: endsAtMs.latest })];
};

const putOffBeyond = (deadlineMs: number, last: Instance | undefined) => {
  const untilMs = last?.ownerTimes?.notBeforeMs ?? -Infinity;
  if (last === undefined || untilMs <= deadlineMs) return undefined;
  return { instanceName: last.name, projectId: last.projectId, untilMs };
};
