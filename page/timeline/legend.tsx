/** The meaning of the marks in the timeline. */
import { shownZone } from '../live/shown-zone';
import { Bar } from './host-bar';
import type { SpanKind } from './layout';

const marks: readonly (readonly [SpanKind, string])[] = [
  ['draining', 'draining'],
  ['maintaining', 'in maintenance'],
  ['waits', 'held up'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['expected-draining', 'expected'],
];

export const Legend = ({ hasClosed = false }: { readonly hasClosed?: boolean }) => (
  <ul class="legend" aria-label="Legend">
    {marks.map(([kind, words]) => (
      <li key={kind}>
        <svg width="22" height="18" aria-hidden="true">
          {kind === 'waits' && <Bar kind="draining" x={1} width={20} middle={9} />}
          <Bar kind={kind} x={1} width={20} middle={9} />
        </svg>
        {words}
      </li>
    ))}
    {hasClosed && (
      <li>
        <svg width="22" height="18" aria-hidden="true">
          <rect class="closed" width="22" height="18" />
        </svg>
        closed
      </li>
    )}
    <li>times in {shownZone}</li>
  </ul>
);
