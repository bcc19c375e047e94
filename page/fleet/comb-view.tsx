/** The honeycomb of one group of hosts: one element for the tab key, in which the arrow keys lead from cell to cell. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { phaseWords } from '../../rules/words/phases';
import type { Host, HostPhase } from '../client/types';
import { useWidth } from '../parts/use-width';
import type { Pointed } from '../timeline/host-card';
import { cellAfterKey, cellAt, type Comb, combOf, middleOf, outlineOfCells } from './honeycomb';

interface CombViewProps {
  readonly id: string;
  readonly label: string;
  readonly hosts: readonly Host[];
  readonly radius: number;
  readonly onOpen: (hostname: string) => void;
  readonly onPoint: (pointed: Pointed | undefined) => void;
}

export const CombView = ({ id, label, hosts, radius, onOpen, onPoint }: CombViewProps) => {
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const comb = combOf(hosts.length, width, radius);
  const [chosen, choose] = useState(0);
  const at = Math.min(chosen, hosts.length - 1);
  const host = hosts[at];
  const openAt = (hit: Host | undefined): void => hit && onOpen(hit.hostname);
  const pointAt = (index: number | undefined): void => onPoint(pointedAt(index, { hosts, comb, room: room.current }));
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') onPoint(undefined);
    if (event.key === 'Enter') openAt(host);
    const to = cellAfterKey(event.key, at, comb);
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
    pointAt(to);
  };
  const cellOf = (event: MouseEvent): number | undefined => cellUnder(event, { comb, room: room.current });
  return (
    <div
      class="comb"
      ref={room}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={`${id}-cell`}
      onKeyDown={onKeyDown}
      onFocus={({ currentTarget }) => currentTarget.matches(':focus-visible') && pointAt(at)}
      onBlur={() => onPoint(undefined)}
      onMouseMove={(event) => pointAt(cellOf(event))}
      onMouseLeave={() => onPoint(undefined)}
      onClick={(event) => openAt(hosts[cellOf(event) ?? -1])}
    >
      <Cells hosts={hosts} comb={comb} at={at} />
      {host && <ActiveCell id={id} host={host} at={at} count={hosts.length} />}
    </div>
  );
};

const cellUnder = (
  { clientX, clientY }: MouseEvent,
  { comb, room }: Pick<PlacedCells, 'comb' | 'room'>,
): number | undefined => {
  const place = room?.getBoundingClientRect();
  return place && cellAt({ x: clientX - place.left, y: clientY - place.top }, comb);
};

interface ActiveCellProps {
  readonly id: string;
  readonly host: Host;
  readonly at: number;
  readonly count: number;
}

/** The picture has no words: these are read out. */
const ActiveCell = ({ id, host: { hostname, phase }, at, count }: ActiveCellProps) => (
  <span class="hidden" role="option" id={`${id}-cell`} aria-selected={true} aria-posinset={at + 1} aria-setsize={count}>
    {hostname} {phaseWords[phase]}
  </span>
);

interface PlacedCells {
  readonly hosts: readonly Host[];
  readonly comb: Comb;
  readonly room: HTMLElement | null;
}

const pointedAt = (index: number | undefined, { hosts, comb, room }: PlacedCells): Pointed | undefined => {
  const host = index === undefined ? undefined : hosts[index];
  if (index === undefined || host === undefined || room === null) return undefined;
  const place = room.getBoundingClientRect();
  const { x, y } = middleOf(index, comb);
  const [left, middle] = [place.left + x + comb.radius, place.top + y];
  return { hostname: host.hostname, left, top: middle - comb.radius, bottom: middle + comb.radius };
};

const Cells = ({ hosts, comb, at }: { readonly hosts: readonly Host[]; readonly comb: Comb; readonly at: number }) => {
  const paths = useMemo(() => pathsOf(hosts, comb), [hosts, comb.columns, comb.radius]);
  return (
    <svg class="cells" width="100%" height={comb.height} aria-hidden="true">
      {paths.map(({ phase, d }) => (
        <path key={phase} class={`cell ${phase}`} d={d} {...(phase === heldUp && { fill: 'url(#stripes)' })} />
      ))}
      <path class="cell-focus" d={outlineOfCells([at], comb)} />
    </svg>
  );
};

/** Hosts whose work waits have stripes, as on the timeline. */
const heldUp = 'held-up';

const isHeldUp = ({ phase, waiting }: Host): boolean => waiting !== null && phase !== 'waiting';

const pathsOf = (hosts: readonly Host[], comb: Comb) => {
  const indices = new Map<HostPhase | typeof heldUp, number[]>();
  const add = (phase: HostPhase | typeof heldUp, index: number): void => {
    const known = indices.get(phase);
    if (known === undefined) indices.set(phase, [index]);
    else known.push(index);
  };
  hosts.forEach((host, index) => add(host.phase, index));
  hosts.forEach((host, index) => isHeldUp(host) && add(heldUp, index));
  return [...indices].map(([phase, all]) => ({ phase, d: outlineOfCells(all, comb) }));
};
