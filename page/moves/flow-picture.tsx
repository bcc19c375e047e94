/** The bands between the places. */
import { layOut, outlineOf, type Place } from './flow-layout';
import type { Flow } from './flows';

interface FlowPictureProps {
  readonly flows: readonly Flow[];
  /** In pixels. */
  readonly width: number;
  readonly label: string;
  /** The class with the colour of a flow. */
  readonly classOf: (flow: Flow) => string;
}

const [wideNames, narrowNames, narrow] = [170, 92, 600];
const bar = 7;
const top = 26;
const letterWidth = 7;

export const FlowPicture = ({ flows, width, label, classOf }: FlowPictureProps) => {
  const { from, to, bands, height } = layOut(flows);
  const names = width < narrow ? narrowNames : wideNames;
  const [left, right] = [names, Math.max(names + 60, width - names)];
  return (
    <svg class="flows" width={width} height={height + top + 4} role="img" aria-label={label}>
      <text class="flow-title" x={left} y="14" text-anchor="end">
        from
      </text>
      <text class="flow-title" x={right} y="14">
        to
      </text>
      <g transform={`translate(0 ${top})`}>
        {bands.map((band) => {
          const { flow } = band;
          const key = `${flow.from} ${flow.to} ${flow.tenant} ${flow.state}`;
          return (
            <path
              key={key}
              class={`band ${classOf(flow)} is-${flow.state.replace(' ', '-')}`}
              d={outlineOf(band, left + bar, right - bar)}
            >
              <title>{titleOf(flow)}</title>
            </path>
          );
        })}
        {from.map((place) => (
          <PlaceBar key={place.name} place={place} x={left} side="from" names={names} />
        ))}
        {to.map((place) => (
          <PlaceBar key={place.name} place={place} x={right - bar} side="to" names={names} />
        ))}
      </g>
    </svg>
  );
};

const mostNames = 10;

const titleOf = ({ from, to, tenant, state, instances }: Flow): string =>
  `${tenant}: ${from} → ${to}, ${state}\n${instances.slice(0, mostNames).join(', ')}` +
  (instances.length > mostNames ? ` and ${instances.length - mostNames} more` : '');

interface PlaceBarProps {
  readonly place: Place;
  readonly x: number;
  readonly side: 'from' | 'to';
  /** Pixels for the name. */
  readonly names: number;
}

const PlaceBar = ({ place: { name, size, y, height }, x, side, names }: PlaceBarProps) => (
  <g>
    <rect class="place" x={x} y={y} width={bar} height={height} rx="2" />
    <text
      class="place-name"
      x={side === 'from' ? x - 6 : x + bar + 6}
      y={y + height / 2 + 4}
      text-anchor={side === 'from' ? 'end' : 'start'}
    >
      {shortened(name, Math.floor(names / letterWidth) - String(size).length - 2)}{' '}
      <tspan class="place-size">{size}</tspan>
      <title>{name}</title>
    </text>
  </g>
);

/** The end of a name tells hosts apart. */
const shortened = (name: string, letters: number): string =>
  name.length <= letters ? name : `…${name.slice(name.length - letters + 1)}`;
