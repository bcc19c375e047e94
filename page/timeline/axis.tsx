/** The times above the bars. */
import { placeOf, type Range, ticksOf } from './layout';

const formatOf = (range: Range, isNewDay: boolean): Intl.DateTimeFormat => {
  const isShort = range.toMs - range.fromMs < 5 * 60_000;
  return new Intl.DateTimeFormat(undefined, {
    ...(isNewDay && { day: 'numeric' as const, month: 'short' as const }),
    hour: '2-digit',
    minute: '2-digit',
    ...(isShort && { second: '2-digit' as const }),
  });
};

/** The date stands at the first time of each day. */
const wordsOf = (ticks: readonly number[], range: Range): string[] => {
  const [withDay, withoutDay] = [formatOf(range, true), formatOf(range, false)];
  const dayOf = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toDateString());
  return ticks.map((at, index) => (dayOf(at) === dayOf(ticks[index - 1]) ? withoutDay : withDay).format(at));
};

export const Axis = ({
  range,
  nowMs,
  most,
}: {
  readonly range: Range;
  readonly nowMs: number;
  readonly most: number;
}) => {
  const zoneMs = new Date(range.fromMs).getTimezoneOffset() * 60_000;
  const now = placeOf(nowMs, range);
  const margin = 45 / most; // half a text
  const ticks = ticksOf(range, most, zoneMs)
    .map((at) => ({ at, x: placeOf(at, range) }))
    .filter(({ x }) => x > margin && x < 100 - margin);
  const words = wordsOf(
    ticks.map(({ at }) => at),
    range,
  );
  return (
    <svg class="axis" width="100%" height="30" aria-hidden="true">
      {ticks.map(({ at, x }, index) => (
        <g key={at}>
          <line x1={`${x}%`} x2={`${x}%`} y1="24" y2="30" />
          <text x={`${x}%`} y="20" text-anchor="middle">
            {words[index]}
          </text>
        </g>
      ))}
      <line class="now" x1={`${now}%`} x2={`${now}%`} y1="22" y2="30" />
    </svg>
  );
};
