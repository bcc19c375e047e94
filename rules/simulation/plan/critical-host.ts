/** The host that ends last, and the steps that it goes through until then. */
import { expectedEndOf } from '../../cloud/departure';
import type { Fleet } from '../../decisions/fleet/fleet';
import type { CriticalHost, CriticalStep, PlannedHost, PlannedMove } from './plan';
import type { Course } from './read-course';

interface Around {
  readonly fleet: Pick<Fleet, 'instances' | 'groups'>;
  /** The time when the session begins to work on hosts. */
  readonly fromMs: number;
}

export const criticalHostIn = (course: Course, around: Around): { readonly criticalHost?: CriticalHost } => {
  const maintained = course.hosts.filter(({ maintenance }) => maintenance !== undefined);
  const last = maintained.toSorted((one, other) => endOf(other) - endOf(one))[0];
  if (!last) return {};
  const steps = stepsOf(last, course, around).filter(({ fromMs, toMs }) => toMs > fromMs);
  return { criticalHost: { hostname: last.hostname, steps } };
};

const endOf = ({ maintenance }: PlannedHost): number => maintenance?.toMs ?? 0;

const stepsOf = (host: PlannedHost, course: Course, { fleet, fromMs }: Around): readonly CriticalStep[] => {
  const { hostname, drain, maintenance } = host;
  const turn: CriticalStep = { kind: 'turn', subject: hostname, fromMs, toMs: drain?.fromMs ?? fromMs };
  const slowest = course.moves
    .filter(({ source, span }) => source === hostname && span.toMs >= (drain?.fromMs ?? fromMs))
    .toSorted((one, other) => other.span.toMs - one.span.toMs)[0];
  return [
    turn,
    ...(drain && slowest ? drainSteps(drain.fromMs, slowest, { course, fleet }) : []),
    ...(maintenance ? [{ kind: 'maintenance' as const, subject: hostname, ...maintenance }] : []),
  ];
};

/** The steps of the instance that leaves last: it is waited for, waits for its group, is asked, and moves. */
const drainSteps = (
  drainFromMs: number,
  { instanceId, span, source }: PlannedMove,
  { course, fleet }: { readonly course: Course; readonly fleet: Around['fleet'] },
): readonly CriticalStep[] => {
  const asked = course.questions.findLast((question) => {
    const isAboutIt =
      question.instanceId === undefined ? question.hostname === source : question.instanceId === instanceId;
    return isAboutIt && question.askedAtMs >= drainFromMs && question.askedAtMs <= span.fromMs;
  });
  const askedAtMs = asked?.askedAtMs ?? span.fromMs;
  const instance = fleet.instances.find(({ id }) => id === instanceId);
  const group = fleet.groups.find(({ key }) => key === instance?.groupKey)?.name ?? instanceId;
  const waitSeconds = (instance && expectedEndOf(instance)?.waitSeconds) ?? 0;
  const waitedUntilMs = Math.min(askedAtMs, drainFromMs + waitSeconds * 1000);
  return [
    { kind: 'end', subject: instanceId, fromMs: drainFromMs, toMs: waitedUntilMs },
    { kind: 'group', subject: group, fromMs: waitedUntilMs, toMs: askedAtMs },
    { kind: 'answer', subject: instanceId, fromMs: askedAtMs, toMs: span.fromMs },
    { kind: 'move', subject: instanceId, ...span },
  ];
};
