/** The hosts over time, with a filter by phase and by name. */
import type { ComponentChildren } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { phaseWords } from '../../rules/words/phases';
import type { Detail, HostPhase, Plan, Summary } from '../client/types';
import { nowMs } from '../live/clock';
import { type Seen, serviceNow } from '../live/count-down';
import { LookNote } from '../parts/look-note';
import { goTo, route } from '../route';
import { instancesByHost } from '../timeline/instances-on';
import { type Range, rangeOf, type Span, spansExpected, spansSoFar } from '../timeline/layout';
import { Legend } from '../timeline/legend';
import { boundsOf } from '../timeline/marks';
import { hostsInOrder } from '../timeline/order';
import { Timeline } from '../timeline/timeline';
import { HostDialog } from './host-dialog';
import type { SessionLooks } from './session-looks';

const phases = Object.keys(phaseWords) as HostPhase[];

export const HostsPart = ({ seen, looks }: { readonly seen: Seen<Summary>; readonly looks: SessionLooks }) => {
  const hosts = looks.hosts.seen.value?.body;
  const { session_id: sessionId } = seen.body;
  const opened = route.value.name === 'session' ? route.value.hostname : undefined;
  const open = (hostname: string): void => goTo({ name: 'session', sessionId, hostname });
  const host = hosts?.hosts.find(({ hostname }) => hostname === opened);
  return (
    <section aria-labelledby="hosts">
      <h2 id="hosts">Hosts</h2>
      <LookNote look={looks.hosts} />
      {hosts !== undefined && <Chosen detail={hosts} seen={seen} plan={looks.plan.seen.value?.body} onOpen={open} />}
      {host !== undefined && (
        <HostDialog host={host} seen={seen} looks={looks} onClose={() => goTo({ name: 'session', sessionId })} />
      )}
    </section>
  );
};

interface ChosenProps {
  readonly detail: Detail;
  readonly seen: Seen<Summary>;
  readonly plan: Plan | undefined;
  readonly onOpen: (hostname: string) => void;
}

const Chosen = ({ detail, seen, plan, onOpen }: ChosenProps) => {
  const [chosen, choose] = useState<ReadonlySet<HostPhase>>(new Set());
  const [text, setText] = useState('');
  const planned = useMemo(() => new Map(plan?.hosts.map((host) => [host.hostname, host])), [plan]);
  const shown = useMemo(() => {
    const turnOf = (hostname: string): number | undefined => {
      const from = planned.get(hostname)?.drain?.from;
      return from === undefined ? undefined : Date.parse(from);
    };
    return hostsInOrder(detail.hosts, { phases: chosen, text }, turnOf);
  }, [detail, planned, chosen, text]);
  const atMs = endOf(seen.body) ?? serviceNow(seen, nowMs.value);
  const names = useMemo(() => instancesByHost(detail, plan), [detail, plan]);
  const spans = useMemo(() => allSpans(detail, plan, atMs), [detail, plan]);
  const bounds = useMemo(() => boundsOf(plan, seen.body), [plan, seen.body.deadline, seen.body.begun_at]);
  const toggle = (phase: HostPhase): void =>
    choose(new Set(chosen.has(phase) ? [...chosen].filter((one) => one !== phase) : [...chosen, phase]));
  return (
    <>
      <Filters summary={seen.body} chosen={chosen} onToggle={toggle} text={text} onType={setText}>
        <Legend hasClosed={bounds.closed.length > 0} />
      </Filters>
      <Timeline
        hosts={shown}
        planned={planned}
        range={rangeAt(spans, seen.body, atMs)}
        nowMs={atMs}
        onOpen={onOpen}
        bounds={bounds}
        instancesOf={(hostname) => names.get(hostname) ?? []}
      />
      {shown.length === 0 && <p class="hint">No host matches.</p>}
    </>
  );
};

interface FiltersProps {
  readonly summary: Summary;
  readonly chosen: ReadonlySet<HostPhase>;
  readonly onToggle: (phase: HostPhase) => void;
  readonly text: string;
  readonly onType: (text: string) => void;
  readonly children: ComponentChildren;
}

const Filters = ({ summary, chosen, onToggle, text, onType, children }: FiltersProps) => (
  <div class="filters">
    {phases
      .filter((phase) => summary.hosts_by_phase[phase] > 0)
      .map((phase) => (
        <button key={phase} class="button filter" aria-pressed={chosen.has(phase)} onClick={() => onToggle(phase)}>
          {phaseWords[phase]} <span class="number">{summary.hosts_by_phase[phase]}</span>
        </button>
      ))}
    <label>
      <span class="hidden">Find a host</span>
      <input
        type="search"
        placeholder="Find a host"
        value={text}
        onInput={({ currentTarget: { value } }) => onType(value)}
      />
    </label>
    {children}
  </div>
);

/** Takes all hosts, also those that are not shown, so that a filter moves nothing. */
const allSpans = (detail: Detail, plan: Plan | undefined, atMs: number): readonly Span[] => [
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

/** The timeline ends with its session. */
const endOf = ({ ended_at: at }: Summary): number | undefined => (at === null ? undefined : Date.parse(at));
