/** Times as the axis says them: the date stands at the first time of each day. */
import type { Range } from './layout';

const formatOf = (range: Range, isNewDay: boolean): Intl.DateTimeFormat => {
  const isShort = range.toMs - range.fromMs < 5 * 60_000;
  return new Intl.DateTimeFormat(undefined, {
    ...(isNewDay && { day: 'numeric' as const, month: 'short' as const }),
    hour: '2-digit',
    minute: '2-digit',
    ...(isShort && { second: '2-digit' as const }),
  });
};

export const wordsOfTicks = (ticks: readonly number[], range: Range): string[] => {
  const [withDay, withoutDay] = [formatOf(range, true), formatOf(range, false)];
  const dayOf = (at: number | undefined): string => (at === undefined ? '' : new Date(at).toDateString());
  return ticks.map((at, index) => (dayOf(at) === dayOf(ticks[index - 1]) ? withoutDay : withDay).format(at));
};

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const clockWithDay = new Intl.DateTimeFormat(undefined, {
  ...{ weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
});

/** The time of day, with the day where it is not today. */
export const clockOn = (time: string | number, nowMs: number): string => {
  const at = new Date(time);
  return (at.toDateString() === new Date(nowMs).toDateString() ? clock : clockWithDay).format(at);
};
