/** Answers to callers as their tokens end, their roles are taken away, and Keystone goes down and comes back. */
import type { Page } from 'playwright-core';
import type { Identity } from '../../../api/identity/identity';
import { createExchange } from '../../../clouds/http/exchange';
import { connectKeystone } from '../../../clouds/keystone/keystone';
import { loadSettings } from '../../../config/settings';
import { faultsToSee } from '../../browser/accessible';
import { openBrowser, type TestBrowser } from '../../browser/open-browser';
import type { KeystoneRig } from '../../openstack/rig/keystone-rig';
import { eventually } from '../../waiting/eventually';
import { openPageOf } from '../page/page-of-api';
import { startedParts } from '../rig/started-parts';
import { apiOn, otherProject, ownProject, useDatabase } from './api-under-test';
import { aKeystone, type OpenedOnKeystone, openOn } from './keystone-under-test';

const { db } = useDatabase();
const keystone = aKeystone();
const sessionId = '99999999-0000-4000-8000-000000000000';

const call = async (identity: Identity, token: string, path = '/v1/maintenance') => {
  const { http, logged } = apiOn(db(), { identity });
  const reply = await http.get(path).set('X-Auth-Token', token);
  return { status: reply.status, body: reply.body as Record<string, unknown>, logged };
};

/** Calls until the answer has this status, and returns it. */
const callUntil = (status: number, attempt: () => ReturnType<typeof call>) =>
  eventually({ what: `an answer has status ${status}`, pollMs: 200 }, async () => {
    const answer = await attempt();
    return answer.status === status ? answer : undefined;
  });

describe('a token that gives no rights', () => {
  it.each([
    { what: 'of a domain admin', user: 'operator', scope: 'domain' as const, detail: 'the token is for a domain' },
    { what: 'without a scope', user: 'operator', scope: 'nothing' as const, detail: 'the token is for nothing' },
    { what: 'of a reader', user: 'reader', scope: { project: 'own' }, detail: 'lacks the role member' },
  ])('$what is answered 403, which says why', async ({ user, scope, detail }) => {
    const token = await keystone.rig().token(user, scope);
    const { status, body } = await call(keystone.identity(), token, `/v1/maintenance/${sessionId}/${ownProject}`);
    expect({ status, ...body }).toMatchObject({
      status: 403,
      code: 'TOKEN_WITHOUT_RIGHTS',
      detail: expect.stringContaining(detail) as unknown,
    });
  });

  it('lacks the admin role for what admins do, and the project for what its manager does', async () => {
    const own = await keystone.tokenOf('own');
    expect(await call(keystone.identity(), own)).toMatchObject({ status: 403, body: { code: 'ADMIN_ONLY' } });
    const elsewhere = `/v1/maintenance/${sessionId}/${otherProject}`;
    expect(await call(keystone.identity(), own, elsewhere)).toMatchObject({
      status: 403,
      body: { code: 'NOT_YOUR_PROJECT' },
    });
  });

  it('an admin of the system is admin, without a project', async () => {
    const token = await keystone.rig().token('operator', 'system');
    expect(await call(keystone.identity(), token)).toMatchObject({ status: 200 });
  });

  it.each(['', 'x', 'gAAAAAB'.repeat(40), 'y'.repeat(9_000), 'with a space', 'ünfug'])(
    '%p is no token of Keystone: 401',
    async (token) => {
      const { status, body } = await call(keystone.identity(), token);
      expect({ status, code: body['code'] }).toEqual({ status: 401, code: 'NOT_AUTHENTICATED' });
    },
  );
});

describe('a token that is over', () => {
  it('stays good for the cache time after it was revoked, and no longer', async () => {
    const rig = keystone.rig();
    const [cached, uncached] = await Promise.all([
      openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '3600' }),
      openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '0' }),
    ]);
    const [brief, token] = [await openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '3' }), await freshToken(rig)];
    for (const { identity } of [cached, brief, uncached])
      expect(await call(identity, token)).toMatchObject({ status: 200 });
    await rig.revoke(token);
    expect(await call(cached.identity, token)).toMatchObject({ status: 200 });
    expect(await call(uncached.identity, token)).toMatchObject({ status: 401 });
    expect(await callUntil(401, () => call(brief.identity, token))).toMatchObject({ status: 401 });
  });

  it("gives no rights any more once its user's role is taken away", async () => {
    const rig = keystone.rig();
    const { identity } = await openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '0' });
    const { user } = (await rig.asAdmin('POST', '/users', { body: { user: newcomer } })) as { user: { id: string } };
    const { roles } = (await rig.asAdmin('GET', '/roles?name=member')) as { roles: { id: string }[] };
    const grant = `/projects/${ownProject.replaceAll('-', '')}/users/${user.id}/roles/${roles[0]!.id}`;
    await rig.asAdmin('PUT', grant);
    const token = await rig.token(newcomer.name, { project: 'own' });
    const path = `/v1/maintenance/${sessionId}/${ownProject}`;
    expect((await call(identity, token, path)).status).not.toBe(401);
    await rig.asAdmin('DELETE', grant);
    expect(await call(identity, token, path)).toMatchObject({ status: 401 });
  });
});

const newcomer = { name: 'newcomer', password: 'a password for tests', domain_id: 'default' };

/** A token that no other test uses. */
const freshToken = (rig: KeystoneRig): Promise<string> => rig.token('operator', { project: 'admin' });

describe('tokens that live for seconds', () => {
  const shortLived = aKeystone({ tokenSeconds: 15 });

  /** A token that was good when the service was called with it: on a busy machine one may be over by then. */
  const confirmedToken = (identity: Identity): Promise<string> =>
    eventually('a token is checked while it lives', async () => {
      const token = await freshToken(shortLived.rig());
      return (await call(identity, token)).status === 200 ? token : undefined;
    });

  it('end for the caller though the cache would keep them, while the service renews its own', async () => {
    const { identity } = await openOn(shortLived.rig(), { PARLEY_TOKEN_CACHE_SECONDS: '3600' });
    const first = await confirmedToken(identity);
    expect(await callUntil(401, () => call(identity, first))).toMatchObject({ status: 401 });
    expect(await confirmedToken(identity)).not.toBe(first);
  });
});

describe("the service's own token", () => {
  it('is replaced when Keystone has revoked it', async () => {
    const rig = keystone.rig();
    const settings = loadSettings({
      DATABASE_URL: 'postgresql://db/parley',
      ...rig.environmentOf('parley', 'service'),
    });
    const client = connectKeystone(settings.keystone!, createExchange({ timeoutSeconds: 15, proxies: {} }));
    const { secret } = await client.tokens.current();
    await rig.revoke(secret);
    expect(await client.validate(await freshToken(rig))).toMatchObject({
      roles: expect.arrayContaining(['admin']) as unknown,
    });
    expect((await client.tokens.current()).secret).not.toBe(secret);
  });

  it('may be that of an application credential', async () => {
    const rig = keystone.rig();
    const token = await freshToken(rig);
    const made = await fetch(`${rig.authUrl}/auth/tokens`, {
      headers: { 'x-auth-token': token, 'x-subject-token': token },
    });
    const { id } = ((await made.json()) as { token: { user: { id: string } } }).token.user;
    const response = await fetch(`${rig.authUrl}/users/${id}/application_credentials`, {
      method: 'POST',
      headers: { 'x-auth-token': token, 'content-type': 'application/json' },
      body: JSON.stringify({ application_credential: { name: 'parley', secret: 'of the application' } }),
    });
    const { application_credential } = (await response.json()) as { application_credential: { id: string } };
    const { identity } = await openOn(rig, {
      OS_USERNAME: '',
      OS_PASSWORD: '',
      OS_PROJECT_NAME: '',
      OS_APPLICATION_CREDENTIAL_ID: application_credential.id,
      OS_APPLICATION_CREDENTIAL_SECRET: 'of the application',
    });
    expect(await call(identity, await keystone.tokenOf('own'))).toMatchObject({ status: 403 });
    expect(await call(identity, await freshToken(rig))).toMatchObject({ status: 200 });
  });

  it.each([
    {
      what: 'a wrong password',
      environment: { OS_PASSWORD: 'guessed' },
      says: 'does not let user parley in (401)',
    },
    {
      what: 'a user without the role to check tokens',
      environment: { OS_USERNAME: 'own', OS_PROJECT_NAME: 'own' },
      says: 'does not let the service check tokens',
    },
    {
      what: 'an address where something else answers',
      environment: { OS_AUTH_URL: '' },
      says: 'does not answer a login like Keystone',
    },
  ])('cannot be had with $what: 500, and the log says so', async ({ environment, says }) => {
    const rig = keystone.rig();
    const given =
      'OS_AUTH_URL' in environment ? { OS_AUTH_URL: rig.authUrl.replace('/v3', '/elsewhere') } : environment;
    const { identity, logged } = await openOn(rig, given);
    const answer = await call(identity, await freshToken(rig));
    expect(answer).toMatchObject({ status: 500, body: { code: 'IDENTITY_UNKNOWN' } });
    expect(logged.join()).toContain(says);
  });
});

describe('a person who signs in by user and password', () => {
  const signIn = async (opened: OpenedOnKeystone, body: object) => {
    const { http, logged } = apiOn(db(), { identity: opened.identity });
    const reply = await http.post('/v1/sign-in').send(body);
    return { status: reply.status, body: reply.body as Record<string, unknown>, headers: reply.headers, logged };
  };
  const whoami = async (opened: OpenedOnKeystone, token: unknown) => {
    const { http } = apiOn(db(), { identity: opened.identity });
    return (await http.get('/v1/whoami').set('X-Auth-Token', String(token))).body as Record<string, unknown>;
  };

  it.each([
    { user: 'operator', project: 'admin', whose: { role: 'admin' } },
    { user: 'own', project: 'own', whose: { role: 'project', project_name: 'own' } },
  ])('as $user gets a token that tells who it is', async ({ user, project, whose }) => {
    const opened = await openOn(keystone.rig());
    const body = { user, password: keystone.rig().password, project, user_domain: 'Default' };
    const { status, body: signedIn } = await signIn(opened, body);
    expect({ status, ...signedIn }).toMatchObject({ status: 200, expires_at: expect.stringMatching(/Z$/) as unknown });
    expect(await whoami(opened, signedIn['token'])).toMatchObject({ ...whose, expires_at: signedIn['expires_at'] });
  });

  it.each([
    { what: 'a wrong password', change: { password: 'hunter2' }, status: 401, code: 'SIGN_IN_REFUSED' },
    { what: 'an unknown user', change: { user: 'nobody' }, status: 401, code: 'SIGN_IN_REFUSED' },
    { what: "another's project", change: { user: 'own' }, status: 401, code: 'SIGN_IN_REFUSED' },
    { what: 'a password that is no text', change: { password: 19_283_746 }, status: 422, code: 'BODY_DOES_NOT_FIT' },
  ])('is refused with $what, without a word of the password', async ({ change, status, code }) => {
    const opened = await openOn(keystone.rig());
    const body = { user: 'operator', password: keystone.rig().password, project: 'admin', ...change };
    const answer = await signIn(opened, body);
    expect({ status: answer.status, ...answer.body }).toMatchObject({ status, code });
    expect(JSON.stringify([answer, opened.logged])).not.toContain(String(body.password));
  });

  it('is told to try later while Keystone is away, without a word of the password', async () => {
    const elsewhere = keystone.rig().authUrl.replace('/v3', '/elsewhere');
    const opened = await openOn(keystone.rig(), { OS_AUTH_URL: elsewhere });
    const answer = await signIn(opened, { user: 'operator', password: 'hunter2' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'KEYSTONE_AWAY' }, headers: { 'retry-after': '5' } });
    expect(JSON.stringify([answer, opened.logged])).not.toContain('hunter2');
  });
});

describe('a person who signs in on the page by user and password', () => {
  const parts = startedParts();
  let browser: TestBrowser;
  beforeAll(async () => {
    browser = await openBrowser();
    parts.endsBy(() => browser.close());
  });
  afterAll(() => parts.endAll());

  interface Person {
    readonly user: string;
    readonly password?: string;
    readonly project: string;
  }
  const signIn = async (tab: Page, { user, password = keystone.rig().password, project }: Person): Promise<void> => {
    await tab.getByLabel('User', { exact: true }).fill(user);
    await tab.getByLabel('Password').fill(password);
    await tab.getByLabel('Project', { exact: true }).fill(project);
    await tab.getByRole('button', { name: 'Sign in', exact: true }).click();
  };
  const openPage = () => openPageOf(keystone.identity(), { db: db(), browser, parts });

  it('is told of a wrong password, and is an admin with the right one until signing out', async () => {
    const tab = await openPage();
    await tab.getByLabel('User', { exact: true }).waitFor();
    expect(await faultsToSee(tab)).toEqual([]);
    await signIn(tab, { user: 'operator', password: 'hunter2', project: 'admin' });
    await tab.getByRole('alert').waitFor();
    await signIn(tab, { user: 'operator', project: 'admin' });
    await tab.getByRole('heading', { name: 'Sessions' }).waitFor();
    expect(await tab.evaluate<string>('JSON.stringify([localStorage, document.cookie])')).toBe('[{},""]');
    await tab.getByRole('button', { name: 'Sign out' }).click();
    await tab.getByLabel('User', { exact: true }).waitFor();
    expect(browser.takeFaults()).toEqual([]);
  });

  it('is the project of whoever is a member there', async () => {
    const tab = await openPage();
    await signIn(tab, { user: 'own', project: 'own' });
    await tab.getByRole('heading', { name: 'What you are asked' }).waitFor();
    expect(browser.takeFaults()).toEqual([]);
  });
});

describe('while Keystone is away', () => {
  it('nobody new is let in, who was is for the cache time, and all is well once it is back', async () => {
    const rig = keystone.rig();
    const { identity, needs, logged } = await openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '3600' });
    const uncached = await openOn(rig, { PARLEY_TOKEN_CACHE_SECONDS: '0' });
    const [known, unknown] = [await freshToken(rig), await freshToken(rig)];
    const ready = () => needs[0]!.attempt();
    await ready();
    for (const each of [identity, uncached.identity]) expect(await call(each, known)).toMatchObject({ status: 200 });

    await rig.stop();
    expect(await call(identity, known)).toMatchObject({ status: 200 });
    expect(await call(uncached.identity, known)).toMatchObject({ status: 500, body: { code: 'IDENTITY_UNKNOWN' } });
    expect(await call(identity, unknown)).toMatchObject({ status: 500, body: { code: 'IDENTITY_UNKNOWN' } });
    expect(await call(identity, 'guessed')).toMatchObject({ status: 500 });
    await expect(ready()).rejects.toThrow(`Keystone does not answer at ${rig.authUrl}`);
    expect(logged.join()).toContain('a token could not be checked');

    await rig.start();
    expect(await call(identity, unknown)).toMatchObject({ status: 200 });
    expect(await call(uncached.identity, known)).toMatchObject({ status: 200 });
    await ready();
    expect([...logged, ...uncached.logged].join()).not.toContain(known);
    expect([...logged, ...uncached.logged].join()).not.toContain(unknown);
  });
});
