/** Sorts the coming events of a project into the days of a week, from today on. */
import type { ComingEntry } from '../client/types';

export interface Day {
  /** Its first moment in the zone of the browser. */
  readonly from: Date;
  readonly entries: readonly ComingEntry[];
}

export interface Week {
  readonly days: readonly Day[];
  /** Behind the week. */
  readonly later: readonly ComingEntry[];
  /** Nobody knows yet when. */
  readonly sometime: readonly ComingEntry[];
}

const daysInWeek = 7;

/** When its action starts, has started, or is over without any time. */
export const timeOf = ({ started_at: started, starts_at: starts, ended_at: ended }: ComingEntry): string | undefined =>
  started ?? starts?.expected ?? ended ?? undefined;

/** Entries before today stand at today: they have begun and go on, or their time has passed. */
export const weekOf = (coming: readonly ComingEntry[], nowMs: number): Week => {
  const starts = Array.from({ length: daysInWeek + 1 }, (_, at) => dayAfter(nowMs, at));
  const dayIn = (entry: ComingEntry): number | undefined => {
    const time = timeOf(entry);
    if (time === undefined) return undefined;
    return Math.max(
      0,
      starts.findLastIndex((from) => from.getTime() <= Date.parse(time)),
    );
  };
  const byDay = Map.groupBy(coming, dayIn);
  return {
    days: starts.slice(0, daysInWeek).map((from, at) => ({ from, entries: byDay.get(at) ?? [] })),
    later: byDay.get(daysInWeek) ?? [],
    sometime: byDay.get(undefined) ?? [],
  };
};

/** A day may have 23 or 25 hours. */
const dayAfter = (nowMs: number, days: number): Date => {
  const day = new Date(nowMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days);
};
