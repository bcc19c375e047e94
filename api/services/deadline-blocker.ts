/** The blocker of a session that would not be over at its deadline. */
import { deadlineMissIn } from '../../prisma/snapshot/deadline-miss';
import { expectedTimes } from '../../rules/expectations/expected-times';
import type { Blocker, Plan, PlanInput, Range } from '../../rules/simulation/plan/plan';
import type { SessionToPlan } from './session-in-plan';

/** Also where it would be over in time only if all goes well; it says the same as the event does. */
export const deadlineMissed = (
  { endsAtMs }: Pick<Plan, 'endsAtMs'>,
  session: SessionToPlan,
  { nowMs, fleet, replySeconds, seen, usual }: Pick<PlanInput, 'nowMs' | 'fleet' | 'replySeconds' | 'seen' | 'usual'>,
): readonly Blocker[] => {
  const { deadline } = session;
  if (deadline === null) return [];
  const expected = expectedTimes(seen, usual);
  const look = { nowMs, fleet, replySeconds, expected, plannedEndMs: endsAtMs?.expected ?? Infinity };
  // An event may have told it before.
  const isMissed = (session.deadlineMissed ?? deadlineMissIn(session, look)) !== undefined;
  if (isMissed) return [missed(session.id, 'delays', `${expectedEnd(endsAtMs)}; its deadline is ${atTime(deadline)}`)];
  if (!endsAtMs || endsAtMs.latest <= deadline.getTime()) return [];
  const latest = atTime(new Date(endsAtMs.latest));
  return [missed(session.id, 'note', `to end at ${latest} at the latest; its deadline is ${atTime(deadline)}`)];
};

const atTime = (time: Date): string => time.toISOString();

const expectedEnd = (endsAtMs: Range | undefined): string =>
  endsAtMs ? `to end at ${atTime(new Date(endsAtMs.expected))}` : 'not to end';

const missed = (id: string, severity: Blocker['severity'], expectation: string): Blocker => ({
  ...{ kind: 'deadline_missed', severity, when: 'later', owner: 'admin' },
  subject: { kind: 'session', id, name: id },
  because: `the session is expected ${expectation}`,
  help: 'name fewer hosts, begin earlier, raise max_parallel_hosts where it is given, or move the deadline',
});
