/**
 * The settings for how long records are kept; rows of the table in settings-table.ts. The sweeper removes older ones.
 */
import { withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const retentionSettings = {
  eventDays: withDefault('PARLEY_EVENT_DAYS', '90', {
    meaning:
      'Days for which published events are kept, for `GET /v1/events` and the page; parts of a day are allowed, such as 0.5.',
    parse: parse.days,
  }),
  deletedSessionDays: withDefault('PARLEY_DELETED_SESSION_DAYS', '90', {
    meaning:
      'Days for which the service remembers a deleted session, with its claims, moves and Idempotency-Key; parts of a day are allowed.',
    parse: parse.days,
  }),
  goneConstraintDays: withDefault('PARLEY_GONE_CONSTRAINT_DAYS', '365', {
    meaning:
      'Days for which constraints are kept whose instance or group the cloud does not know; storing them again starts the time anew. Parts of a day are allowed.',
    parse: parse.days,
  }),
} as const;
