/** Times: what is left counts down by itself, and a moment is told in the zone of who reads it. */
import { duration } from '../../rules/words/times';
import { nowMs } from '../live/clock';
import { leftNow, secondsSince } from '../live/count-down';

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

/** Every moment has its date and its zone: an operator at night compares it with clocks of other places. */
const parts = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;
const usual = new Intl.DateTimeFormat(undefined, parts);
const withSeconds = new Intl.DateTimeFormat(undefined, { ...parts, second: '2-digit' });
const withYear = new Intl.DateTimeFormat(undefined, { ...parts, year: 'numeric' });

const isOfThisYear = (at: Date): boolean => at.getFullYear() === new Date(nowMs.peek()).getFullYear();

export const Moment = ({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) => {
  const date = new Date(at);
  const format = seconds ? withSeconds : isOfThisYear(date) ? usual : withYear;
  return (
    <time dateTime={at} title={at}>
      {format.format(date)}
    </time>
  );
};

/** A moment that is over: `2m ago`, with the exact time for who points at it. */
export const Ago = ({ at }: { readonly at: string }) => {
  const seconds = Math.max(0, (nowMs.value - Date.parse(at)) / 1000);
  return (
    <time dateTime={at} title={withSeconds.format(new Date(at))}>
      {seconds < 10 ? 'just now' : `${roughly(seconds)} ago`}
    </time>
  );
};

/** The largest unit is enough for what is over, but for hours. */
const roughly = (seconds: number): string => {
  const inTens = seconds < 60 ? Math.floor(seconds / 10) * 10 : seconds - (seconds % 60);
  return duration(inTens);
};

/** Shows a period. What both moments have in common is told once. */
export const Period = ({ from, to }: { readonly from: string; readonly to: string }) => {
  const [begin, end] = [new Date(from), new Date(to)];
  const format = isOfThisYear(begin) && isOfThisYear(end) ? usual : withYear;
  return <span title={`${from} – ${to}`}>{format.formatRange(begin, end)}</span>;
};

/** The zone in which the page tells times and takes them. */
export const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
