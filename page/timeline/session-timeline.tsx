/** The timeline of a session, from its first work to its end. */
import { useMemo } from 'preact/hooks';
import type { Host, HostsInTime, Plan, PlannedHost, Summary } from '../client/types';
import { instancesByHost } from './instances-on';
import { type Range, rangeOf, type Span, spansExpected, spansSoFar } from './layout';
import { Legend } from './legend';
import { boundsOf } from './marks';
import { Timeline } from './timeline';

export interface SessionHosts {
  readonly detail: HostsInTime;
  readonly summary: Summary;
  readonly plan: Plan | undefined;
  /** The same by the name of the host. */
  readonly planned: ReadonlyMap<string, PlannedHost>;
  /** The hosts that the filters leave, in their order. */
  readonly shown: readonly Host[];
  /** The present by the clock of the service, or the end of the session. */
  readonly atMs: number;
  readonly onOpen: (hostname: string) => void;
}

export const SessionTimeline = ({ detail, summary, plan, planned, shown, atMs, onOpen }: SessionHosts) => {
  const names = useMemo(() => instancesByHost(detail, plan), [detail, plan]);
  const spans = useMemo(() => allSpans(detail, plan, atMs), [detail, plan]);
  const bounds = useMemo(() => boundsOf(plan, summary), [plan, summary.deadline, summary.begun_at, summary.ended_at]);
  return (
    <>
      <Legend hasClosed={bounds.closed.length > 0} />
      <Timeline
        hosts={shown}
        planned={planned}
        range={rangeAt(spans, summary, atMs)}
        nowMs={atMs}
        onOpen={onOpen}
        bounds={bounds}
        instancesOf={(hostname) => names.get(hostname) ?? []}
      />
    </>
  );
};

/** Takes all hosts, also those that are not shown, so that a filter moves nothing. */
const allSpans = (detail: HostsInTime, plan: Plan | undefined, atMs: number): readonly Span[] => [
  ...detail.hosts.flatMap((host) => spansSoFar(host, atMs)),
  ...(plan?.hosts ?? []).flatMap((host) => spansExpected(host, atMs)),
];

const rangeAt = (spans: readonly Span[], { ends_at: end, deadline }: Summary, atMs: number): Range => {
  const range = rangeOf(spans, [atMs, ...(end === null ? [] : [Date.parse(end.expected)])]);
  const deadlineMs = deadline === null ? atMs : Date.parse(deadline);
  return isNear(deadlineMs, range) ? rangeOf(spans, [atMs, range.toMs, deadlineMs]) : range;
};

/** A deadline that is farther away would leave no room for the hosts. */
const isNear = (atMs: number, { fromMs, toMs }: Range): boolean => atMs > toMs && atMs < toMs + (toMs - fromMs) / 2;
