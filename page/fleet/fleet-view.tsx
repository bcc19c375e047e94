/** All hosts of a session at a glance: a cell for each, by zone, another label, or the beginning of the name. */
import { useSignal } from '@preact/signals';
import { useMemo, useState } from 'preact/hooks';
import { phaseWords } from '../../rules/words/phases';
import { count } from '../../rules/words/times';
import type { Host, HostPhase } from '../client/types';
import { Select } from '../parts/fields';
import { Stripes } from '../timeline/host-bar';
import { HostCard, type Pointed } from '../timeline/host-card';
import { instancesByHost } from '../timeline/instances-on';
import type { SessionHosts } from '../timeline/session-timeline';
import { CombView } from './comb-view';
import { type Grouped, type Grouping, groupingsOf, groupsOf, type LabelsOf, wordsOfGrouping } from './groups';
import { combOf, outlineOfCells, radiusFor } from './honeycomb';
import { useLabels } from './use-labels';

const phases = Object.keys(phaseWords) as HostPhase[];

export const FleetView = ({ detail, plan, planned, shown, atMs, onOpen }: SessionHosts) => {
  const labelsOf = useLabels();
  const names = useMemo(() => instancesByHost(detail, plan), [detail, plan]);
  const { by, groupings, choose } = useGrouping(detail.hosts, labelsOf);
  const groups = useMemo(() => groupsOf(shown, by, labelsOf), [shown, by, labelsOf]);
  const pointed = useSignal<Pointed | undefined>(undefined);
  return (
    <div class="fleet">
      <Stripes />
      <div class="view-bar">
        <Select label="Group by" options={offered(groupings)} value={by} onChange={choose} />
        <PhaseKey hosts={shown} />
      </div>
      <div class={groups.length > 1 ? 'combs many' : 'combs'}>
        {groups.map((group, at) => (
          <section key={group.name} class={classOf(group)} aria-label={nameOf(group)}>
            <GroupHead group={group} />
            <CombView
              {...{ id: `comb-${at}`, label: `Hosts: ${nameOf(group)}`, hosts: group.hosts, onOpen }}
              radius={radiusFor(shown.length)}
              onPoint={(one) => (pointed.value = one)}
            />
          </section>
        ))}
      </div>
      <HostCard
        pointed={pointed}
        nowMs={atMs}
        factsOf={(hostname) => {
          const host = shown.find((one) => one.hostname === hostname);
          return host && { host, planned: planned.get(hostname), instances: names.get(hostname) ?? [] };
        }}
      />
    </div>
  );
};

const offered = (groupings: readonly Grouping[]) => groupings.map((one) => [one, wordsOfGrouping(one)] as const);

const useGrouping = (hosts: readonly Host[], labelsOf: LabelsOf) => {
  const groupings = useMemo(
    () =>
      groupingsOf(
        hosts.map(({ hostname }) => hostname),
        labelsOf,
      ),
    [hosts, labelsOf],
  );
  const [chosen, choose] = useState<Grouping | undefined>(undefined);
  const by = chosen !== undefined && groupings.includes(chosen) ? chosen : (groupings[0] ?? 'none');
  return { by, groupings, choose };
};

const nameOf = ({ name }: Grouped<Host>): string => (name === '' ? 'all' : name);

/** More hosts than these take the whole width: beside others they would be several screens high. */
const mostBesideOthers = 400;

const classOf = ({ hosts }: Grouped<Host>): string =>
  hosts.length > mostBesideOthers ? 'comb-group wide' : 'comb-group';

const GroupHead = ({ group }: { readonly group: Grouped<Host> }) => {
  const done = group.hosts.filter(({ phase }) => phase === 'maintained').length;
  return (
    <h3 class="comb-head">
      {nameOf(group)}
      <span class="hint">
        {done} of {count(group.hosts.length, 'host')} maintained
      </span>
    </h3>
  );
};

const keyComb = combOf(1, 20, 9);

/** The meaning of the cells that are there. */
const PhaseKey = ({ hosts }: { readonly hosts: readonly Host[] }) => {
  const counts = Map.groupBy(hosts, ({ phase }) => phase);
  return (
    <ul class="key" aria-label="Legend">
      {phases
        .filter((phase) => counts.has(phase))
        .map((phase) => (
          <li key={phase} class="key-entry">
            <svg width="18" height="18" aria-hidden="true">
              <path class={`cell ${phase}`} d={outlineOfCells([0], keyComb)} />
            </svg>
            {phaseWords[phase]}
          </li>
        ))}
      <li class="key-entry">
        <svg width="18" height="18" aria-hidden="true">
          <path class="cell emptying" d={outlineOfCells([0], keyComb)} />
          <path class="cell" fill="url(#stripes)" d={outlineOfCells([0], keyComb)} />
        </svg>
        held up
      </li>
    </ul>
  );
};
