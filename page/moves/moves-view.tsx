/** The map of moves: what leaves which place for which, at any time from the begin of the session to its end. */
import { useMemo, useRef, useState } from 'preact/hooks';
import { count } from '../../rules/words/times';
import type { BegunMove, Plan } from '../client/types';
import { type Grouping, groupingsOf, groupOf, type LabelsOf, wordsOfGrouping } from '../fleet/groups';
import { Select } from '../parts/fields';
import { useWidth } from '../parts/use-width';
import { clockOn } from '../timeline/tick-words';
import { FlowPicture } from './flow-picture';
import { FlowTable } from './flow-table';
import { coloursOf, flowsOf, withFewPlaces } from './flows';
import { countsAt, type MapMove, movesOf, type MoveState, states } from './moves-in-time';

export interface MovesViewProps {
  readonly begun: readonly BegunMove[];
  readonly plan: Pick<Plan, 'moves'> | undefined;
  readonly nowMs: number;
  readonly labelsOf: LabelsOf;
  /** True for a host whose moves are shown. */
  readonly isShown: (hostname: string) => boolean;
}

/** Host by host up to this number of hosts that instances leave. */
const mostHosts = 24;

export const MovesView = ({ begun, plan, nowMs, labelsOf, isShown }: MovesViewProps) => {
  const stepMs = Math.floor(nowMs / 5_000) * 5_000;
  const all = useMemo(() => movesOf(begun, plan?.moves ?? [], stepMs), [begun, plan, stepMs]);
  const moves = useMemo(() => all.filter(({ from }) => isShown(from)), [all, isShown]);
  const [chosenMs, choose] = useState<number | undefined>(undefined);
  const [colours, setColours] = useState<'tenant' | 'state'>('tenant');
  const hosts = useMemo(() => [...new Set(moves.flatMap(({ from, to }) => [from, ...(to ? [to] : [])]))], [moves]);
  const groupings = useMemo(() => groupingsOf(hosts, labelsOf), [hosts, labelsOf]);
  const [places, setPlaces] = useState<Places | undefined>(undefined);
  const usual = useMemo(
    () => (new Set(moves.map(({ from }) => from)).size > mostHosts ? (groupings[0] ?? 'host') : 'host'),
    [moves, groupings],
  );
  const by = places ?? usual;
  const placeOf = useMemo(() => placeBy(by, labelsOf), [by, labelsOf]);
  if (moves.length === 0) return <p class="hint">{noMoves(all.length, plan !== undefined)}</p>;
  const atMs = chosenMs ?? stepMs;
  return (
    <div class="moves">
      <div class="view-bar">
        <TimeSlider moves={moves} nowMs={stepMs} atMs={atMs} isNow={chosenMs === undefined} onChoose={choose} />
        <Select<Places>
          label="From and to"
          options={placesOffered(groupings)}
          value={by === 'none' ? 'host' : by}
          onChange={setPlaces}
        />
        <Select label="Colours" options={coloursOffered} value={colours} onChange={setColours} />
      </div>
      <Picture moves={moves} atMs={atMs} nowMs={stepMs} colours={colours} placeOf={placeOf} />
    </div>
  );
};

const noMoves = (all: number, isPlanned: boolean): string => {
  if (all > 0) return 'No move matches.';
  return isPlanned ? 'No instance has moved, and the plan expects no move.' : 'No instance has moved yet.';
};

type Places = Grouping | 'host';

const placeBy =
  (by: Places, labelsOf: LabelsOf) =>
  (host: string): string =>
    by === 'host' || by === 'none' ? host : groupOf(host, by, labelsOf);

interface PictureProps {
  readonly moves: readonly MapMove[];
  readonly atMs: number;
  readonly nowMs: number;
  readonly colours: 'tenant' | 'state';
  readonly placeOf: (host: string) => string;
}

const Picture = ({ moves, atMs, nowMs, colours, placeOf }: PictureProps) => {
  const room = useRef<HTMLDivElement>(null);
  const width = useWidth(room);
  const tenants = useMemo(() => coloursOf(moves), [moves]);
  const flows = useMemo(() => withFewPlaces(flowsOf(moves, atMs, placeOf)), [moves, atMs, placeOf]);
  const classOf = (flow: { readonly tenant: string; readonly state: MoveState }): string =>
    colours === 'state' ? `of-${flow.state.replace(' ', '-')}` : `series-${tenants.get(flow.tenant) ?? 'other'}`;
  const counts = useMemo(() => countsAt(moves, atMs), [moves, atMs]);
  const isAll = useMemo(() => moves.every(({ tenant }) => tenants.has(tenant)), [moves, tenants]);
  const words = `${clockOn(atMs, nowMs)}: ${inWords(counts, moves.length)}`;
  return (
    <>
      <p class="moves-sum">
        {words}
        <Key colours={colours} tenants={tenants} isAll={isAll} />
      </p>
      <div class="flow-room" ref={room}>
        <FlowPicture flows={flows} width={width} label={`Moves of instances at ${words}`} classOf={classOf} />
      </div>
      <FlowTable flows={flows} />
    </>
  );
};

const inWords = (counts: Readonly<Record<MoveState, number>>, all: number): string => {
  const parts = states.filter((state) => counts[state] > 0).map((state) => `${counts[state]} ${stateWords[state]}`);
  return `${parts.join(', ')}, of ${count(all, 'move')}`;
};

const stateWords: Readonly<Record<MoveState, string>> = {
  done: 'done',
  moving: 'under way',
  'to come': 'to come',
  stayed: 'failed',
};

interface KeyProps {
  readonly colours: 'tenant' | 'state';
  readonly tenants: ReadonlyMap<string, number>;
  readonly isAll: boolean;
}

/** The meaning of the colours. A move to come is pale, whatever its colour. */
const Key = ({ colours, tenants, isAll }: KeyProps) => (
  <span class="key">
    {colours === 'state'
      ? states.map((state) => <KeyEntry key={state} name={`of-${state.replace(' ', '-')}`} words={stateWords[state]} />)
      : [...tenants].map(([tenant, at]) => <KeyEntry key={tenant} name={`series-${at}`} words={tenant} />)}
    {colours === 'tenant' && !isAll && <KeyEntry name="series-other" words="other tenants" />}
    {colours === 'tenant' && <span class="hint">pale: to come</span>}
  </span>
);

const KeyEntry = ({ name, words }: { readonly name: string; readonly words: string }) => (
  <span class="key-entry">
    <svg width="14" height="14" aria-hidden="true">
      <rect class={`swatch ${name}`} width="14" height="14" rx="3" />
    </svg>
    {words}
  </span>
);

interface TimeSliderProps {
  readonly moves: readonly MapMove[];
  readonly nowMs: number;
  readonly atMs: number;
  readonly isNow: boolean;
  /** undefined: now. */
  readonly onChoose: (atMs: number | undefined) => void;
}

const TimeSlider = ({ moves, nowMs, atMs, isNow, onChoose }: TimeSliderProps) => {
  const [fromMs, toMs] = useMemo(
    () => [
      moves.reduce((least, move) => Math.min(least, move.fromMs), nowMs),
      moves.reduce((most, move) => Math.max(most, move.toMs ?? move.fromMs), nowMs),
    ],
    [moves, nowMs],
  );
  return (
    <div class="time-slider" role="group" aria-label="Time of the map">
      <button class="button small" aria-pressed={isNow} onClick={() => onChoose(undefined)}>
        Now
      </button>
      <button class="button small" aria-pressed={!isNow && atMs >= toMs} onClick={() => onChoose(toMs)}>
        By plan
      </button>
      <input
        type="range"
        aria-label="Time"
        aria-valuetext={clockOn(atMs, nowMs)}
        min={fromMs}
        max={toMs}
        step={Math.max(1_000, (toMs - fromMs) / 200)}
        value={atMs}
        onInput={({ currentTarget }) => onChoose(currentTarget.valueAsNumber)}
      />
    </div>
  );
};

const coloursOffered = [
  ['tenant', 'by tenant'],
  ['state', 'by state'],
] as const;

const placesOffered = (groupings: readonly Grouping[]) => [
  ['host', 'each host'] as const,
  ...groupings.filter((one) => one !== 'none').map((one) => [one, wordsOfGrouping(one)] as const),
];
