/** The blocker of a session that would not be over at its deadline. */
import type { Instance } from '../../rules/decisions/fleet/fleet';
import { expectedTimes } from '../../rules/expectations/expected-times';
import { type Blocker, blocker } from '../../rules/obstacles/blockers';
import { releasedAtMs } from '../../rules/owner-times/release';
import type { Plan, PlanInput } from '../../rules/simulation/plan/plan';
import { deadlineMissIn, instancesToLeave, lastPutOff } from '../../rules/steering/deadline-miss';
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
  const late = outsideHours(session.id, input, deadline.getTime());
  const plannedEndMs = endsAtMs?.expected ?? Infinity;
  const look = { nowMs, fleet, freezes, replySeconds, expected: expectedTimes(seen, usual), plannedEndMs };
  // An event may have told it before.
  const isMissed = (session.deadlineMissed ?? deadlineMissIn(session, look)) !== undefined;
  const deadlineMs = deadline.getTime();
  const putOff = putOffBeyond(lastPutOff(session.id, look), { deadlineMs, nowMs });
  const about = { sessionId: session.id, deadlineMs, isPassed: deadlineMs <= nowMs, putOff };
  if (isMissed) {
    return [blocker('deadline_missed', { ...about, severity: 'delays', endMs: plannedEndMs }), ...late];
  }
  if (!endsAtMs || endsAtMs.latest <= about.deadlineMs) return [];
  return [blocker('deadline_missed', { ...about, severity: 'note', endMs: endsAtMs.latest })];
};

/** Those that fit into no hour at all are told by the plan, with or without a deadline. */
const outsideHours = (
  sessionId: string,
  { fleet, nowMs }: Pick<PlanInput, 'fleet' | 'nowMs'>,
  deadlineMs: number,
): readonly Blocker[] =>
  instancesToLeave(fleet, sessionId).flatMap((instance) => {
    const nextMs = releasedAtMs(instance, nowMs);
    const isLate = instance.ownerTimes?.hours !== undefined && nextMs >= deadlineMs && nextMs < Infinity;
    const beyond = { deadlineMs, nextMs };
    return isLate ? [blocker('outside_owner_hours', { ...instance, severity: 'delays', beyond })] : [];
  });

const putOffBeyond = (last: Instance | undefined, { deadlineMs, nowMs }: Record<'deadlineMs' | 'nowMs', number>) => {
  const untilMs = last === undefined ? -Infinity : releasedAtMs(last, nowMs);
  if (last === undefined || untilMs <= deadlineMs || untilMs === Infinity) return undefined;
  return { instanceName: last.name, projectId: last.projectId, untilMs };
};
