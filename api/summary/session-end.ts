/** When a session is expected to end: the estimate of planning, within its windows and after its start. */
import { isDone } from '../../planning/fleet/host-work';
import { asksInstances } from '../../planning/rolling/ways-of-rolling';
import type { HostInList } from '../../prisma/session/session-list';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { openSecondsBetween, problemOf, whenOpenFor } from '../../windows/openings';
import type { SessionProgressBody } from '../schemas/summary-schemas';
import { type HostLeft, secondsLeftOf } from './expected-end';

/** The times that are expected of a host. */
export interface HostTimes {
  readonly maintenanceSeconds: (host: HostInList) => number;
  /** From its disable until it is empty. */
  readonly drainSeconds: (host: HostInList) => number;
}

export interface EndFacts {
  readonly session: Pick<
    SessionProgress,
    'workflow' | 'rolling' | 'maintenanceAt' | 'begunAt' | 'windows' | 'maxParallelHosts'
  >;
  readonly hosts: readonly HostInList[];
  readonly times: HostTimes;
  readonly now: Date;
}

type ShownEnd = Pick<SessionProgressBody, 'ends_at' | 'seconds_left'>;

const noEnd: ShownEnd = { ends_at: null, seconds_left: null };

/** The expected end of a session that is not over. */
export const expectedEnd = (facts: EndFacts): ShownEnd => {
  const { session, now } = facts;
  if (session.windows !== null && problemOf(session.windows) !== undefined) return noEnd;
  const left = secondsLeftOf({ ...workOf(facts), atOnce: atOnceOf(session), workedSeconds: workedSecondsOf(facts) });
  const from = new Date(Math.max(now.getTime(), session.begunAt === null ? session.maintenanceAt.getTime() : 0));
  const after =
    session.windows === null
      ? (seconds: number) => new Date(from.getTime() + seconds * 1000)
      : whenOpenFor(session.windows, from);
  const [earliest, expected, latest] = [after(left.earliest), after(left.expected), after(left.latest)];
  const inSeconds = (at: Date) => Math.ceil((at.getTime() - now.getTime()) / 1000);
  return {
    ends_at: {
      earliest: earliest.toISOString(),
      expected: expected.toISOString(),
      latest: latest.toISOString(),
    },
    seconds_left: { earliest: inSeconds(earliest), expected: inSeconds(expected), latest: inSeconds(latest) },
  };
};

export const withoutEnd = noEnd;

/** `default` drains one host after the other. */
const atOnceOf = (session: EndFacts['session']): number =>
  asksInstances(session) ? (session.maxParallelHosts ?? Infinity) : 1;

/** Zones are not asked about more days than that at each look: windows repeat, so the time before counts as alike. */
const lookBackMs = 31 * 86_400_000;

/** Time in which it was paused counts as work, since nobody writes it down: its pace then is thought slower. */
const workedSecondsOf = ({ session: { begunAt, windows }, now }: EndFacts): number | undefined => {
  if (begunAt === null) return undefined;
  const passedMs = now.getTime() - begunAt.getTime();
  if (windows === null) return passedMs / 1000;
  const seenMs = Math.min(passedMs, lookBackMs);
  if (seenMs <= 0) return 0;
  return (openSecondsBetween(windows, new Date(now.getTime() - seenMs), now) * passedMs) / seenMs;
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
