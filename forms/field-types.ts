/** Types of fields that several schemas share, and the formats behind them, which ajv checks. */
import { type TUnsafe, Type } from '@sinclair/typebox';
import { isDashedUuid, isUuid, uuidMeaning } from '../rules/cloud/id';
import { isClockTime } from '../rules/maintenance-windows/maintenance-window';
import { isCalendarDate, isTimeZone } from '../rules/maintenance-windows/zoned-time';
import { parseMaintenanceAt } from './parse-maintenance-at';

/** Custom formats: the check of each, and its description for an error. */
export const formats = {
  uuid: { check: isDashedUuid, meaning: 'a UUID with dashes' },
  'uuid-as-given': { check: isUuid, meaning: uuidMeaning },
  'maintenance-time': {
    check: (text: string) => parseMaintenanceAt(text) !== undefined,
    meaning: 'a time as YYYY-MM-DD HH:MM:SS or in ISO 8601, before the year 10000 in UTC',
  },
  'clock-time': { check: isClockTime, meaning: 'a time from 00:00 to 23:59, as HH:MM' },
  'calendar-date': { check: isCalendarDate, meaning: 'a date that the calendar has, as YYYY-MM-DD' },
  'time-zone': { check: isTimeZone, meaning: 'the IANA name of a time zone, such as Europe/Berlin or UTC' },
  'owner-hours': {
    check: (text: string) => text === 'keep' || text === 'ignore',
    meaning: 'keep, ignore, or an object with until',
  },
  'terms-ack': { check: (text: string) => text === 'ACK', meaning: 'ACK, or an object with an action' },
  'reply-state': {
    check: (text: string) => /^N?ACK_[A-Z_]{1,64}$/.test(text),
    meaning: 'ACK_ or NACK_ followed by the state replied to',
  },
} as const satisfies Record<string, { check: (text: string) => boolean; meaning: string }>;

/** The database's integers have 32 bits. */
const largestInteger = 2_147_483_647;

/** An ID that the service has made: always with dashes, in lower case. */
export const OwnIdField = (description?: string) =>
  Type.String({ format: 'uuid', ...(description === undefined ? {} : { description }) });

export const idForms = 'UUID, with or without dashes, in any case';

/** An ID in the form of the request. An answer repeats the form of its source. */
export const IdField = (description?: string) =>
  Type.String({
    format: 'uuid-as-given',
    description: description === undefined ? idForms : `${description}; ${idForms}`,
  });

export const TimeField = (description: string) => Type.String({ description: `${description} (ISO 8601)` });

export const UpdatedField = () =>
  Type.Union([Type.String(), Type.Null()], { description: 'Time of the last change (ISO 8601)' });

export const NameField = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const SecondsField = (description: string) =>
  Type.Integer({ minimum: 0, maximum: largestInteger, description: `Seconds: ${description}` });

export const CountField = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: largestInteger, description });

/** A string that is one of the values; an error lists them all. */
export const ChoiceField = <const Values extends readonly string[]>(
  values: Values,
  description: string,
): TUnsafe<Values[number]> => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });

export const DictionaryField = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
