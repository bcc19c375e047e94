/** A maintenance window: the times of a week at which a session may begin new work. */

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

export interface MaintenanceWindow {
  /** The days on which it opens, by the calendar of its time zone. */
  readonly days: readonly Weekday[];
  /** HH:MM on the clock of its time zone. */
  readonly from: string;
  /** HH:MM; not later than `from`: on the next day. */
  readonly to: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** HH:MM from 00:00 to 23:59. */
export const isClockTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
