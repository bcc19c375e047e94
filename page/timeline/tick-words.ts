/** Times as the axis says them: the date stands at the first time of each day. */
import { isSameDay, timeAs, type TimeForm } from '../parts/time-words';
import type { Range } from './layout';

const shortMs = 5 * 60_000;

export const wordsOfTicks = (ticks: readonly number[], { fromMs, toMs }: Range): string[] => {
  const [withDay, withoutDay]: readonly TimeForm[] =
    toMs - fromMs < shortMs ? ['tickWithDayAndSeconds', 'clockWithSeconds'] : ['tickWithDay', 'clock'];
  return ticks.map((at, index) => {
    const before = ticks[index - 1];
    return timeAs((before !== undefined && isSameDay(at, before) ? withoutDay : withDay) ?? 'clock', at);
  });
};

/** The time of day, with the day where it is not today. */
export const clockOn = (time: string | number, nowMs: number): string =>
  timeAs(isSameDay(time, nowMs) ? 'clock' : 'clockWithDay', time);
