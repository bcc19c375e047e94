/** How many hosts are left over time: as it was, and as the plan expects it with its range. */
import type { Host, Plan, Summary } from '../client/types';

export interface Step {
  readonly atMs: number;
  /** Hosts that are left from then on. */
  readonly left: number;
}

export interface BurnDown {
  readonly total: number;
  readonly past: readonly Step[];
  /** Empty: nobody knows. */
  readonly expected: readonly Step[];
  readonly earliest: readonly Step[];
  readonly latest: readonly Step[];
}

const over: ReadonlySet<string> = new Set(['maintained', 'skipped', 'set_aside']);

interface BurnDownFacts {
  readonly hosts: readonly Pick<Host, 'hostname' | 'phase' | 'phase_since'>[];
  readonly plan: Pick<Plan, 'hosts' | 'ends_at'> | undefined;
  readonly session: Pick<Summary, 'begun_at' | 'created_at'>;
  readonly atMs: number;
}

export const burnDownOf = ({ hosts, plan, session, atMs }: BurnDownFacts): BurnDown => {
  const total = hosts.length;
  const ends = endTimesOf(hosts);
  const beginMs = Math.min(Date.parse(session.begun_at ?? session.created_at), ends[0] ?? Infinity);
  const past = [{ atMs: beginMs, left: total }, ...downFrom(total, ends), { atMs, left: total - ends.length }];
  const left = new Set(hosts.filter(({ phase }) => !over.has(phase)).map(({ hostname }) => hostname));
  const toCome = expectedEnds(plan, left, atMs);
  const expected = toCome.length === 0 ? [] : [{ atMs, left: left.size }, ...downFrom(left.size, toCome)];
  const stretched = (endAt: string | undefined): Step[] => stretch(expected, atMs, endAt);
  return {
    ...{ total, past, expected },
    earliest: stretched(plan?.ends_at?.earliest),
    latest: stretched(plan?.ends_at?.latest),
  };
};

const endTimesOf = (hosts: BurnDownFacts['hosts']): number[] =>
  hosts
    .filter(({ phase }) => over.has(phase))
    .map(({ phase_since: since }) => Date.parse(since))
    .toSorted((one, other) => one - other);

const downFrom = (count: number, ends: readonly number[]): Step[] =>
  ends.map((atMs, index) => ({ atMs, left: count - index - 1 }));

const expectedEnds = (plan: BurnDownFacts['plan'], left: ReadonlySet<string>, nowMs: number): number[] =>
  (plan?.hosts ?? [])
    .filter(({ hostname }) => left.has(hostname))
    .flatMap(({ maintenance, drain }) => maintenance?.to ?? drain?.to ?? [])
    .map((to) => Math.max(nowMs, Date.parse(to)))
    .toSorted((one, other) => one - other);

/** The range is known of the end alone: the way there is as the expected one, longer or shorter. */
const stretch = (expected: readonly Step[], nowMs: number, endAt: string | undefined): Step[] => {
  const last = expected.at(-1)?.atMs ?? nowMs;
  if (endAt === undefined || last <= nowMs) return [];
  const factor = Math.max(0, Date.parse(endAt) - nowMs) / (last - nowMs);
  return expected.map(({ atMs, left }) => ({ atMs: nowMs + (atMs - nowMs) * factor, left }));
};

const hourMs = 3_600_000;

export interface Pace {
  /** Hosts an hour in the last hour, or since the begin where that was later; undefined: it has just begun. */
  readonly lately: number | undefined;
  readonly sinceBegin: number | undefined;
  /** undefined: nobody knows. */
  readonly byPlan: number | undefined;
}

/** Less time says nothing about an hour. */
const leastMs = 60_000;

export const paceOf = ({ past, expected }: BurnDown): Pace => {
  const [first, last, end] = [past[0], past.at(-1), expected.at(-1)];
  if (first === undefined || last === undefined) return { lately: undefined, sinceBegin: undefined, byPlan: undefined };
  const fromMs = Math.max(first.atMs, last.atMs - hourMs);
  const before = past.findLast(({ atMs }) => atMs <= fromMs)?.left ?? first.left;
  const perHour = (hosts: number, ms: number): number | undefined => (ms < leastMs ? undefined : (hosts * hourMs) / ms);
  return {
    lately: perHour(before - last.left, last.atMs - fromMs),
    sinceBegin: perHour(first.left - last.left, last.atMs - first.atMs),
    byPlan: end && perHour(last.left - end.left, end.atMs - last.atMs),
  };
};
