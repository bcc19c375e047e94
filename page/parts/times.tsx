/** Times: what is left counts down by itself, and a moment has the exact time for who points at it. */
import { duration } from '../../rules/words/times';
import { nowMs, serviceMs } from '../live/clock';
import { leftNow, secondsSince } from '../live/count-down';
import { exactly, momentAs, periodBeside, timeAs } from './time-words';

/** @param seconds that the API told were left @param atMs when it did */
export const Left = ({ seconds, atMs }: { readonly seconds: number | null; readonly atMs: number }) => {
  // Where nothing is left, nothing is drawn anew each second.
  const left = seconds === null ? null : leftNow(seconds, atMs, nowMs.value);
  return left === null ? null : <span class="left">{left === 0 ? 'now' : duration(left)}</span>;
};

/** An end: `in 5m20s`. */
export const InTime = ({ seconds, atMs }: { readonly seconds: number; readonly atMs: number }) => {
  const left = leftNow(seconds, atMs, nowMs.value) ?? 0;
  return <>{left === 0 ? 'any moment now' : `in ${duration(left)}`}</>;
};

/** Time since something began, where the API told how many seconds it had taken. */
export const Since = ({ seconds, atMs }: { readonly seconds: number; readonly atMs: number }) => (
  <>{duration(seconds + secondsSince(atMs, nowMs.value))}</>
);

export const Moment = ({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) => (
  <time dateTime={at} title={exactly(at)}>
    {seconds ? timeAs('momentWithSeconds', at) : momentAs(at)}
  </time>
);

/** A moment that is over: `2m ago`, with the exact time for who points at it. */
export const Ago = ({ at }: { readonly at: string }) => {
  const seconds = Math.max(0, (serviceMs.value - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={exactly(at)}>
      {seconds < 10 ? 'just now' : `${roughly(seconds)} ago`}
    </time>
  );
};

/** The largest unit is enough for what is over, but for hours. */
const roughly = (seconds: number): string => {
  const inTens = seconds < 60 ? Math.floor(seconds / 10) * 10 : seconds - (seconds % 60);
  return duration(inTens);
};

interface PeriodProps {
  readonly from: string;
  readonly to: string;
  /** A moment that stands beside it. */
  readonly beside: string;
}

export const Period = ({ from, to, beside }: PeriodProps) => (
  <span title={`${exactly(from)} – ${exactly(to)}`}>{periodBeside(beside, from, to)}</span>
);
