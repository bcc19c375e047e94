/** Freezes, as admins store and read them: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { TimeField, UpdatedField } from '../../forms/field-types';
import { WindowSchema } from '../../forms/window-schema';
import { mostReasonCharacters, printablePattern } from './steering-schemas';

/** A name is part of the path. */
export const freezeNamePattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/;
export const freezeNameMeaning =
  '1 to 63 letters, digits, dots, dashes and underscores, which begin with a letter or a digit';

const rangeEnd = (description: string) => Type.String({ format: 'maintenance-time', description });

const Reason = Type.String({
  minLength: 1,
  maxLength: mostReasonCharacters,
  pattern: printablePattern,
  description: 'Why, for people: sessions that wait for its end tell it',
});
const Times = Type.Array(WindowSchema, {
  minItems: 1,
  maxItems: 20,
  description: "Times that repeat, or dates, in the grammar of a session's windows: from their from until their to",
});

export const WriteFreezeSchema = Type.Object(
  {
    reason: Reason,
    from: Type.Optional(rangeEnd('When it begins, as maintenance_at; with until, and in place of times')),
    until: Type.Optional(rangeEnd('When sessions may begin again, as maintenance_at')),
    times: Type.Optional(Times),
  },
  {
    additionalProperties: false,
    description: 'Either from and until, or times. It replaces a freeze of the same name',
  },
);
export type WriteFreezeBody = Static<typeof WriteFreezeSchema>;

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const FreezeSchema = Type.Object({
  name: Type.String({ description: 'Its name in the path' }),
  reason: Reason,
  from: orNull('When it begins (ISO 8601); null: it has times'),
  until: orNull('When sessions may begin again (ISO 8601); null: it has times'),
  times: Type.Union([Times, Type.Null()]),
  active: Type.Boolean({ description: 'Whether sessions are frozen by it at this moment' }),
  begins_at: orNull('When it begins next (ISO 8601); null: it is active, or over'),
  ends_at: orNull('When it ends, then or now (ISO 8601); null: it is over'),
  created_at: TimeField('When it was stored first'),
  updated_at: UpdatedField(),
});
export type FreezeBody = Static<typeof FreezeSchema>;

export const FreezeListSchema = Type.Object({ freezes: Type.Array(FreezeSchema, { description: 'By name' }) });
