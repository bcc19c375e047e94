import { operations } from '../../../api/openapi/operations';
import { noTracing, type Tracing } from '../../../telemetry/tracing/tracing';
import { eventually } from '../../waiting/eventually';
import {
  apiOn,
  aSessionRequest,
  group,
  nobody,
  ownInstance,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();

const problem = (status: number, code: string) => ({ status, code });

describe('a request that cannot be read', () => {
  it.each([
    { situation: 'no JSON', type: 'application/json', send: '{"state":', code: 'MALFORMED_JSON' },
    { situation: 'no JSON type', type: 'text/plain', send: '{}', code: 'WRONG_CONTENT_TYPE' },
    { situation: 'a form', type: 'application/x-www-form-urlencoded', send: 'a=b', code: 'WRONG_CONTENT_TYPE' },
    {
      situation: 'an unknown charset',
      type: 'application/json; charset=ebcdic',
      send: '{}',
      code: 'UNREADABLE_REQUEST',
    },
    {
      situation: 'a body beyond the limit',
      type: 'application/json',
      send: `"${'x'.repeat(2_000)}"`,
      code: 'BODY_TOO_LARGE',
    },
  ])('$situation is 400 with a problem body', async ({ type, send, code }) => {
    const { http } = apiOn(db(), { bodyLimitBytes: 1_000 });
    const reply = await http.post('/v1/maintenance').set('Content-Type', type).send(send).expect(400);
    expect(reply.type).toBe('application/problem+json');
    expect(reply.body).toMatchObject({ ...problem(400, code), hint: expect.any(String) as unknown, errors: [] });
  });

  it('names the setting of the limit', async () => {
    const { http } = apiOn(db(), { bodyLimitBytes: 10 });
    const reply = await http.post('/v1/maintenance').send(aSessionRequest()).expect(400);
    expect(reply.body).toMatchObject({ hint: expect.stringContaining('PARLEY_BODY_LIMIT') as unknown });
  });

  it.each([
    { method: 'get', path: '/v1/maintenance/x' },
    { method: 'get', path: '/v1/maintenance/x/detail' },
    { method: 'put', path: '/v1/maintenance/x' },
    { method: 'patch', path: '/v1/maintenance/x' },
    { method: 'delete', path: '/v1/maintenance/0000000000000000000000000000000' },
    { method: 'get', path: `/v1/maintenance/x/${ownProject}` },
    { method: 'get', path: `/v1/maintenance/${nobody}/x` },
    { method: 'put', path: `/v1/maintenance/${nobody}/x` },
    { method: 'put', path: `/v1/maintenance/${nobody}/${ownProject}/x` },
    { method: 'get', path: '/v1/instance/x' },
    { method: 'put', path: '/v1/instance/%00' },
    { method: 'delete', path: '/v1/instance/x' },
    { method: 'get', path: '/v1/instance_group/x' },
    { method: 'put', path: '/v1/instance_group/x' },
    { method: 'delete', path: '/v1/instance_group/x' },
  ] as const)('$method $path: a malformed ID is 400', async ({ method, path }) => {
    const reply = await apiOn(db()).http[method](path).expect(400);
    expect(reply.body).toMatchObject(problem(400, 'MALFORMED_ID'));
  });

  it('is 400 with a path that is no URL encoding', async () => {
    await apiOn(db()).http.get('/v1/instance/%zz').expect(400);
  });

  it.each([
    { method: 'get', path: '/v2/maintenance' },
    { method: 'post', path: '/v1/instance' },
    { method: 'patch', path: '/v1/no/such/thing' },
  ] as const)('$method $path does not exist', async ({ method, path }) => {
    const reply = await apiOn(db()).http[method](path).expect(404);
    expect(reply.body).toMatchObject(problem(404, 'NO_SUCH_ENDPOINT'));
  });
});

describe('while everybody is admin', () => {
  const paths = ['/v1/maintenance', '/healthz', '/docs/'];
  const own = ['localhost', 'LOCALHOST:12347', '127.0.0.1:80', '127.8.9.10', '[::1]:12347', 'parley.example:443'];
  const foreign = [
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    '10.0.0.1',
    '[::2]',
    'x@localhost',
  ];

  it.each(own)('answers what is addressed to %s', async (host) => {
    for (const path of paths) await apiOn(db()).http.get(path).set('Host', host).expect(200);
  });

  it.each(foreign)(
    'refuses what is addressed to %s, as a page does whose name was made to point here',
    async (host) => {
      for (const path of paths) {
        const reply = await apiOn(db()).http.get(path).set('Host', host).expect(403);
        expect(reply.body).toMatchObject(problem(403, 'UNKNOWN_HOST'));
      }
    },
  );

  it.each(['https://evil.example', 'http://127.0.0.1:8080', 'null', 'https://parley.example:12347'])(
    'refuses changes by a page of %s, and lets it read nothing either way',
    async (origin) => {
      const { http, workflowCalls } = apiOn(db());
      const from = (request: ReturnType<typeof http.post>) =>
        request.set('Origin', origin).set('Host', '127.0.0.1:12347');
      const created = await from(http.post('/v1/maintenance')).send(aSessionRequest()).expect(403);
      expect(created.body).toMatchObject(problem(403, 'FOREIGN_ORIGIN'));
      await from(http.post(`/v1/maintenance/${nobody}/abort`)).expect(403);
      await from(http.delete(`/v1/instance/${ownInstance}`)).expect(403);
      expect(workflowCalls.calls).toEqual([]);
      const read = await from(http.get('/v1/maintenance')).expect(200);
      expect(read.headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it.each([
    { origin: 'http://127.0.0.1:12347', host: '127.0.0.1:12347' },
    { origin: 'http://localhost', host: 'localhost' },
    { origin: 'http://parley.example:12347', host: '127.0.0.1:9999' },
  ])('takes changes by its own pages, at $origin', async ({ origin, host }) => {
    const path = `/v1/instance/${ownInstance}`;
    await apiOn(db()).http.delete(path).set('Origin', origin).set('Host', host).expect(200);
  });

  it('asks a token of whoever is to have one, not where a request comes from', async () => {
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    const request = http.get('/v1/maintenance').set('Host', 'proxy.example').set('Origin', 'https://portal.example');
    await request.set('X-Auth-Token', 'admin').expect(200);
  });
});

describe('a method that the path does not take', () => {
  it.each([
    { method: 'post', path: `/v1/maintenance/${nobody}`, allow: 'GET, HEAD, PUT, PATCH, DELETE' },
    { method: 'delete', path: '/v1/maintenance', allow: 'POST, GET, HEAD' },
    { method: 'patch', path: '/v1/Maintenance/', allow: 'POST, GET, HEAD' },
    { method: 'get', path: `/v1/maintenance/${nobody}/pause`, allow: 'POST' },
    { method: 'delete', path: `/v1/maintenance/${nobody}/${ownProject}`, allow: 'GET, HEAD, PUT' },
    { method: 'get', path: `/v1/maintenance/${nobody}/${ownProject}/${ownInstance}`, allow: 'PUT' },
    { method: 'trace', path: `/v1/instance/${ownInstance}`, allow: 'GET, HEAD, PUT, DELETE' },
    { method: 'post', path: `/v1/instance_group/${group}`, allow: 'GET, HEAD, PUT, DELETE' },
    { method: 'post', path: '/v1/events', allow: 'GET, HEAD' },
    { method: 'patch', path: '/healthz', allow: 'GET, HEAD' },
    { method: 'post', path: '/docs/', allow: 'GET, HEAD' },
    { method: 'put', path: '/docs/swagger-ui.css', allow: 'GET, HEAD' },
  ] as const)('$method $path is 405 and told $allow', async ({ method, path, allow }) => {
    const reply = await apiOn(db()).http[method](path).send();
    expect(reply).toMatchObject({ status: 405, body: problem(405, 'METHOD_NOT_ALLOWED') });
    expect(reply.get('Allow')).toBe(allow);
  });
});

describe('every answer', () => {
  it.each(['/healthz', '/openapi.json', '/docs/', '/docs/swagger-ui-bundle.js', '/v1/maintenance', '/nowhere'])(
    'of %s is fresh and is what it says that it is',
    async (path) => {
      const reply = await apiOn(db()).http.get(path);
      expect(reply.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    },
  );

  it('names some of many errors and counts the rest', async () => {
    const hosts = Array.from({ length: 50_000 }, (_, index) => `host-${index}`);
    const { http } = apiOn(db());
    for (const wrong of [hosts, hosts.map(() => 1)]) {
      const reply = await http
        .post('/v1/maintenance')
        .send(aSessionRequest({ hosts: wrong }))
        .expect(400);
      const { errors, detail } = reply.body as { errors: unknown[]; detail: string };
      expect(errors).toHaveLength(50);
      expect(detail).toMatch(/; errors has the first 50 of 50000$/);
    }
  });
});

describe('every documented operation', () => {
  const ids: Readonly<Record<string, string>> = {
    session_id: nobody,
    project_id: ownProject,
    instance_id: ownInstance,
    group_id: group,
    webhook_id: nobody,
  };
  const rows = operations.map(({ method, path, request, errors }) => ({
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
    send: request?.example as object | undefined,
    documented: [200, ...errors],
  }));

  it.each(rows)('$method $path exists and answers as documented', async ({ method, path, send, documented }) => {
    const reply = await apiOn(db()).http[method](path).send(send);
    expect(documented).toContain(reply.status);
    expect(reply.body).not.toMatchObject({ code: 'NO_SUCH_ENDPOINT' });
  });
});

describe('an unexpected error', () => {
  it('tells nothing but the ID under which the log has it', async () => {
    const broken = new Proxy(db(), {
      get: () => {
        throw new Error('password=hunter2');
      },
    });
    const { http, logged } = apiOn(broken);
    const reply = await http.get('/v1/maintenance').expect(500);
    expect(reply.body).toMatchObject(problem(500, 'INTERNAL_ERROR'));
    expect(reply.text).not.toMatch(/hunter2|\bat /);
    expect(reply.text).toContain(reply.get('X-Request-Id'));
    expect(logged.join()).toContain(reply.get('X-Request-Id'));
  });
});

describe('the service itself', () => {
  it('is alive, and ready only when a session could be run', async () => {
    await apiOn(db(), { ready: false }).http.get('/healthz').expect(200);
    await apiOn(db()).http.get('/readyz').expect(200, { ready: true, problems: [] });
    await apiOn(db(), { ready: false })
      .http.get('/readyz')
      .expect(503, { ready: false, problems: ['no worker'] });
  });

  it('shows its document offline', async () => {
    const { http } = apiOn(db());
    const page = await http.get('/docs/').expect(200);
    expect(page.text).toContain('swagger-ui-bundle.js');
    expect(page.text).not.toMatch(/(?:src|href)="https?:/);
    expect(page.headers['content-security-policy']).toContain(
      "default-src 'none'; script-src 'self'; style-src 'self';",
    );
    const initializer = await http.get('/docs/swagger-initializer.js').expect(200);
    expect(initializer.text).toContain("url: '../openapi.json'");
    await http.get('/docs/swagger-ui-bundle.js').expect(200);
    const document = await http.get('/openapi.json').expect(200);
    expect(document.body).toMatchObject({ openapi: '3.1.0' });
  });
});

describe('GET /metrics', () => {
  it('shows the sessions, hosts, questions and events of the database, and the requests by template', async () => {
    const { http } = apiOn(db());
    const created = await http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
    const { session_id: sessionId } = created.body as { session_id: string };
    const question = { sessionId, projectId: ownProject, state: 'MAINTENANCE', instanceIds: [], allowedActions: [] };
    await db().question.create({ data: { ...question, windowSeconds: 20, messageId: nobody } });
    const sent = { askedAt: new Date(), replyAt: new Date(0), instanceId: ownInstance, messageId: ownInstance };
    await db().question.create({ data: { ...question, ...sent, windowSeconds: 20 } });
    await http.get(`/v1/maintenance/${sessionId}`).expect(200);
    // A database that counts slowly is left out of one scrape and of those soon after.
    const text = await eventually('the metrics have what the database counts', async () => {
      const scraped = await http.get('/metrics').expect(200);
      return scraped.text.includes('\nparley_database_up 1\n') ? scraped.text : undefined;
    });
    const lines = text.split('\n');
    for (const line of [
      'parley_sessions{state="MAINTENANCE"} 1',
      'parley_hosts{phase="waiting"} 1',
      'parley_questions{status="unsent"} 1',
      'parley_questions{status="late"} 1',
      'parley_http_requests_total{method="GET",route="/v1/maintenance/{session_id}",status="200"} 1',
    ]) {
      expect(lines).toContain(line);
    }
    expect(text).not.toContain(sessionId);
  });
});

it('traces requests under the session that their path names, until they have ended', async () => {
  const seen: string[] = [];
  const tracing: Tracing = {
    ...noTracing,
    async inSpan({ name, sessionId = 'no session' }, work) {
      const result = await work();
      seen.push(`${name} in ${sessionId}`);
      return result;
    },
  };
  const { http } = apiOn(db(), { tracing });
  await http.get(`/v1/maintenance/${nobody}/detail`).expect(404);
  await http.get('/v1/nothing').expect(404);
  await eventually('both requests are traced', () => Promise.resolve(seen.length === 2 || undefined));
  expect(seen).toEqual([`GET /v1/maintenance/{session_id}/detail in ${nobody}`, 'GET none in no session']);
});
