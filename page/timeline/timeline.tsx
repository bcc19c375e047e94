/** The hosts of a session over time: the past, the present, and the expected times in outline. */
import { type Signal, useSignal } from '@preact/signals';
import type { ComponentChildren, RefObject } from 'preact';
import { useRef } from 'preact/hooks';
import { phaseWords } from '../../rules/words/phases';
import type { PlannedHost } from '../client/types';
import { Chip } from '../parts/chip';
import { useWidth } from '../parts/use-width';
import { VirtualList } from '../parts/virtual-list';
import { phaseTones } from '../parts/words-of-progress';
import { Axis } from './axis';
import { HostBar, type HostBarProps, rowHeight, Stripes } from './host-bar';
import { cardId, HostCard, type HostCardFacts, type Pointed } from './host-card';
import { type HostOfTimeline, type Range, spansOf } from './layout';
import type { Bounds } from './marks';
import { noteOf } from './notes';
import { clockOn } from './tick-words';
import { useView } from './use-view';
import { ViewButtons, type ViewButtonsProps } from './view-buttons';

export interface TimelineProps {
  /** The hosts in the order in which they are shown. */
  readonly hosts: readonly HostOfTimeline[];
  readonly planned: ReadonlyMap<string, PlannedHost>;
  /** All of the time; the view may be a part of it. */
  readonly range: Range;
  /** The present by the clock of the service. */
  readonly nowMs: number;
  readonly onOpen: (hostname: string) => void;
  readonly bounds?: Bounds;
  /** The names of the instances on a host, or of those that will leave it; left out: nobody knows them. */
  readonly instancesOf?: (hostname: string) => readonly string[];
}

const noBounds: Bounds = { closed: [], marks: [] };
const noInstances = (): readonly string[] => [];

export const Timeline = ({ bounds = noBounds, instancesOf = noInstances, ...props }: TimelineProps) => {
  const { hosts, planned, nowMs, range: whole } = props;
  const room = useRef<HTMLDivElement>(null);
  const lane = useRef<HTMLDivElement>(null);
  const width = useWidth(lane);
  const { range, isWhole, move, handlers } = useView({ whole, nowMs, lane, room });
  const pointed = useSignal<Pointed | undefined>(undefined);
  const factsOf = (host: HostOfTimeline) => ({
    ...{ host, planned: planned.get(host.hostname), instances: instancesOf(host.hostname) },
  });
  return (
    <div class={`timeline ${isWhole ? '' : 'zoomed'}`} ref={room} {...handlers}>
      <Stripes />
      <VirtualList
        label="Hosts"
        head={
          <Head lane={lane} isWhole={isWhole} onMove={move}>
            <Axis range={range} nowMs={nowMs} bounds={bounds} width={width} />
          </Head>
        }
        rows={hosts}
        rowHeight={rowHeight}
        keyOf={({ hostname }) => hostname}
        onOpen={({ hostname }) => props.onOpen(hostname)}
        onPoint={(host, at) => point(pointed, host, at)}
        describedBy={cardId}
        show={(host) => <Row facts={factsOf(host)} lane={{ range, nowMs, bounds, width }} />}
      />
      <HostCard
        pointed={pointed}
        nowMs={nowMs}
        factsOf={(hostname) => hosts.filter((one) => one.hostname === hostname).map(factsOf)[0]}
      />
    </div>
  );
};

interface HeadProps extends ViewButtonsProps {
  readonly lane: RefObject<HTMLDivElement | null>;
  readonly children: ComponentChildren;
}

const Head = ({ lane, children, ...view }: HeadProps) => (
  <div class="timeline-head">
    <div>
      Host
      <ViewButtons {...view} />
    </div>
    <span class="wide-only">Phase</span>
    <div ref={lane} class="time-lane">
      {children}
    </div>
  </div>
);

interface RowProps {
  readonly facts: HostCardFacts;
  readonly lane: Pick<HostBarProps, 'range' | 'nowMs' | 'bounds' | 'width'>;
}

const Row = ({ facts: { host, planned, instances }, lane }: RowProps) => {
  const clockOf = (time: string): string => clockOn(time, lane.nowMs);
  const note = noteOf(host, { planned, instances: instances.length || undefined, clockOf });
  return (
    <>
      <span class="host-name">{host.hostname}</span> <Chip tone={phaseTones[host.phase]}>{phaseWords[host.phase]}</Chip>
      {note !== '' && <span class="hidden"> {note}</span>}
      <HostBar spans={spansOf(host, planned, lane.nowMs)} note={note} {...lane} />
    </>
  );
};

/** How far from the begin of the row its card stands, which leaves its name in sight. */
const besideName = 120;

const point = (pointed: Signal<Pointed | undefined>, host: HostOfTimeline | undefined, at: DOMRect): void => {
  pointed.value = host && { hostname: host.hostname, left: at.left + besideName, top: at.top, bottom: at.bottom };
};
