/** The times above the bars, and the words of the marks. */
import { beforeUtcMs } from '../parts/time-words';
import { placeOf, type Range, ticksOf } from './layout';
import type { Bounds } from './marks';
import { labelsOf, letterWidth } from './marks';
import { wordsOfTicks } from './tick-words';

export interface AxisProps {
  readonly range: Range;
  readonly nowMs: number;
  readonly bounds: Bounds;
  /** In pixels. */
  readonly width: number;
}

/** A date and a time need this many pixels. */
const tickWidth = 96;
const labelHeight = 15;
const tickTop = 34;

export const Axis = ({ range, nowMs, bounds, width }: AxisProps) => {
  const margin = (tickWidth / 2 / width) * 100;
  const ticks = ticksOf(range, Math.max(2, Math.floor(width / tickWidth)), beforeUtcMs(range.fromMs))
    .map((at) => ({ at, x: placeOf(at, range) }))
    .filter(({ x }) => x > margin && x < 100 - margin);
  const words = wordsOfTicks(
    ticks.map(({ at }) => at),
    range,
  );
  return (
    <svg class="axis" width="100%" height="56" aria-hidden="true">
      <Shades bounds={bounds} range={range} height={56} />
      <ClosedWords bounds={bounds} range={range} width={width} />
      {ticks.map(({ at, x }, index) => (
        <g key={at}>
          <line x1={`${x}%`} x2={`${x}%`} y1="50" y2="56" />
          <text x={`${x}%`} y={tickTop + 12} text-anchor="middle">
            {words[index]}
          </text>
        </g>
      ))}
      <Marks range={range} nowMs={nowMs} bounds={bounds} width={width} />
    </svg>
  );
};

const Marks = ({ range, nowMs, bounds, width }: AxisProps) => (
  <>
    {labelsOf(
      [{ kind: 'now', words: bounds.hasEnded ? 'ended' : 'now', atMs: nowMs }, ...bounds.marks],
      range,
      width,
    ).map((label) => (
      <g key={label.mark.words} class={`mark ${label.mark.kind}`}>
        <line x1={label.x} x2={label.x} y1={label.row * labelHeight + 3} y2="56" />
        <text x={label.x + (label.side === 'start' ? 4 : -4)} y={label.row * labelHeight + 13} text-anchor={label.side}>
          {label.mark.words}
        </text>
      </g>
    ))}
  </>
);

interface ShadesProps {
  readonly bounds: Bounds;
  readonly range: Range;
  readonly height: number;
}

/** The times in which the session may begin nothing. */
export const Shades = ({ bounds: { closed }, range, height }: ShadesProps) => (
  <>
    {closed
      .filter(({ fromMs, toMs }) => toMs > range.fromMs && fromMs < range.toMs)
      .map(({ fromMs, toMs }) => {
        const x = placeOf(fromMs, range);
        return (
          <rect key={fromMs} class="closed" x={`${x}%`} width={`${placeOf(toMs, range) - x}%`} y="0" height={height} />
        );
      })}
  </>
);

const closedWords = 'closed';
/** In a narrower picture the marks need both rows for their words. */
const narrow = 400;

/** Says it once in the middle of each, where there is room below the marks. */
const ClosedWords = ({ bounds: { closed }, range, width }: Pick<AxisProps, 'bounds' | 'range' | 'width'>) => (
  <>
    {closed.map(({ fromMs, toMs }) => {
      const [from, to] = [placeOf(fromMs, range), placeOf(toMs, range)];
      const isWide = width > narrow && ((to - from) / 100) * width > closedWords.length * letterWidth + 8;
      return isWide ? (
        <text key={fromMs} x={`${(from + to) / 2}%`} y="30" text-anchor="middle">
          {closedWords}
        </text>
      ) : null;
    })}
  </>
);
