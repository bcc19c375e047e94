/** The settings by which projects are told what is coming; rows of the table in settings-table.ts. */
import { withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const comingSettings = {
  comingSeconds: withDefault('PARLEY_COMING_SECONDS', '60', {
    meaning:
      'Seconds from one look at what is coming for the instances of projects to the next; each look may tell them (`maintenance.coming`, calendars). 0: nobody is told, and calendars stay as they are.',
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
  comingMovedSeconds: withDefault('PARLEY_COMING_MOVED_SECONDS', '600', {
    meaning: 'Projects are told again when the expected start of an action has moved by more than these seconds.',
    parse: parse.integer({ min: 0, max: 31_536_000 }),
  }),
} as const;
