/** The settings of webhooks; rows of the table in settings-table.ts. */
import { optional, withDefault } from './define-setting';
import * as parse from './setting-parsers';

export const webhookSettings = {
  webhookAllow: optional('PARLEY_WEBHOOK_ALLOW', 'none: there are no webhooks, creating one is answered 400', {
    meaning:
      'Addresses that webhooks may have, separated by commas: `https://vnfm.example.org/` allows every address under it; a host name may begin with `*.`. Networks in it, such as `10.20.0.0/16`, are the private ones that these names may lead to.',
    parse: parse.allowedReceivers,
  }),
  webhookWindowSeconds: withDefault('PARLEY_WEBHOOK_WINDOW_SECONDS', '60', {
    meaning:
      "Seconds that the window of a question waits for the project's own webhook, after the bus has taken the event.",
    parse: parse.integer({ min: 0, max: 86_400 }),
  }),
} as const;
