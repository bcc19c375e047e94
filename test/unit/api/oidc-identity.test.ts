import { generateKeyPair } from 'jose';
import { createOidcIdentity, type OidcSettings } from '../../../api/identity/oidc-identity';
import { findIssuer } from '../../../api/identity/oidc-issuer';
import { ApiError } from '../../../api/problems/problem';
import { createExchange } from '../../../clouds/http/exchange';
import { idOf } from '../../../rules/cloud/id';
import { audience, type IssuedToken, startIssuer, type TestIssuer } from '../../builders/an-issuer';

const project = '11111111111141118111111111111111';
const admin = { realm_access: { roles: ['parley-admin', 'offline_access'] } };
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

let issuer: TestIssuer;
beforeAll(async () => {
  issuer = await startIssuer();
});
afterEach(() => issuer.answerWith(undefined));
afterAll(() => issuer.stop());

const settings = (changes: Partial<OidcSettings> = {}): OidcSettings => ({
  ...{ oidcIssuer: issuer.url, oidcAudience: audience, oidcAudienceClaim: ['aud'] },
  ...{ oidcClientId: 'parley-page', oidcScope: 'openid' },
  ...{ oidcAdminClaim: ['realm_access', 'roles'], oidcAdminValues: ['parley-admin'], oidcProjectClaim: ['project_id'] },
  ...{ oidcAlgorithms: ['RS256', 'PS256', 'ES256'], oidcClockSkewSeconds: 30, ...changes },
});

const anIdentity = (changes: Partial<OidcSettings> = {}, now = Date.now) => {
  const given = settings(changes);
  const source = { issuer: given.oidcIssuer, exchange: createExchange({ timeoutSeconds: 60, proxies: {} }) };
  return createOidcIdentity({ settings: given, issuer: findIssuer(source, now) });
};

/** The caller by the token, or the refusal of the token. */
const told = async (identity: ReturnType<typeof anIdentity>, token: string | undefined) => {
  try {
    return await identity.authenticate(token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { status: error.problem.status, code: error.problem.code, detail: error.problem.detail };
  }
};

const toldOf = async (token: IssuedToken, changes: Partial<OidcSettings> = {}) =>
  told(anIdentity(changes), await issuer.sign(token));

describe('who a token makes its sender', () => {
  it.each([
    { what: 'the role of admins', claims: admin, whose: { kind: 'admin' } },
    { what: 'a project', claims: { project_id: project }, whose: { kind: 'project', projectId: idOf(project) } },
    { what: 'both', claims: { ...admin, project_id: project }, whose: { kind: 'admin' } },
    { what: 'one project in a list', claims: { project_id: [project] }, whose: { projectId: idOf(project) } },
  ])('with $what', async ({ claims, whose }) => {
    const exp = nowSeconds() + 100;
    expect(await toldOf({ claims: { ...claims, exp } })).toMatchObject({
      ...whose,
      caller: 'somebody',
      expiresAtMs: exp * 1000,
    });
  });

  it.each([
    { what: 'names it', claims: { client_id: audience }, told: { kind: 'admin' } },
    { what: 'lists it', claims: { client_id: ['other', audience] }, told: { kind: 'admin' } },
    { what: 'names another', claims: { client_id: 'other' }, told: { status: 401, detail: 'claim client_id' } },
    { what: 'has it within its name', claims: { client_id: `${audience} x` }, told: { status: 401 } },
    {
      what: 'is missing, beside an aud',
      claims: { aud: audience },
      told: { status: 401, detail: 'no claim client_id' },
    },
  ])(
    'where the claim client_id says for whom it is, and $what',
    async ({ claims, told: { detail = '', ...others } }) => {
      const token = { claims: { ...admin, aud: undefined, ...claims } };
      const answer = await toldOf(token, { oidcAudienceClaim: ['client_id'] });
      expect(answer).toMatchObject(others);
      expect(JSON.stringify(answer)).toContain(detail);
    },
  );

  it.each([
    { what: 'words of a text', path: ['scope'], claims: { scope: 'openid parley-admin' } },
    {
      what: 'a name with a slash',
      path: ['https://example.org/roles'],
      claims: { 'https://example.org/roles': ['parley-admin'] },
    },
    {
      what: 'a client of Keycloak',
      path: ['resource_access', 'my.client', 'roles'],
      claims: { resource_access: { 'my.client': { roles: ['parley-admin'] } } },
    },
  ])('where the admin claim is $what', async ({ path, claims }) => {
    expect(await toldOf({ claims }, { oidcAdminClaim: path })).toMatchObject({ kind: 'admin' });
  });

  it.each([
    { what: 'no claim that counts', claims: {} },
    { what: 'another role', claims: { realm_access: { roles: ['parley-admins', 'admin'] } } },
    { what: 'a role that is no text', claims: { realm_access: { roles: [{ name: 'parley-admin' }] } } },
    { what: 'roles where they are inherited by every object', claims: {}, path: ['constructor', 'name'] },
    { what: 'several projects', claims: { project_id: [project, '22222222222242228222222222222222'] } },
    { what: 'a project whose ID is no UUID', claims: { project_id: 'vnf-team' } },
  ])('is nobody with $what: 403', async ({ claims, path }) => {
    const changes = path === undefined ? {} : { oidcAdminClaim: path, oidcAdminValues: ['Object'] };
    expect(await toldOf({ claims }, changes)).toMatchObject({ status: 403, code: 'TOKEN_WITHOUT_RIGHTS' });
  });
});

describe('a token that is refused with 401', () => {
  it.each([
    { what: 'expired', claims: () => ({ exp: nowSeconds() - 31 }), detail: 'expired' },
    { what: 'not valid yet', claims: () => ({ nbf: nowSeconds() + 500 }), detail: 'nbf' },
    { what: 'without an end', claims: () => ({ exp: undefined }), detail: 'no claim exp' },
    { what: 'without a subject', claims: () => ({ sub: undefined }), detail: 'no claim sub' },
    { what: 'for another audience', claims: () => ({ aud: ['account', 'parley-2'] }), detail: 'claim aud' },
    { what: 'without an audience', claims: () => ({ aud: undefined }), detail: 'no claim aud' },
    { what: 'of another issuer', claims: () => ({ iss: `${issuer.url}/` }), detail: 'claim iss' },
  ])('is $what', async ({ claims, detail }) => {
    expect(await toldOf({ claims: { ...admin, ...claims() } })).toMatchObject({
      ...{ status: 401, code: 'NOT_AUTHENTICATED', detail: expect.stringContaining(detail) as unknown },
    });
  });

  it.each([
    { what: 'ended within the clock skew', claims: () => ({ exp: nowSeconds() - 20 }) },
    { what: 'begins within the clock skew', claims: () => ({ nbf: nowSeconds() + 20 }) },
    { what: 'is for several audiences', claims: () => ({ aud: ['account', audience] }) },
  ])('but not one that $what', async ({ claims }) => {
    const token = { claims: { ...admin, ...claims() } };
    expect(await toldOf(token, { oidcClockSkewSeconds: 300 })).toMatchObject({ kind: 'admin' });
  });

  it('is signed with the public key as a shared secret', async () => {
    const key = new TextEncoder().encode(await issuer.publicPem());
    expect(await toldOf({ claims: admin, header: { alg: 'HS256' }, key })).toMatchObject({
      ...{ status: 401, detail: expect.stringContaining('PARLEY_OIDC_ALGORITHMS') as unknown },
    });
  });

  it('is not signed at all, or another was put under its signature', async () => {
    const [head = '', body = '', signature = ''] = (await issuer.sign({ claims: { project_id: project } })).split('.');
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const none = encoded({ alg: 'none' });
    const asAdmin = encoded({ ...(JSON.parse(Buffer.from(body, 'base64url').toString()) as object), ...admin });
    const forged = [`${none}.${asAdmin}.`, `${none}.${asAdmin}.${signature}`, `${head}.${asAdmin}.${signature}`];
    for (const token of [...forged, `${head}.${body}`, '', 'x', 'a.b.c', `${head}..${signature}`]) {
      expect(await told(anIdentity(), token)).toMatchObject({ status: 401 });
    }
  });

  it('is signed by a key of somebody else, under the name of a key of the issuer or under its own', async () => {
    const { privateKey: key } = await generateKeyPair('RS256');
    const [head = ''] = (await issuer.sign()).split('.');
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { kid: string };
    for (const header of [{ alg: 'RS256', kid }, { alg: 'RS256', kid: 'mine' }, { alg: 'RS256' }]) {
      expect(await toldOf({ claims: admin, header, key })).toMatchObject({ status: 401 });
    }
  });

  it('is signed in a way that the settings do not list', async () => {
    const es256 = await startIssuer('ES256');
    try {
      const token = await es256.sign({ claims: admin });
      expect(await told(anIdentity({ oidcIssuer: es256.url }), token)).toMatchObject({ kind: 'admin' });
      const without = anIdentity({ oidcIssuer: es256.url, oidcAlgorithms: ['RS256'] });
      expect(await told(without, token)).toMatchObject({ status: 401 });
    } finally {
      await es256.stop();
    }
  });

  it('is not there', async () => {
    expect(await told(anIdentity(), undefined)).toMatchObject({ status: 401, detail: 'the request has no token' });
  });
});

describe('the keys of the issuer', () => {
  const allButDate: FakeableAPI[] = [
    ...(['hrtime', 'nextTick', 'performance', 'queueMicrotask', 'setImmediate', 'clearImmediate'] as const),
    ...(['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout'] as const),
  ];
  afterEach(() => jest.useRealTimers());

  it('are asked for once, and again for a key that is not known, but not for each one that is made up', async () => {
    // Time stands still for the pause between two requests for keys.
    jest.useFakeTimers({ now: Date.now(), doNotFake: allButDate });
    const identity = anIdentity();
    const before = issuer.keysAsked();
    const token = await issuer.sign({ claims: admin });
    for (let times = 0; times < 3; times += 1) expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
    expect(issuer.keysAsked()).toBe(before + 1);

    await issuer.rotate();
    const ofNewKey = await issuer.sign({ claims: admin });
    expect(await told(identity, ofNewKey)).toMatchObject({ status: 401 });
    expect(issuer.keysAsked()).toBe(before + 1);
    jest.setSystemTime(Date.now() + 6_000);
    expect(await told(identity, ofNewKey)).toMatchObject({ kind: 'admin' });
    expect(await told(identity, token)).toMatchObject({ status: 401 });
    expect(issuer.keysAsked()).toBe(before + 2);
  });
});

describe('while the issuer is away', () => {
  const away = { status: 503, code: 'ISSUER_AWAY' };

  it('nobody is let in, and all is well once it is back', async () => {
    const identity = anIdentity();
    const token = await issuer.sign({ claims: admin });
    await issuer.stop();
    expect(await told(identity, token)).toMatchObject(away);
    await expect(identity.oidcClient?.()).rejects.toMatchObject({ problem: away });
    await issuer.start();
    expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
    await issuer.stop();
    expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
    await issuer.start();
  });

  it.each([
    { what: 'is broken', answer: { status: 500, body: {} } },
    {
      what: 'is of another issuer',
      answer: { status: 200, body: { issuer: 'https://id.example', jwks_uri: 'https://id.example/keys' } },
    },
    { what: 'is no configuration', answer: { status: 200, body: { issuer: 17 } } },
  ])('as when its document $what', async ({ answer }) => {
    const token = await issuer.sign({ claims: admin });
    issuer.answerWith(answer);
    expect(await told(anIdentity(), token)).toMatchObject(away);
  });

  it('as when it has its keys where others could change them on their way', async () => {
    const token = await issuer.sign({ claims: admin });
    issuer.answerWith({ status: 200, body: { issuer: issuer.url, jwks_uri: 'http://id.example/keys' } });
    expect(await told(anIdentity(), token)).toMatchObject(away);
  });

  it('an older document serves, and the newest one once it answers again', async () => {
    const clock = { nowMs: Date.now() };
    const identity = anIdentity({}, () => clock.nowMs);
    const token = await issuer.sign({ claims: admin });
    expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
    clock.nowMs += 3_600_001;
    issuer.answerWith({ status: 500, body: {} });
    expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
    issuer.answerWith(undefined);
    expect(await told(identity, token)).toMatchObject({ kind: 'admin' });
  });
});

describe('the page of people', () => {
  it('is told where the issuer signs them in, and as which client', async () => {
    expect(await anIdentity().oidcClient?.()).toEqual({
      issuer: issuer.url,
      authorizationEndpoint: `${issuer.url}/authorize`,
      tokenEndpoint: `${issuer.url}/token`,
      clientId: 'parley-page',
      scope: 'openid',
    });
    expect(anIdentity().ways).toEqual(['oidc', 'token']);
  });

  it('takes tokens alone where there is no client', () => {
    const identity = anIdentity({ oidcClientId: undefined });
    expect(identity.ways).toEqual(['token']);
    expect(identity.oidcClient).toBeUndefined();
  });
});
