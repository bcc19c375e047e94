/** The settings of the action plug-in `http`; rows of the table in settings-table.ts. */
import { optional } from './define-setting';
import * as parse from './setting-parsers';

export const httpSettings = {
  httpAllow: optional('PARLEY_HTTP_ALLOW', 'none: there is no action plug-in `http`', {
    meaning:
      'Addresses that the action plug-in `http` may ask, separated by commas: `https://awx.example.org/api/` allows every address under it; a host name may begin with `*.`.',
    parse: parse.allowedSources,
  }),
  httpSecretsFile: optional('PARLEY_HTTP_SECRETS_FILE', 'none', {
    meaning:
      'JSON file with secrets for the headers of these requests: `{ "awx": { "value": "Bearer …", "for": "https://awx.example.org/" } }`. Each is sent to addresses under its `for` alone. Read again for each request.',
    parse: parse.filePath,
  }),
} as const;
