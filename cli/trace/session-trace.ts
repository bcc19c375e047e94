/**
 * The trace of a real session, in the form that simulations write: one event a line, with its time in seconds since the
 * work on the hosts began. Made from the records: questions, claims and the events about the hosts.
 */
import type { CourseMove, CourseNotice, CourseQuestion, SessionCourse } from '../../prisma/session/session-trace';
import type { TraceEvent } from '../../rules/simulation/simulate';

interface TimedEvent {
  readonly at: Date;
  readonly event: string;
  readonly fields: Readonly<Record<string, string | true>>;
}

/** Events of the same time: ends come before beginnings. */
const order = [
  'move_end',
  'maintenance_end',
  'enable',
  'disable',
  'notify',
  'reply',
  'maintenance_start',
  'move_start',
  'done',
];

/** States in which work on the hosts may begin. */
const working: ReadonlySet<string> = new Set([
  'SCALE_IN',
  'PREPARE_MAINTENANCE',
  'START_MAINTENANCE',
  'PLANNED_MAINTENANCE',
]);

/** Empty while the work on the hosts has not begun. */
export const traceOf = (course: SessionCourse): readonly TraceEvent[] => {
  const begin = course.notices.find(({ host, state }) => host === undefined && working.has(state));
  if (!begin) return [];
  // A session that failed after that, and was resumed, enters the state again.
  const done = course.notices.find(isDone);
  const events = [
    ...course.moves.flatMap(eventsOfMove),
    ...course.questions.flatMap(eventsOfQuestion),
    ...eventsOfHosts(course),
    ...(done ? [{ at: done.at, event: 'done', fields: {} }] : []),
  ];
  return events
    .toSorted(byTime)
    .map(({ at, event, fields }) => ({ t: secondsBetween(begin.at, at), event, ...fields }));
};

const byTime = (one: TimedEvent, other: TimedEvent): number =>
  one.at.getTime() - other.at.getTime() || order.indexOf(one.event) - order.indexOf(other.event);

const secondsBetween = (from: Date, to: Date): number => (to.getTime() - from.getTime()) / 1000;

/** All hosts are maintained. */
const isDone = ({ host, state }: CourseNotice): boolean => host === undefined && state === 'MAINTENANCE_COMPLETE';

/**
 * An action that did not move its instance impacted it all the same, so the trace has it, with `stayed` or `gone`. The
 * trace's form knows moves that arrive, and allows further fields.
 */
const eventsOfMove = ({ instanceId, source, target, action, ...move }: CourseMove): TimedEvent[] => {
  const { startedAt, endedAt, outcome } = move;
  const end = { instance: instanceId, ...(outcome !== null && outcome !== 'done' && { [outcome]: true }) };
  return [
    { at: startedAt, event: 'move_start', fields: { instance: instanceId, from: source, to: target, action } },
    ...(endedAt === null ? [] : [{ at: endedAt, event: 'move_end', fields: end }]),
  ];
};

/**
 * A refusal does not settle a question: it is asked again. A project that looks for its questions may answer one before
 * it is stamped and sent: it was asked by then.
 */
const eventsOfQuestion = ({ instanceIds, askedAt, answer, answeredAt }: CourseQuestion): TimedEvent[] => {
  const reply = answer === 'ACK' && answeredAt !== null ? answeredAt : undefined;
  return instanceIds.flatMap((instance) => [
    { at: reply !== undefined && reply < askedAt ? reply : askedAt, event: 'notify', fields: { instance } },
    ...(reply === undefined ? [] : [{ at: reply, event: 'reply', fields: { instance } }]),
  ]);
};

/** Tells of each host from the first disable that led to its maintenance. Attempts that led nowhere are left out. */
const eventsOfHosts = ({ hosts, notices }: SessionCourse): TimedEvent[] =>
  hosts.flatMap(({ hostname, drainStartedAt }) => {
    const fields = { host: hostname };
    const told = notices.filter(({ host }) => host === hostname);
    const begun = told.findLast(({ state }) => state === 'IN_MAINTENANCE');
    const complete = told.findLast(({ state }) => state === 'MAINTENANCE_COMPLETE');
    return [
      ...(drainStartedAt === null ? [] : [{ at: drainStartedAt, event: 'disable', fields }]),
      ...(begun ? [{ at: begun.at, event: 'maintenance_start', fields }] : []),
      ...(complete
        ? [
            { at: complete.at, event: 'maintenance_end', fields },
            { at: complete.at, event: 'enable', fields },
          ]
        : []),
    ];
  });
