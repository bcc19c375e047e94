/** A maintenance window, as sessions, freezes and terms have it. */
import { type Static, Type } from '@sinclair/typebox';
import { weekdays } from '../rules/maintenance-windows/maintenance-window';
import { ChoiceField } from './field-types';

/** Dates of three years. */
const mostDates = 1_100;

const datesField = (description: string) =>
  Type.Array(Type.String({ format: 'calendar-date', description: 'YYYY-MM-DD' }), {
    minItems: 1,
    maxItems: mostDates,
    uniqueItems: true,
    description,
  });

export const WindowSchema = Type.Object(
  {
    days: Type.Optional(
      Type.Array(ChoiceField(weekdays, 'A day of the week'), {
        minItems: 1,
        uniqueItems: true,
        description: 'The weekdays on which it opens, by the calendar of its time zone; either these or dates',
      }),
    ),
    nth: Type.Optional(
      Type.Array(Type.Unsafe<number>({ type: 'integer', enum: [1, 2, 3, 4, 5, -1, -2, -3, -4, -5] }), {
        minItems: 1,
        uniqueItems: true,
        description: 'Which of these weekdays in their month, such as 2, or -1 for the last one; absent: all',
      }),
    ),
    dates: Type.Optional(datesField('The dates on which it opens, in place of weekdays')),
    except: Type.Optional(
      datesField('Dates on which it does not open; a window that opened on the day before goes on until its end'),
    ),
    from: Type.Optional(
      Type.String({
        format: 'clock-time',
        description: 'When it opens, HH:MM; the first moment of two. Absent, as to is then: for the whole day',
      }),
    ),
    to: Type.Optional(
      Type.String({
        format: 'clock-time',
        description: 'When it closes, HH:MM, the second moment of two; a time before from is on the next day',
      }),
    ),
    time_zone: Type.String({ format: 'time-zone', description: 'IANA name of the time zone, such as Europe/Berlin' }),
  },
  { additionalProperties: false },
);
export type WindowBody = Static<typeof WindowSchema>;
