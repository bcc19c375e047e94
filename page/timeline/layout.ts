/** Where everything lies on the timeline: spans of hosts, from what was and what is expected. */
import type { Host, HostPhase, PlannedHost } from '../client/types';

export type SpanKind =
  'draining' | 'maintaining' | 'waits' | 'failed' | 'skipped' | 'expected-draining' | 'expected-maintaining';

/** This is drawn as a line, because nothing happens to the host. */
export const isThin = (kind: SpanKind): boolean => kind === 'skipped';

/** This is drawn over the bar of the work that waits. */
export const isOver = (kind: SpanKind): boolean => kind === 'waits';

export interface Span {
  readonly kind: SpanKind;
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Range {
  readonly fromMs: number;
  readonly toMs: number;
}

export type HostOfTimeline = Pick<
  Host,
  'hostname' | 'phase' | 'phase_since' | 'past_phases' | 'drain_started_at' | 'waiting'
> &
  Partial<Pick<Host, 'details'>>;
type Expected = Pick<PlannedHost, 'drain' | 'maintenance'>;

/** A span that would end before it begins is not there. */
const span = (kind: SpanKind, fromMs: number, toMs: number): Span[] => (toMs < fromMs ? [] : [{ kind, fromMs, toMs }]);

/** A host that goes back to use without maintenance is drained no longer than that. */
const kindOfPhase: Readonly<Partial<Record<HostPhase, SpanKind>>> = {
  emptying: 'draining',
  releasing: 'draining',
  maintaining: 'maintaining',
  failed: 'failed',
  set_aside: 'failed',
  skipped: 'skipped',
};

/** Everything that happened to a host, up to now, also before it was retried or skipped. */
export const spansSoFar = (host: HostOfTimeline, nowMs: number): Span[] => {
  const phases = [...host.past_phases, { phase: host.phase, since: host.phase_since }].map(({ phase, since }) => ({
    kind: kindOfPhase[phase],
    fromMs: Date.parse(since),
  }));
  const past = phases.flatMap(({ kind, fromMs }, at) =>
    kind === undefined ? [] : span(kind, fromMs, phases[at + 1]?.fromMs ?? nowMs),
  );
  return [...past, ...waits(host, nowMs)];
};

const waits = ({ phase, phase_since: phaseSince, waiting }: HostOfTimeline, nowMs: number): Span[] =>
  waiting !== null && kindOfPhase[phase] === 'draining'
    ? span('waits', Date.parse(waiting.since ?? phaseSince), nowMs)
    : [];

const isDone = ({ phase }: HostOfTimeline): boolean => !['waiting', 'emptying', 'maintaining'].includes(phase);

/** Past and future. A plan is older than what has become of a host since: what is over is not expected again. */
export const spansOf = (host: HostOfTimeline, expected: Expected | undefined, nowMs: number): Span[] => {
  if (isDone(host) || expected === undefined) return spansSoFar(host, nowMs);
  const rest = host.phase === 'maintaining' ? { ...expected, drain: null } : expected;
  return [...spansSoFar(host, nowMs), ...spansExpected(rest, nowMs)];
};

/** The future, by the plan. */
export const spansExpected = (expected: Expected | undefined, nowMs: number): Span[] => {
  const rest = (kind: SpanKind, planned: Expected['drain']): Span[] =>
    planned === null ? [] : span(kind, Math.max(nowMs, Date.parse(planned.from)), Date.parse(planned.to));
  return expected === undefined
    ? []
    : [...rest('expected-draining', expected.drain), ...rest('expected-maintaining', expected.maintenance)];
};

const shortestRangeMs = 60_000;

/** Reaches from the first drain to the last end, with the present in it and some space after it. */
export const rangeOf = (spans: readonly Span[], moments: readonly number[]): Range => {
  let [fromMs, toMs] = [Infinity, -Infinity];
  for (const one of spans) {
    fromMs = Math.min(fromMs, one.fromMs);
    toMs = Math.max(toMs, one.toMs);
  }
  for (const at of moments) {
    fromMs = Math.min(fromMs, at);
    toMs = Math.max(toMs, at);
  }
  const length = Math.max(toMs - fromMs, shortestRangeMs);
  return { fromMs: fromMs - length * 0.01, toMs: fromMs + length * 1.04 };
};

/** Percent of the width. */
export const placeOf = (atMs: number, { fromMs, toMs }: Range): number =>
  Math.min(100, Math.max(0, ((atMs - fromMs) / (toMs - fromMs)) * 100));

const minute = 60_000;
const hour = 60 * minute;
const steps = [
  ...[10_000, 30_000, minute, 2 * minute, 5 * minute, 10 * minute, 15 * minute, 30 * minute],
  ...[hour, 2 * hour, 3 * hour, 6 * hour, 12 * hour, 24 * hour, 48 * hour, 168 * hour],
];

/** Round times, at most this number. @param zoneMs of the reader's zone before UTC, so that hours are round there */
export const ticksOf = ({ fromMs, toMs }: Range, most: number, zoneMs = 0): number[] => {
  const step = steps.find((one) => (toMs - fromMs) / one <= most) ?? Math.ceil((toMs - fromMs) / most);
  const first = Math.ceil((fromMs - zoneMs) / step) * step + zoneMs;
  return Array.from({ length: Math.max(0, Math.floor((toMs - first) / step) + 1) }, (_, at) => first + at * step);
};
