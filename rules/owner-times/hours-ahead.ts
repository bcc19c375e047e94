/**
 * When the owner of an instance lets it be impacted, as instants: the hours in its terms (rules/cloud/terms.ts), as far
 * as the session keeps them, and within the times in which the session may begin anything.
 */
import { between, type Interval, joined } from '../maintenance-windows/intervals';
import type { MaintenanceWindow } from '../maintenance-windows/maintenance-window';
import { mostDaysAhead } from '../maintenance-windows/openings';
import { daysOf, type SessionCalendar, unknownZoneIn } from '../maintenance-windows/session-calendar';
import { intervalsOf } from '../maintenance-windows/window-intervals';

/**
 * How far a session keeps the hours of owners, its field `owner_hours`: always, until that time (ISO 8601), or not at
 * all.
 */
export type OwnerHours =
  { readonly mode: 'keep' } | { readonly mode: 'until'; readonly until: string } | { readonly mode: 'ignore' };

/** False: the session impacts instances outside of the hours of their owners as well. */
export const areHoursKept = (ownerHours: OwnerHours | null, nowMs: number): boolean => {
  if (ownerHours?.mode === 'until') return nowMs < Date.parse(ownerHours.until);
  return ownerHours?.mode !== 'ignore';
};

/**
 * The time from which an instance may be impacted by the notice that its owner wants; undefined: at once.
 *
 * @param toldMs the time at which its owner was first told of the session
 */
export const noticeEndsAtMs = (
  noticeSeconds: number | undefined,
  ownerHours: OwnerHours | null,
  toldMs: number,
): number | undefined => {
  if (noticeSeconds === undefined || ownerHours?.mode === 'ignore') return undefined;
  const untilMs = ownerHours?.mode === 'until' ? Date.parse(ownerHours.until) : Infinity;
  return Math.min(untilMs, toldMs + 1000 * noticeSeconds);
};

export interface HoursInSession {
  readonly hours: readonly MaintenanceWindow[];
  /** Null: it keeps them. */
  readonly ownerHours: OwnerHours | null;
  /** Undefined: the session may begin at any time. */
  readonly calendar: SessionCalendar | undefined;
  /** The notice that the owner wants beside them; left out: none. */
  readonly noticeSeconds?: number | undefined;
}

/** Hours that come back each week are known for so many days behind the notice. Others are known for longer. */
const weeklyDaysAhead = 70;
const dayMs = 86_400_000;

interface KnownHours {
  readonly hours: readonly Interval[];
  readonly knownUntilMs: number;
}

/** A cache: a decision asks for every instance, and zones are slow. The same hours are one object, all day. */
const known = new Map<string, KnownHours>();
const mostKnown = 10_000;

/** Intervals in their order, from now on for some months. Undefined: the session does not keep the hours. */
export const hoursAhead = (asked: HoursInSession, nowMs: number): readonly Interval[] | undefined => {
  if (asked.ownerHours?.mode === 'ignore') return undefined;
  const key = JSON.stringify(asked);
  const before = known.get(key);
  if (before && nowMs < before.knownUntilMs && nowMs >= before.knownUntilMs - dayMs) return before.hours;
  if (known.size >= mostKnown) known.clear();
  const hours = workOut(asked, nowMs);
  known.set(key, { hours, knownUntilMs: nowMs + dayMs });
  return hours;
};

/** Where all of the next weeks are closed, the next hours come later, such as behind a long freeze. */
const workOut = (asked: HoursInSession, nowMs: number): readonly Interval[] => {
  const weeklyDays = Math.min(mostDaysAhead, weeklyDaysAhead + Math.ceil((1000 * (asked.noticeSeconds ?? 0)) / dayMs));
  const soon = hoursWithin(asked, nowMs, weeklyDays);
  return soon.length > 0 || isWeekly(asked) ? soon : hoursWithin(asked, nowMs, mostDaysAhead);
};

/** True where all weeks are the same: what is closed in one of them is closed for ever. */
const isWeekly = ({ hours, calendar }: HoursInSession): boolean =>
  (calendar?.freezes ?? []).length === 0 &&
  [...hours, ...(calendar?.windows ?? [])].every(
    ({ days, nth, except }) => days !== undefined && nth === undefined && except === undefined,
  );

const hoursWithin = (
  { hours, ownerHours, calendar }: HoursInSession,
  nowMs: number,
  weeklyDays: number,
): readonly Interval[] => {
  const from = new Date(nowMs);
  const daysAheadOf = ({ days, nth }: MaintenanceWindow): number =>
    days === undefined || nth !== undefined ? mostDaysAhead : weeklyDays;
  const isUnknown = [{ windows: hours }, calendar].some((one) => one && unknownZoneIn(one) !== undefined);
  const own = isUnknown ? [] : hours.flatMap((window) => intervalsOf(window, from, daysAheadOf(window)));
  const untilMs = ownerHours?.mode === 'until' ? Date.parse(ownerHours.until) : Infinity;
  const kept = joined([...own, { fromMs: untilMs, toMs: Infinity }]).filter((one) => one.fromMs < Infinity);
  if (calendar === undefined || isUnknown) return notOver(kept, nowMs);
  const open = daysOf(calendar, from, Math.max(...hours.map(daysAheadOf))).open;
  return notOver(
    kept.flatMap((one) => between(open, one)),
    nowMs,
  );
};

const notOver = (hours: readonly Interval[], nowMs: number): readonly Interval[] =>
  hours.filter(({ toMs }) => toMs > nowMs);
