/** The page of an API without workflows, for tests of who may come in. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import type { Identity } from '../../../api/identity/identity';
import type { Database } from '../../../prisma/database';
import type { TestBrowser } from '../../browser/open-browser';
import { apiOn } from '../api/api-under-test';
import type { StartedParts } from '../rig/started-parts';

export interface PagePlace {
  readonly db: Database;
  readonly browser: TestBrowser;
  /** The API ends with these. */
  readonly parts: StartedParts;
}

/** Opens the page in a tab of somebody who has never been there. */
export const openPageOf = async (identity: Identity, { db, browser, parts }: PagePlace, hash = '#/'): Promise<Page> => {
  const server = apiOn(db, { identity }).app.listen(0, '127.0.0.1');
  parts.endsBy(() => {
    server.closeAllConnections();
    return new Promise((resolve) => server.close(resolve));
  });
  await once(server, 'listening');
  const tab = await browser.visit();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/${hash}`);
  return tab;
};
