/** The meaning of the marks in the timeline. */
import { zone } from '../parts/times';
import { isThin, type SpanKind } from './layout';

const marks: readonly (readonly [SpanKind, string])[] = [
  ['draining', 'draining'],
  ['maintaining', 'in maintenance'],
  ['waits', 'waits'],
  ['failed', 'failed'],
  ['skipped', 'skipped'],
  ['expected-draining', 'expected'],
];

export const Legend = () => (
  <ul class="legend" aria-label="Legend">
    {marks.map(([kind, words]) => (
      <li key={kind}>
        <svg width="22" height="14" aria-hidden="true">
          <rect
            class={`span ${kind}`}
            x="1"
            y={isThin(kind) ? 5 : 1}
            width="20"
            height={isThin(kind) ? 4 : 12}
            rx="2"
          />
        </svg>
        {words}
      </li>
    ))}
    <li>
      <svg width="8" height="14" aria-hidden="true">
        <line class="now" x1="4" x2="4" y1="0" y2="14" />
      </svg>
      now
    </li>
    <li>times in {zone}</li>
  </ul>
);
