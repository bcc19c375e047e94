/** The end of a session with its range, against its window and its deadline. */
import type { EndScale } from './end-scale';

const height = 22;
/** So that a range of seconds is seen, in percent. */
const narrowest = 0.6;

const Line = ({ at, kind }: { readonly at: number; readonly kind: string }) => (
  <line class={kind} x1={`${at}%`} x2={`${at}%`} y1="1" y2={height - 1} />
);

export const EndBar = ({ scale: { now, end, deadline, turn } }: { readonly scale: EndScale }) => (
  <svg class="end-bar" width="100%" height={height} aria-hidden="true">
    <defs>
      <pattern id="end-range" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
        <rect class="end-range-ground" width="6" height="6" />
        <line class="end-range-line" x1="0" y1="0" x2="0" y2="6" />
      </pattern>
    </defs>
    <rect class="end-room" y="6" width="100%" height="10" rx="5" />
    <rect class="end-past" y="6" width={`${now}%`} height="10" rx="5" />
    {turn && !turn.opens && <rect class="end-closed" x={`${turn.at}%`} y="6" width={`${100 - turn.at}%`} height="10" />}
    {turn?.opens && <rect class="end-closed" x={`${now}%`} y="6" width={`${turn.at - now}%`} height="10" />}
    {end && (
      <>
        <rect
          fill="url(#end-range)"
          x={`${end.earliest}%`}
          y="3"
          width={`${Math.max(narrowest, end.latest - end.earliest)}%`}
          height="16"
          rx="3"
        />
        <Line at={end.expected} kind="end-expected" />
      </>
    )}
    {turn && <Line at={turn.at} kind="end-turn" />}
    {deadline !== undefined && <Line at={deadline} kind="end-deadline" />}
    <Line at={now} kind="now" />
  </svg>
);
