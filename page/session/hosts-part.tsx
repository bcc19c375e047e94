/** The hosts of a session in several views, with a filter by phase and by name. */
import { useMemo, useState } from 'preact/hooks';
import { phaseWords } from '../../rules/words/phases';
import type { HostPhase, HostsInTime, Plan, Summary } from '../client/types';
import { BurnDownView } from '../fleet/burn-down-view';
import { FleetView } from '../fleet/fleet-view';
import { type HostsView, keepView, keptView, viewWords } from '../fleet/kept-view';
import { Tabs } from '../fleet/tabs';
import { nowMs } from '../live/clock';
import { type Seen, serviceNow } from '../live/count-down';
import { SessionMoves } from '../moves/session-moves';
import { Search } from '../parts/fields';
import { LookNote } from '../parts/look-note';
import { goTo, route } from '../route';
import { hostsInOrder } from '../timeline/order';
import { SessionTimeline } from '../timeline/session-timeline';
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
      <h2 id="hosts" class="hidden">
        Hosts
      </h2>
      <LookNote look={looks.hosts} />
      {hosts !== undefined && <Chosen detail={hosts} seen={seen} plan={looks.plan.seen.value?.body} onOpen={open} />}
      {hosts !== undefined && opened !== undefined && host === undefined && (
        <p class="note">The session does not have a host {opened}.</p>
      )}
      {host !== undefined && (
        <HostDialog host={host} seen={seen} looks={looks} onClose={() => goTo({ name: 'session', sessionId })} />
      )}
    </section>
  );
};

interface ChosenProps {
  readonly detail: HostsInTime;
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
  const [view, setView] = useState(keptView);
  const look = (to: HostsView): void => {
    keepView(to);
    setView(to);
  };
  const hosts = { detail, summary: seen.body, plan, planned, shown, atMs, onOpen };
  const toggle = (phase: HostPhase): void =>
    choose(new Set(chosen.has(phase) ? [...chosen].filter((one) => one !== phase) : [...chosen, phase]));
  return (
    <>
      <Tabs label="Views of the hosts" tabs={viewWords} chosen={view} onChoose={look}>
        <Filters summary={seen.body} chosen={chosen} onToggle={toggle} text={text} onType={setText} />
        {view === 'timeline' && <SessionTimeline {...hosts} />}
        {view === 'fleet' && <FleetView {...hosts} />}
        {view === 'moves' && <SessionMoves {...hosts} />}
        {view === 'burn-down' && <BurnDownView {...hosts} />}
      </Tabs>
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
}

const Filters = ({ summary, chosen, onToggle, text, onType }: FiltersProps) => (
  <div class="filters">
    {phases
      .filter((phase) => summary.hosts_by_phase[phase] > 0 || chosen.has(phase))
      .map((phase) => (
        <button key={phase} class="button filter" aria-pressed={chosen.has(phase)} onClick={() => onToggle(phase)}>
          {phaseWords[phase]} <span class="number">{summary.hosts_by_phase[phase]}</span>
        </button>
      ))}
    <Search label="Find a host" value={text} onType={onType} />
  </div>
);

/** The timeline ends with its session. */
const endOf = ({ ended_at: at }: Summary): number | undefined => (at === null ? undefined : Date.parse(at));
