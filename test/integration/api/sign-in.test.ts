/** Signing in where the service has no passwords; keystone.test.ts has those of Keystone. */
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { AuditEntryBody } from '../../../api/schemas/audit-schemas';
import { eventually } from '../../waiting/eventually';
import { apiOn, ownProject, tokenIdentity, useDatabase } from './api-under-test';
import { anOidcIssuer } from './oidc-under-test';

const { db } = useDatabase();
const oidc = anOidcIssuer();
const withTokens = () => apiOn(db(), { identity: tokenIdentity() }).http;
const workflowsUrl = 'http://temporal.example:8233/namespaces/default/workflows';

describe('GET /v1/sign-in', () => {
  it.each([
    { identity: 'none', http: () => apiOn(db()).http, ways: ['none'] },
    { identity: 'token', http: withTokens, ways: ['token'] },
  ])(
    'tells everybody the ways of identity $identity, and where workflows are shown',
    async ({ identity, http, ways }) => {
      const reply = await http().get('/v1/sign-in').expect(200);
      expect(reply.body).toEqual({ identity, ways, temporal_ui_url: workflowsUrl });
    },
  );
});

describe('a person who signs in at an issuer', () => {
  const http = () => apiOn(db(), { identity: oidc.identity() }).http;

  it('is told where, and whose the token is that comes of it', async () => {
    const reply = await http().get('/v1/sign-in').expect(200);
    expect(reply.body).toMatchObject({
      identity: 'oidc',
      ways: ['oidc', 'token'],
      oidc: {
        issuer: oidc.url(),
        authorization_endpoint: `${oidc.url()}/authorize`,
        token_endpoint: `${oidc.url()}/token`,
        client_id: 'parley-page',
        scope: 'openid',
      },
    });
    const bearer = { Authorization: `Bearer ${await oidc.tokenOf('own')}` };
    const whose = await http().get('/v1/whoami').set(bearer).expect(200);
    expect(whose.body).toEqual({
      role: 'project',
      cloud_name: 'recorded',
      name: 'somebody',
      project_id: ownProject,
      expires_at: expect.stringMatching(/Z$/) as unknown,
    });
  });
});

describe('GET /v1/whoami', () => {
  it.each([
    { token: 'admin', answer: { role: 'admin', name: 'token 8c6976e5b541' } },
    { token: 'own', answer: { role: 'project', name: 'token 5b3975651c3c', project_id: ownProject } },
  ])('tells the role of token $token', async ({ token, answer }) => {
    const reply = await withTokens().get('/v1/whoami').set('X-Auth-Token', token).expect(200);
    expect(reply.body).toEqual({ cloud_name: 'recorded', ...answer });
  });
});

describe('POST /v1/sign-in', () => {
  it('is refused where there are no passwords, and the audit has that it was tried without what was sent', async () => {
    const body = { user: 'operator', password: 'hunter2' };
    const reply = await withTokens().post('/v1/sign-in').send(body).expect(422);
    expect(reply.body).toMatchObject({ code: 'NO_PASSWORD_SIGN_IN', hint: expect.any(String) as unknown });
    // A slow result is added to its entry after the answer.
    const entries = await eventually('the entry has its result', async () => {
      const page = await withTokens().get('/v1/audit?limit=1').set('X-Auth-Token', 'admin').expect(200);
      const found = (page.body as { entries: AuditEntryBody[] }).entries;
      return found.every(({ ended_at: endedAt }) => endedAt !== null) ? found : undefined;
    });
    expect(entries).toMatchObject([
      {
        request_id: reply.headers['x-request-id'],
        ...{ role: 'nobody', caller: null, route: '/v1/sign-in', body_sha256: null, status: 422 },
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/operator|hunter2/);
  });

  it('leaves no more entries in the audit than a limit for each minute, whoever tries', async () => {
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    const attempts = () => db().auditEntry.count({ where: { role: 'nobody' } });
    const before = await attempts();
    const replies = [];
    for (let at = 0; at < 25; at += 1) replies.push(await http.post('/v1/sign-in').send({}));
    expect(await attempts()).toBe(before + 20);
    expect(replies.at(-1)).toMatchObject({ status: 503, body: { code: 'SIGN_IN_BUSY' } });
    expect(replies.at(-1)?.headers['retry-after']).toBe('60');
  });

  it('is open to others while somebody begins more attempts than are let in at once, and ends none', async () => {
    const server = createServer(apiOn(db(), { identity: tokenIdentity() }).app);
    const { port } = await new Promise<AddressInfo>((resolve) => {
      server.listen(0, '127.0.0.1', () => resolve(server.address() as AddressInfo));
    });
    const begun: Socket[] = [];
    const allBegun = new Promise<void>((resolve) => {
      let count = 0;
      server.on('request', () => (count += 1) === 8 && resolve());
    });
    const head =
      'POST /v1/sign-in HTTP/1.1\r\nHost: parley\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{';
    for (let one = 0; one < 8; one += 1) begun.push(connect(port, '127.0.0.1').on('error', () => undefined));
    for (const socket of begun) socket.write(head);
    await allBegun;
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ user: 'operator', password: 'hunter2' });
    const reply = await fetch(`http://127.0.0.1:${port}/v1/sign-in`, { method: 'POST', headers, body });
    const answer: unknown = await reply.json();
    begun.forEach((socket) => socket.destroy());
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    expect(answer).toMatchObject({ code: 'NO_PASSWORD_SIGN_IN' });
  });
});
