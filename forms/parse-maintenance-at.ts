/** The start time of a session: `YYYY-MM-DD HH:MM:SS` or ISO 8601; without a zone it is UTC. */

const timePattern = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}):(\d{2})(?::(\d{2})(\.\d{1,9})?)?(Z|[+-]\d{2}(?::?\d{2})?)?$/i;

/** `+02`, `+0200` and `+02:00` are the same zone; Date takes only the last. */
const zoneForDate = (zone: string | undefined): string => {
  if (zone === undefined || zone.toUpperCase() === 'Z') return 'Z';
  const digits = zone.slice(1).replace(':', '').padEnd(4, '0');
  return `${zone.slice(0, 1)}${digits.slice(0, 2)}:${digits.slice(2)}`;
};

/** Date turns February 30 into March 2; a calendar does not. */
const isOnCalendar = (date: string): boolean => {
  const time = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
};

/** Date takes 24:00 for the next day's beginning; the specification's form does not. */
const isOnClock = (hours: string): boolean => Number(hours) < 24;

/** A zone may lead beyond the years that ISO 8601 and the database's driver write with four digits. */
const latestMs = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** undefined when the text is not such a time. All times before 1970 count as 1970, since all of them are past. */
export const parseMaintenanceAt = (text: string): Date | undefined => {
  const [, date = '', hours = '', minutes = '', seconds = '00', fraction = '', zone] = timePattern.exec(text) ?? [];
  if (!isOnCalendar(date) || !isOnClock(hours)) return undefined;
  const time = Date.parse(`${date}T${hours}:${minutes}:${seconds}${fraction}${zoneForDate(zone)}`);
  // NaN is not within the limit either.
  return time <= latestMs ? new Date(Math.max(time, 0)) : undefined;
};
