/**
 * When a session is expected to end: as its plan foretells (rules/simulation/plan/make-plan.ts, which
 * services/planned-ends.ts keeps); until that is made, an estimate from the records (end-from-records.ts), within its
 * windows and after its start.
 */
import type { HostInList } from '../../prisma/session/session-list';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { asksInstances } from '../../rules/decisions/both-workflows/built-in-workflow';
import { isDone } from '../../rules/decisions/fleet/host-work';
import type { Freeze } from '../../rules/maintenance-windows/freeze';
import { openSecondsBetween, whenOpenFor, zoneProblemOf } from '../../rules/maintenance-windows/openings';
import { calendarOf, type SessionCalendar } from '../../rules/maintenance-windows/session-calendar';
import type { Plan } from '../../rules/simulation/plan/plan';
import type { SessionProgressBody } from '../schemas/summary-schemas';
import { type HostLeft, secondsLeftOf } from './end-from-records';

/** The times that are expected of a host. */
export interface HostTimes {
  readonly maintenanceSeconds: (host: HostInList) => number;
  /** The time from the disable of the host until it is empty. */
  readonly drainSeconds: (host: HostInList) => number;
}

export interface EndFacts {
  readonly session: Pick<
    SessionProgress,
    'workflow' | 'rolling' | 'maintenanceAt' | 'begunAt' | 'windows' | 'ignoreFreezes' | 'maxParallelHosts'
  >;
  readonly hosts: readonly HostInList[];
  readonly times: HostTimes;
  readonly freezes: readonly Freeze[];
  readonly now: Date;
}

/** Milliseconds; null: the session would not come to its end. */
export type PlannedEnd = NonNullable<Plan['endsAtMs']> | null;

export type EndForecast =
  | { readonly kind: 'planned'; readonly end: PlannedEnd }
  | ({ readonly kind: 'rough' } & Pick<EndFacts, 'times' | 'freezes'>);

type ShownEnd = Pick<SessionProgressBody, 'ends_at' | 'seconds_left' | 'end_from'>;

export const withoutEnd: ShownEnd = { ends_at: null, seconds_left: null, end_from: null };

/** Tells the end of a session that goes on. */
export const endBy = (forecast: EndForecast, facts: Omit<EndFacts, 'times' | 'freezes'>): ShownEnd =>
  forecast.kind === 'planned' ? plannedEnd(forecast.end, facts.now) : roughEnd({ ...facts, ...forecast });

/** A plan may be some seconds old: no end lies in the past. */
const plannedEnd = (end: PlannedEnd, now: Date): ShownEnd => {
  if (end === null) return { ...withoutEnd, end_from: 'plan' };
  const at = (ms: number): Date => new Date(Math.max(ms, now.getTime()));
  return toEnd({ earliest: at(end.earliest), expected: at(end.expected), latest: at(end.latest) }, now, 'plan');
};

type Ends = Readonly<Record<'earliest' | 'expected' | 'latest', Date>>;

const toEnd = ({ earliest, expected, latest }: Ends, now: Date, from: ShownEnd['end_from']): ShownEnd => {
  const inSeconds = (at: Date): number => Math.ceil((at.getTime() - now.getTime()) / 1000);
  return {
    ends_at: {
      earliest: earliest.toISOString(),
      expected: expected.toISOString(),
      latest: latest.toISOString(),
    },
    seconds_left: { earliest: inSeconds(earliest), expected: inSeconds(expected), latest: inSeconds(latest) },
    end_from: from,
  };
};

const roughEnd = (facts: EndFacts): ShownEnd => {
  const { session, freezes, now } = facts;
  const calendar = calendarOf(session, freezes);
  if (calendar !== undefined && zoneProblemOf(calendar) !== undefined) return withoutEnd;
  const workedSeconds = workedSecondsOf(facts, calendar);
  const left = secondsLeftOf({ ...workOf(facts), atOnce: atOnceOf(session), workedSeconds });
  const from = new Date(Math.max(now.getTime(), session.begunAt === null ? session.maintenanceAt.getTime() : 0));
  const after =
    calendar === undefined
      ? (seconds: number) => new Date(from.getTime() + seconds * 1000)
      : whenOpenFor(calendar, from);
  const [earliest, expected, latest] = [after(left.earliest), after(left.expected), after(left.latest)];
  if (earliest === undefined || expected === undefined || latest === undefined) return withoutEnd;
  return toEnd({ earliest, expected, latest }, now, 'records');
};

/** `default` drains one host after the other. */
const atOnceOf = (session: EndFacts['session']): number =>
  asksInstances(session) ? (session.maxParallelHosts ?? Infinity) : 1;

/** Works out windows for at most this time at each look. Windows repeat, so the time before counts like it. */
const lookBackMs = 31 * 86_400_000;

/** Pauses are not recorded, so they count as work: a session that was paused seems slower than it is. */
const workedSecondsOf = (
  { session: { begunAt }, now }: EndFacts,
  calendar: SessionCalendar | undefined,
): number | undefined => {
  if (begunAt === null) return undefined;
  const passedMs = now.getTime() - begunAt.getTime();
  if (calendar === undefined) return passedMs / 1000;
  const seenMs = Math.min(passedMs, lookBackMs);
  if (seenMs <= 0) return 0;
  return (openSecondsBetween(calendar, new Date(now.getTime() - seenMs), now) * passedMs) / seenMs;
};

const workOf = ({ hosts, times, now }: EndFacts) => {
  const left: HostLeft[] = [];
  let [doneHosts, doneSeconds] = [0, 0];
  for (const host of hosts) {
    const [drainSeconds, maintenanceSeconds] = [times.drainSeconds(host), times.maintenanceSeconds(host)];
    if (host.phase === 'maintained') {
      doneHosts += 1;
      doneSeconds += drainSeconds + maintenanceSeconds;
    }
    if (isDone(host)) continue;
    const phaseSeconds = Math.max(0, (now.getTime() - host.phaseSince.getTime()) / 1000);
    left.push({ phase: host.phase, phaseSeconds, drainSeconds, maintenanceSeconds });
  }
  return { left, doneHosts, doneSeconds };
};
