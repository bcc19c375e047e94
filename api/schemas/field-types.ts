/** Types of fields that several schemas share, and the formats behind them, which ajv checks. */
import { type TUnsafe, Type } from '@sinclair/typebox';
import { parseMaintenanceTime } from '../maintenance-time';

const dashedUuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const plainUuid = /^[0-9a-f]{32}$/i;

/** Custom formats: how each is checked, and what it is in words for an error. */
export const formats = {
  uuid: { check: (text: string) => dashedUuid.test(text), meaning: 'a UUID with dashes' },
  'project-id': {
    check: (text: string) => dashedUuid.test(text) || plainUuid.test(text),
    meaning: 'a UUID, with or without dashes',
  },
  'maintenance-time': {
    check: (text: string) => parseMaintenanceTime(text) !== undefined,
    meaning: 'a time as YYYY-MM-DD HH:MM:SS or in ISO 8601, before the year 10000 in UTC',
  },
  'reply-state': {
    check: (text: string) => /^N?ACK_[A-Z_]{1,64}$/.test(text),
    meaning: 'ACK_ or NACK_ followed by the state replied to',
  },
} as const satisfies Record<string, { check: (text: string) => boolean; meaning: string }>;

/** The database's integers have 32 bits. */
const largestInteger = 2_147_483_647;

export const UuidField = (description?: string) =>
  Type.String({ format: 'uuid', ...(description === undefined ? {} : { description }) });

export const ProjectIdField = () =>
  Type.String({ format: 'project-id', description: 'UUID, with or without dashes, in any case' });

export const TimeField = (description: string) => Type.String({ description: `${description} (ISO 8601)` });

export const UpdatedField = () =>
  Type.Union([Type.String(), Type.Null()], { description: 'Time of the last change (ISO 8601)' });

export const NameField = (description: string) => Type.String({ minLength: 1, maxLength: 255, description });

export const SecondsField = (description: string) =>
  Type.Integer({ minimum: 0, maximum: largestInteger, description: `Seconds: ${description}` });

export const CountField = (minimum: number, description: string) =>
  Type.Integer({ minimum, maximum: largestInteger, description });

/** A string that is one of the values; an error names them all. */
export const ChoiceField = <const Values extends readonly string[]>(
  values: Values,
  description: string,
): TUnsafe<Values[number]> => Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], description });

export const DictionaryField = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description });
