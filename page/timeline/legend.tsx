/** The meaning of the marks in the timeline. */
import type { SpanKind } from './layout';

const marks: readonly (readonly [SpanKind, string])[] = [
  ['draining', 'draining'],
  ['maintaining', 'in maintenance'],
  ['waits', 'waits'],
  ['failed', 'failed'],
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
            y={kind === 'waits' || kind === 'failed' ? 5 : 1}
            width="20"
            height={kind === 'waits' || kind === 'failed' ? 4 : 12}
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
  </ul>
);
