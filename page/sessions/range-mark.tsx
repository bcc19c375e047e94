/** The range of an end, drawn small: from now on the left to the latest end, with a mark where it is expected. */
import { duration } from '../../rules/words/times';

interface RangeMarkProps {
  readonly seconds: { readonly earliest: number; readonly expected: number; readonly latest: number };
  readonly isRough: boolean;
}

export const RangeMark = ({ seconds: { earliest, expected, latest }, isRough }: RangeMarkProps) => {
  const placeOf = (seconds: number): number => (Math.max(seconds, 0) / Math.max(latest, 1)) * 100;
  const [from, to] = [placeOf(earliest), 100];
  return (
    <svg
      class={isRough ? 'range rough' : 'range'}
      role="img"
      aria-label={`within ${duration(earliest)} to ${duration(latest)}${isRough ? ', a rough estimate' : ''}`}
      width="100%"
      height="10"
    >
      <line class="range-room" x1="0" x2="100%" y1="5" y2="5" />
      <line class="range-span" x1={`${from}%`} x2={`${to}%`} y1="5" y2="5" />
      <circle class="range-at" cx={`${Math.min(Math.max(placeOf(expected), 2), 98)}%`} cy="5" r="3.5" />
    </svg>
  );
};
