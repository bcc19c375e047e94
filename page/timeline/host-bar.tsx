/** The bar of one host: the past filled, the expected times in outline, words where there is room, and the marks. */
import { Shades } from './axis';
import { isOver, isThin, placeOf, type Range, type Span, type SpanKind } from './layout';
import type { Bounds } from './marks';
import { placeNote } from './notes';

/** So that a short span is seen, in percent. */
const narrowest = 0.3;

export const rowHeight = 32;

export interface HostBarProps {
  readonly spans: readonly Span[];
  readonly range: Range;
  readonly nowMs: number;
  readonly bounds: Bounds;
  readonly note: string;
  /** In pixels. */
  readonly width: number;
}

export const HostBar = ({ spans, range, nowMs, bounds, note, width }: HostBarProps) => {
  const placed = placeNote(note, spans, { range, width });
  return (
    <svg class="host-bar" width="100%" height={rowHeight} aria-hidden="true">
      <Shades bounds={bounds} range={range} height={rowHeight} />
      {spans
        .filter(({ fromMs, toMs }) => toMs >= range.fromMs && fromMs <= range.toMs)
        .map((one) => {
          const x = placeOf(one.fromMs, range);
          const wide = Math.max(narrowest, placeOf(one.toMs, range) - x);
          return <Bar key={`${one.kind} ${one.fromMs}`} kind={one.kind} x={`${x}%`} width={`${wide}%`} middle={16} />;
        })}
      {placed && (
        <text class="row-note" x={placed.x} y="20" text-anchor={placed.anchor}>
          {placed.text}
        </text>
      )}
      <MarkLines bounds={bounds} range={range} nowMs={nowMs} height={rowHeight} />
    </svg>
  );
};

interface MarkLinesProps extends Pick<HostBarProps, 'bounds' | 'range' | 'nowMs'> {
  readonly height: number;
}

/** The lines of the marks, whose words the axis has. */
export const MarkLines = ({ bounds, range, nowMs, height }: MarkLinesProps) => (
  <>
    {[{ kind: 'now', atMs: nowMs }, ...bounds.marks]
      .filter(({ atMs }) => atMs >= range.fromMs && atMs <= range.toMs)
      .map(({ kind, atMs }) => {
        const x = `${placeOf(atMs, range)}%`;
        return (
          <g key={kind} class={`mark ${kind}`}>
            <line x1={x} x2={x} y1="0" y2={height} />
          </g>
        );
      })}
  </>
);

interface BarProps {
  readonly kind: SpanKind;
  readonly x: string | number;
  readonly width: string | number;
  readonly middle: number;
}

const heightOf = (kind: SpanKind): number => (isThin(kind) ? 4 : 16);

/** Waits are stripes over the work that they hold up. */
export const Bar = ({ kind, x, width, middle }: BarProps) => {
  const height = heightOf(kind);
  return (
    <rect
      class={`span ${kind}`}
      x={x}
      width={width}
      y={middle - height / 2}
      height={height}
      rx={isThin(kind) ? 2 : 3}
      {...(isOver(kind) && { fill: 'url(#stripes)' })}
    />
  );
};

/** The stripes, once on the page. */
export const Stripes = () => (
  <svg class="hidden" aria-hidden="true">
    <defs>
      <pattern id="stripes" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="stripe-ground" width="7" height="7" />
        <rect class="stripe" width="3" height="7" />
      </pattern>
    </defs>
  </svg>
);
