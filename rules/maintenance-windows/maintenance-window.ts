/** A maintenance window: the times at which a session may begin new work, in a week, in a month or on dates. */

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdays)[number];

/** The days on which a window opens, by the calendar of its time zone. */
export interface OpeningDays {
  /** Left out: `dates` say it. */
  readonly days?: readonly Weekday[] | undefined;
  /** Which of those weekdays in their month: 1 is the first one, -1 the last one. Left out: all. */
  readonly nth?: readonly number[] | undefined;
  /** YYYY-MM-DD. Left out: `days` say it. */
  readonly dates?: readonly string[] | undefined;
  /** YYYY-MM-DD: days on which it does not open. A window that opened on the day before goes on. */
  readonly except?: readonly string[] | undefined;
}

export interface MaintenanceWindow extends OpeningDays {
  /** HH:MM on the clock of its time zone. Left out, as `to` is then: for whole days. */
  readonly from?: string | undefined;
  /** HH:MM; not later than `from`: on the next day. */
  readonly to?: string | undefined;
  /** IANA name. */
  readonly timeZone: string;
}

/** HH:MM from 00:00 to 23:59. */
export const isClockTime = (text: string): boolean => /^([01]\d|2[0-3]):[0-5]\d$/.test(text);
