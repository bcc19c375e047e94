/** The times above the bars. */
import { placeOf, type Range, ticksOf } from './layout';

const format = (range: Range): Intl.DateTimeFormat => {
  const isLong = range.toMs - range.fromMs > 24 * 3_600_000;
  const isShort = range.toMs - range.fromMs < 5 * 60_000;
  return new Intl.DateTimeFormat(undefined, {
    ...(isLong && { weekday: 'short' as const }),
    ...{ hour: '2-digit', minute: '2-digit' },
    ...(isShort && { second: '2-digit' as const }),
  });
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
  const words = format(range);
  const zoneMs = new Date(range.fromMs).getTimezoneOffset() * 60_000;
  const now = placeOf(nowMs, range);
  const ticks = ticksOf(range, most, zoneMs).map((at) => ({ at, x: placeOf(at, range) }));
  return (
    <svg class="axis" width="100%" height="30" aria-hidden="true">
      {ticks
        .filter(({ x }) => x > 4 && x < 96)
        .map(({ at, x }) => (
          <g key={at}>
            <line x1={`${x}%`} x2={`${x}%`} y1="24" y2="30" />
            <text x={`${x}%`} y="20" text-anchor="middle">
              {words.format(at)}
            </text>
          </g>
        ))}
      <line class="now" x1={`${now}%`} x2={`${now}%`} y1="22" y2="30" />
    </svg>
  );
};
