/** Times: what is left counts down by itself, and a moment is told in the zone of who reads it. */
import { duration } from '../../rules/words/times';
import { nowMs } from '../live/clock';
import { leftNow, secondsSince } from '../live/count-down';

/** @param seconds that the API told were left @param atMs when it did */
export const Left = ({ seconds, atMs }: { readonly seconds: number | null; readonly atMs: number }) => {
  const left = leftNow(seconds, atMs, nowMs.value);
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

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const dayAndClock = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});
const withSeconds = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit', second: '2-digit' });

const isToday = (at: Date): boolean => at.toDateString() === new Date(nowMs.value).toDateString();

export const Moment = ({ at, seconds = false }: { readonly at: string; readonly seconds?: boolean }) => {
  const date = new Date(at);
  const format = seconds ? withSeconds : isToday(date) ? clock : dayAndClock;
  return (
    <time dateTime={at} title={at}>
      {format.format(date)}
    </time>
  );
};
