/** Signing in on the page at an OpenID Connect issuer, which gives a token for the API by the code flow with PKCE. */
import { pino } from 'pino';
import type { Page } from 'playwright-core';
import { openIdentity } from '../../../api/identity/open-identity';
import { loadSettings } from '../../../config/settings';
import { faultsToSee } from '../../browser/accessible';
import { openBrowser, type TestBrowser } from '../../browser/open-browser';
import { audience, audienceScope, startIssuer, type TestIssuer } from '../../builders/an-issuer';
import { ownProject, useDatabase } from '../api/api-under-test';
import { startedParts } from '../rig/started-parts';
import { openPageOf } from './page-of-api';

const parts = startedParts();
afterAll(() => parts.endAll()); // before the database goes
const { db } = useDatabase();
let issuer: TestIssuer;
let browser: TestBrowser;

beforeAll(async () => {
  issuer = await startIssuer();
  parts.endsBy(() => issuer.stop());
  browser = await openBrowser();
  parts.endsBy(() => browser.close());
});
afterEach(() => expect(browser.takeFaults()).toEqual([]));

/** Opens the page of an API that asks the issuer for these scopes. */
const openPage = async (scope: string, hash = '#/'): Promise<Page> => {
  const settings = loadSettings({
    ...{ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PARLEY_AUTH: 'oidc', PARLEY_OIDC_ISSUER: issuer.url },
    ...{ PARLEY_OIDC_AUDIENCE: audience, PARLEY_OIDC_CLIENT_ID: 'parley-page', PARLEY_OIDC_SCOPE: scope },
  });
  const { identity } = await openIdentity(settings, { logger: pino({ level: 'silent' }), answerSeconds: 120 });
  return openPageOf(identity, { db: db(), browser, parts }, hash);
};

const goToIssuer = (tab: Page) => tab.getByRole('button', { name: `Sign in at ${new URL(issuer.url).host}` }).click();

it('lets an admin in, who comes back to where they wanted to go, without the code in the address', async () => {
  issuer.signsIn({ realm_access: { roles: ['parley-admin'] } });
  const tab = await openPage(`openid ${audienceScope}`, '#/new');
  await tab.getByRole('button', { name: /^Sign in at/ }).waitFor();
  expect(await faultsToSee(tab)).toEqual([]);
  await goToIssuer(tab);
  await tab.getByRole('heading', { name: 'Plan a session' }).waitFor();
  expect(new URL(tab.url()).search).toBe('');
  await tab.reload();
  await tab.getByRole('heading', { name: 'Plan a session' }).waitFor();
  await tab.getByRole('button', { name: 'Sign out' }).click();
  await tab.reload();
  await tab.getByRole('button', { name: /^Sign in at/ }).waitFor();
});

it('lets the person of a project in as that project', async () => {
  issuer.signsIn({ project_id: ownProject });
  const tab = await openPage(`openid ${audienceScope}`);
  await goToIssuer(tab);
  await tab.getByRole('heading', { name: 'What you are asked' }).waitFor();
});

it('says which claim is wrong when the issuer gives a token for another audience', async () => {
  issuer.signsIn({ realm_access: { roles: ['parley-admin'] } });
  const tab = await openPage('openid');
  await goToIssuer(tab);
  await tab.getByText('the claim aud of the token does not fit this service').waitFor();
  await tab.getByRole('button', { name: /^Sign in at/ }).waitFor();
});
