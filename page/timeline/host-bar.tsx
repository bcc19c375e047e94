/** The bar of one host: what was filled, what is expected in outline, and the line of the present. */
import { isThin, placeOf, type Range, type Span } from './layout';

/** So that a short span is seen, in percent. */
const narrowest = 0.5;

export interface HostBarProps {
  readonly spans: readonly Span[];
  readonly range: Range;
  readonly nowMs: number;
}

export const HostBar = ({ spans, range, nowMs }: HostBarProps) => {
  const now = placeOf(nowMs, range);
  return (
    <svg class="host-bar" width="100%" height="32" aria-hidden="true">
      {spans.map((one) => {
        const x = placeOf(one.fromMs, range);
        const width = Math.max(narrowest, placeOf(one.toMs, range) - x);
        const thin = isThin(one.kind);
        return (
          <rect
            key={`${one.kind} ${one.fromMs}`}
            class={`span ${one.kind}`}
            x={`${x}%`}
            width={`${width}%`}
            y={thin ? 22 : 8}
            height={thin ? 4 : 16}
            rx={thin ? 2 : 3}
          />
        );
      })}
      <line class="now" x1={`${now}%`} x2={`${now}%`} y1="0" y2="32" />
    </svg>
  );
};
