/** The page on a whole service, in a headless browser: one rig and one browser for a test file. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Identity } from '../../../api/identity/identity';
import { parseTokens } from '../../../api/identity/token-file';
import { createTokenIdentity } from '../../../api/identity/token-identity';
import { anyFreePort } from '../../../cli/stack/ports';
import { openBrowser, type TestBrowser } from '../../browser/open-browser';
import { type Admin, anAdmin } from '../rig/admin';
import { type Rig, type RigOptions, startRig } from '../rig/rig';
import { serveApi, type ServedApi } from '../rig/serve-api';
import { startedParts } from '../rig/started-parts';

export interface PageUnderTest {
  rig(): Rig;
  /** Asks the same service past the page, and needs no token. */
  admin(): Admin;
  /** Address of the page. Its API knows people by tokens. */
  address(): string;
  /** Opens a tab for somebody who has signed in with this token. */
  enter(token: string, hash?: string, options?: BrowserContextOptions): Promise<Page>;
  visit(options?: BrowserContextOptions): Promise<Page>;
  /** Ends the API that the page speaks to. */
  stopApi(): Promise<void>;
  /** Starts it again at the same address. */
  startApi(): Promise<void>;
  /** Lets the API know these tokens alone from now on. */
  know(tokens: Tokens): void;
}

/** The project of each token, or `admin`. */
export type Tokens = Readonly<Record<string, string>>;

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

const identityOf = (tokens: Tokens): Identity => {
  const entries = Object.entries(tokens).map(([token, of]) => ({
    sha256: hashOf(token),
    ...(of === 'admin' ? { role: 'admin' } : { role: 'project', project_id: of }),
  }));
  return createTokenIdentity(parseTokens(JSON.stringify(entries)));
};

const builtPage = path.resolve(__dirname, '../../../dist/page/index.html');

/** The first thing that somebody sees who comes to the page. */
export const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByRole('textbox', { name: 'Token' }).fill(token);
  await page.getByRole('button', { name: 'Sign in with the token' }).click();
};

export const usePage = (tokens: Tokens, options: RigOptions): PageUnderTest => {
  let rig: Rig;
  let api: ServedApi | undefined;
  let port: number;
  let identity = identityOf(tokens);
  let browser: TestBrowser;
  const parts = startedParts();

  const serve = (): Promise<ServedApi> => {
    const byTokens: Identity = { ...identity, authenticate: (token) => identity.authenticate(token) };
    const { settings, services } = rig;
    return serveApi({ settings, services, identity: byTokens, port });
  };

  beforeAll(async () => {
    if (!existsSync(builtPage)) throw new Error('the page is not built: run `npm run build`');
    rig = await startRig(options);
    parts.endsBy(() => rig.stop());
    // No client takes it while the API is away.
    port = await anyFreePort();
    api = await serve();
    parts.endsBy(async () => api?.stop());
    browser = await openBrowser();
    parts.endsBy(() => browser.close());
  });
  afterEach(() => expect(browser.takeFaults()).toEqual([]));
  afterAll(() => parts.endAll());

  const address = () => `http://127.0.0.1:${port}/`;
  return {
    rig: () => rig,
    admin: () => anAdmin(rig.url),
    address,
    visit: (given) => browser.visit(given),
    async enter(token, hash = '#/', given = {}) {
      const page = await browser.visit(given);
      await page.goto(`${address()}${hash}`);
      await signIn(page, token);
      return page;
    },
    async stopApi() {
      await api?.stop();
      api = undefined;
    },
    async startApi() {
      api = await serve();
    },
    know(known) {
      identity = identityOf(known);
    },
  };
};
