/** The settings by which a host is back after its maintenance; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const hostSettings = {
  hostStartSeconds: withDefault('PARLEY_HOST_START_SECONDS', '600', {
    meaning:
      'Seconds that a host may take to be up, and as it was before its drain, after its maintenance, on Kubernetes also after it went down by itself. Only then is it maintained; after them it has failed. The create request may say more or less (host_start_seconds).',
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
  undoDisabledReasons: optional('PARLEY_UNDO_DISABLED_REASONS', 'none: such a host is not back, and has failed', {
    meaning:
      'Beginnings of reasons, separated by commas, with which others disable a host while a session works on it, and which the session may undo after the work, such as `Masakari detected host failed`.',
    parse: parse.textList,
  }),
} as const;
