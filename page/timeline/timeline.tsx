/** The hosts of a session over time: what was, what is, and what is expected, in outline. */
import { inWords } from '../../rules/reasons/in-words';
import { phaseWords } from '../../rules/words/phases';
import type { PlannedHost } from '../client/types';
import { Chip } from '../parts/chip';
import { VirtualList } from '../parts/virtual-list';
import { phaseTones } from '../parts/words-of-progress';
import { Axis } from './axis';
import { HostBar } from './host-bar';
import { type HostOfTimeline, type Range, spansOf } from './layout';

export interface TimelineProps {
  /** The hosts in the order in which they are shown. */
  readonly hosts: readonly HostOfTimeline[];
  readonly planned: ReadonlyMap<string, PlannedHost>;
  readonly range: Range;
  /** The present by the clock of the service. */
  readonly nowMs: number;
  readonly onOpen: (hostname: string) => void;
}

const rowHeight = 32;

export const Timeline = ({ hosts, planned, range, nowMs, onOpen }: TimelineProps) => (
  <div class="timeline">
    <VirtualList
      label="Hosts"
      head={
        <div class="timeline-head" aria-hidden="true">
          <span>Host</span>
          <span class="wide-only">Phase</span>
          <Axis range={range} nowMs={nowMs} most={matchMedia('(max-width: 40rem)').matches ? 2 : 8} />
        </div>
      }
      rows={hosts}
      rowHeight={rowHeight}
      keyOf={({ hostname }) => hostname}
      onOpen={({ hostname }) => onOpen(hostname)}
      show={(host) => (
        <>
          <span class="host-name">{host.hostname}</span>{' '}
          <Chip tone={phaseTones[host.phase]}>{phaseWords[host.phase]}</Chip>
          {host.waiting !== null && <span class="hidden"> waits for {inWords(host.waiting)}</span>}
          <HostBar spans={spansOf(host, planned.get(host.hostname), nowMs)} range={range} nowMs={nowMs} />
        </>
      )}
    />
  </div>
);
