/** Times in words, in the zone in which the page shows them. Whoever draws such words draws them anew with the zone. */
import { nowMs } from '../live/clock';
import { shownZone } from '../live/shown-zone';

type Time = string | number | Date;

/** Every moment has its date and its zone: an operator at night compares it with clocks of other places. */
const moment = {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
  timeZoneName: 'short',
} as const satisfies Intl.DateTimeFormatOptions;
const forms = {
  moment,
  momentWithYear: { ...moment, year: 'numeric' },
  momentWithSeconds: { ...moment, second: '2-digit' },
  exact: { ...moment, second: '2-digit', year: 'numeric' },
  date: { day: 'numeric', month: 'short', year: 'numeric' },
  day: { weekday: 'short', day: 'numeric', month: 'short' },
  clock: { hour: '2-digit', minute: '2-digit' },
  clockWithSeconds: { hour: '2-digit', minute: '2-digit', second: '2-digit' },
  clockWithDay: { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  tickWithDay: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' },
  tickWithDayAndSeconds: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' },
  offset: { timeZoneName: 'longOffset' },
} as const satisfies Readonly<Record<string, Intl.DateTimeFormatOptions>>;

export type TimeForm = keyof typeof forms;

const made = new Map<string, Intl.DateTimeFormat>();

/** Each is made once: making one takes longer than using it a hundred times. */
const formatOf = (form: TimeForm): Intl.DateTimeFormat => {
  const { value: zone } = shownZone;
  const key = `${zone} ${form}`;
  const format = made.get(key) ?? new Intl.DateTimeFormat(undefined, { ...forms[form], timeZone: zone });
  made.set(key, format);
  return format;
};

export const timeAs = (form: TimeForm, at: Time): string => formatOf(form).format(new Date(at));

/** The whole time, which shows while somebody points at a short form of it. */
export const exactly = (at: Time): string => timeAs('exact', at);

const yearOf = (at: Time): number | undefined =>
  formatOf('date')
    .formatToParts(new Date(at))
    .flatMap(({ type, value }) => (type === 'year' ? [Number(value)] : []))[0];

const isOfThisYear = (at: Time): boolean => yearOf(at) === yearOf(nowMs.peek());

export const momentAs = (at: Time): string => timeAs(isOfThisYear(at) ? 'moment' : 'momentWithYear', at);

/** Tells the day once where both moments are on it. */
export const periodAs = (from: Time, to: Time): string => rangeAs(formOf(from, to), from, to);

const formOf = (from: Time, to: Time): TimeForm =>
  isOfThisYear(from) && isOfThisYear(to) ? 'moment' : 'momentWithYear';

const rangeAs = (form: TimeForm, from: Time, to: Time): string =>
  formatOf(form).formatRange(new Date(from), new Date(to));

/** A period beside one of its moments, which has been told: its times alone, where all are on one day. */
export const periodBeside = (told: Time, from: Time, to: Time): string =>
  isSameDay(told, from) && isSameDay(told, to) ? rangeAs('clock', from, to) : periodAs(from, to);

export const isSameDay = (one: Time, other: Time): boolean => timeAs('date', one) === timeAs('date', other);

/** How long the shown zone is before UTC at a time, as `Date.getTimezoneOffset` tells it, in milliseconds. */
export const beforeUtcMs = (at: Time): number => {
  const [, sign, hours = '0', minutes = '0'] = /GMT([+-])(\d+):(\d+)/.exec(timeAs('offset', at)) ?? [];
  const lengthMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '-' ? lengthMs : 0 - lengthMs;
};
