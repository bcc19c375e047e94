import { createHash, randomUUID } from 'node:crypto';
import { type AuditEntryBody } from '../../../api/schemas/audit-schemas';
import type { SessionMovesBody } from '../../../api/schemas/move-schemas';
import type { SessionRecordBody } from '../../../api/schemas/record-schemas';
import type { SessionReportBody } from '../../../api/schemas/report-schemas';
import { removeOldAuditEntries } from '../../../prisma/audit/audit-entries';
import { keepPlan } from '../../../prisma/session/session-plan';
import { eventually } from '../../waiting/eventually';
import {
  apiOn,
  aSessionRequest,
  instanceConstraints,
  nobody,
  ownInstance,
  ownInstance2,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const as = (token: string) => ({ 'X-Auth-Token': token });
const callerOf = (token: string): string =>
  encodeURIComponent(`token ${createHash('sha256').update(token).digest('hex').slice(0, 12)}`);

interface Page {
  readonly entries: readonly AuditEntryBody[];
  readonly next: string | null;
}

const api = () => apiOn(db(), { identity: tokenIdentity() });

/** A slow result is added to its entry after the answer. */
const audit = (query = ''): Promise<Page> =>
  eventually('all entries have their results', async () => {
    const reply = await api().http.get(`/v1/audit${query}`).set(as('admin')).expect(200);
    const page = reply.body as Page;
    return page.entries.every(({ ended_at: endedAt }) => endedAt !== null) ? page : undefined;
  });

const create = async (fields = {}): Promise<string> => {
  const reply = await api().http.post('/v1/maintenance').set(as('admin')).send(aSessionRequest(fields)).expect(200);
  return (reply.body as { session_id: string }).session_id;
};

describe('the audit', () => {
  it('has who created a session, from where, with the digest of the body and the result', async () => {
    const body = JSON.stringify(aSessionRequest({ metadata: { secret: 'hunter2' } }));
    const request = api().http.post('/v1/maintenance').set(as('admin')).set('Content-Type', 'application/json');
    const reply = await request.send(body).expect(200);
    const { session_id: sessionId } = reply.body as { session_id: string };
    const { entries } = await audit(`?session_id=${sessionId.replaceAll('-', '').toUpperCase()}`);
    expect(entries).toEqual([
      {
        id: expect.any(String) as unknown,
        begun_at: expect.any(String) as unknown,
        request_id: reply.headers['x-request-id'],
        role: 'admin',
        caller: decodeURIComponent(callerOf('admin')),
        caller_name: null,
        reason: null,
        project_id: null,
        address: expect.stringContaining('127.0.0.1') as unknown,
        method: 'POST',
        route: '/v1/maintenance',
        path: '/v1/maintenance',
        session_id: sessionId,
        body_sha256: createHash('sha256').update(body).digest('hex'),
        details: null,
        did: 'created the session',
        status: 200,
        ended_at: expect.any(String) as unknown,
      },
    ]);
    expect(JSON.stringify(entries)).not.toMatch(/hunter2|"admin"[^,]*token/);
  });

  it.each([
    { situation: 'that is refused', token: 'own', path: `/v1/maintenance/${nobody}`, body: {}, status: 403 },
    { situation: 'that cannot be read', token: 'admin', path: `/v1/maintenance/${nobody}`, body: '{', status: 400 },
    { situation: 'to nothing', token: 'other', path: '/v1/nothing', body: {}, status: 404 },
  ])('has a request $situation, with its status', async ({ token, path, body, status }) => {
    const request = api().http.put(path).set(as(token)).set('Content-Type', 'application/json');
    const reply = await request.send(body).expect(status);
    const { entries } = await audit('?limit=1');
    expect(entries).toMatchObject([{ request_id: reply.headers['x-request-id'], method: 'PUT', status }]);
  });

  it('has each of many requests that arrive at the same time, with its own path and status', async () => {
    const running = api();
    const paths = Array.from({ length: 12 }, (_, number) =>
      number % 2 === 0 ? `/v1/nothing/${number}` : '/v1/instance/x',
    );
    const replies = await Promise.all(paths.map((path) => running.http.put(path).set(as('admin')).send({})));
    const { entries } = await audit(`?limit=${paths.length}`);
    const recorded = new Map(entries.map(({ request_id: id, path, status }) => [id, { path, status }]));
    expect(replies.map(({ headers }) => recorded.get(headers['x-request-id'] ?? ''))).toEqual(
      paths.map((path, number) => ({ path, status: replies[number]?.status })),
    );
  });

  it('has nothing of requests that only read, plan, or come from nobody known', async () => {
    const before = await audit('?limit=1');
    await api().http.get('/v1/maintenance').set(as('admin')).expect(200);
    await api().http.post('/v1/maintenance/plan').set(as('admin')).send({}).expect(400);
    await api().http.delete(`/v1/instance/${ownInstance}`).set(as('guessed')).expect(401);
    expect(await audit('?limit=1')).toEqual(before);
  });

  it('is read by caller, by session, since a time, and page by page, newest first', async () => {
    const sessionId = await create();
    for (const request of ['pause', 'resume']) {
      await api().http.post(`/v1/maintenance/${sessionId}/${request}`).set(as('admin')).send({});
    }
    await api().http.put(`/v1/instance/${ownInstance}`).set(as('own')).send(instanceConstraints()).expect(200);
    const routesOf = ({ entries }: Page) => entries.map(({ route }) => route?.split('/').at(-1));
    const ofSession = `?session_id=${sessionId}`;
    expect(routesOf(await audit(ofSession))).toEqual(['resume', 'pause', 'maintenance']);
    const first = await audit(`${ofSession}&limit=2`);
    expect(routesOf(first)).toEqual(['resume', 'pause']);
    const last = await audit(`${ofSession}&limit=2&before=${first.next}`);
    expect([routesOf(last), last.next]).toEqual([['maintenance'], null]);
    expect((await audit(`?caller=${callerOf('own')}&limit=1`)).entries).toMatchObject([
      { role: 'project', status: 200 },
    ]);
    expect((await audit(`${ofSession}&since=2999-01-01T00:00:00Z`)).entries).toEqual([]);
  });

  it.each(['limit=0', 'limit=1001', 'since=yesterday', 'session_id=x', 'before=-1', 'colour=red'])(
    'refuses the query %s and names what is wrong',
    async (query) => {
      const reply = await api().http.get(`/v1/audit?${query}`).set(as('admin')).expect(400);
      expect(reply.body).toMatchObject({ errors: [{ pointer: `#query/${query.split('=')[0]}` }] });
    },
  );
});

describe('an act in a session', () => {
  const acts = async (sessionId: string) => {
    const told = await db().event.findMany({
      where: { sessionId, eventType: 'maintenance.act' },
      orderBy: { seq: 'asc' },
    });
    return told.map(({ projectId, payload }) => ({ readBy: projectId, ...(payload as object) }));
  };

  it('is an event for admins, with who did it, and why', async () => {
    const sessionId = await create({ name: 'kernel' });
    const why = { ...as('admin'), 'Parley-Reason': encodeURIComponent('Kühlung ist ausgefallen') };
    await api().http.post(`/v1/maintenance/${sessionId}/pause`).set(why).send({}).expect(200);
    await api().http.post(`/v1/maintenance/${sessionId}/abort`).set(as('own')).send({}).expect(403);
    await audit();
    const who = decodeURIComponent(callerOf('admin'));
    const ofSession = { session_id: sessionId, session_name: 'kernel', readBy: null, state: 'ACT' };
    expect(await acts(sessionId)).toEqual([
      expect.objectContaining({
        ...ofSession,
        ...{ by: 'admin', who, did: 'paused the session', reason: 'Kühlung ist ausgefallen' },
      }),
    ]);
  });

  it('that deletes the session is in the audit alone', async () => {
    const sessionId = await create();
    await api().http.delete(`/v1/maintenance/${sessionId}`).set(as('admin')).expect(200);
    expect((await audit(`?session_id=${sessionId}`)).entries).toMatchObject([{ method: 'DELETE', status: 200 }, {}]);
  });
});

describe('an audit that cannot be written', () => {
  const broken = () => Promise.reject(new Error('no space left on device'));

  it('refuses requests that change something with 503, and nothing is done; others are answered', async () => {
    const { http, logged } = apiOn(db(), { audit: { begin: broken, end: broken } });
    const reply = await http.post('/v1/maintenance').send(aSessionRequest()).expect(503);
    expect(reply.body).toMatchObject({ code: 'NOT_AUDITED' });
    expect(reply.headers['retry-after']).toBe('5');
    expect(await db().session.count()).toBe(0);
    expect(logged.join()).toContain('no space left on device');
    await http.get('/v1/maintenance').expect(200);
  });

  it.each([
    { what: 'fails', end: broken },
    { what: 'never ends', end: () => new Promise<void>(() => undefined) },
  ])('answers what was done already where adding the result $what, and says so in the log', async ({ end }) => {
    const { http, logged } = apiOn(db(), { audit: { begin: () => Promise.resolve(1n), end } });
    await http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
    expect(logged.join()).toContain('could not be added to the audit');
  });
});

describe('the table of the audit', () => {
  const anEntry = (begunAt: Date) =>
    db().auditEntry.create({ data: { begunAt, requestId: nobody, role: 'admin', method: 'PUT', path: '/' } });
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);

  it('refuses that an entry is changed, deleted or cleared, beyond adding its result once', async () => {
    const { id } = await anEntry(daysAgo(400));
    const change = (data: { status?: number; caller?: string }) => db().auditEntry.update({ where: { id }, data });
    await expect(change({ caller: 'somebody else' })).rejects.toThrow('append-only');
    await change({ status: 200 });
    await expect(change({ status: 500 })).rejects.toThrow('append-only');
    await expect(db().auditEntry.delete({ where: { id } })).rejects.toThrow('append-only');
    await expect(db().$executeRaw`TRUNCATE audit_entry`).rejects.toThrow('append-only');
  });

  it('loses the entries that are older than it keeps them, and no others', async () => {
    const old = await anEntry(daysAgo(31));
    const young = await anEntry(daysAgo(29));
    await removeOldAuditEntries(db(), 30);
    const kept = await db().auditEntry.findMany({ where: { id: { in: [old.id, young.id] } } });
    expect(kept.map(({ id }) => id)).toEqual([young.id]);
  });
});

describe('the record of a session', () => {
  const recordOf = async (sessionId: string) =>
    (
      (await api().http.get(`/v1/maintenance/${sessionId}/record`).set(as('admin')).expect(200))
        .body as SessionRecordBody
    ).entries;

  it('tells who did what, and why, in words', async () => {
    const sessionId = await create();
    const path = `/v1/maintenance/${sessionId}`;
    const why = (reason: string) => ({ ...as('admin'), 'Parley-Reason': encodeURIComponent(reason) });
    await api().http.post(`${path}/pause`).set(why('Kühlung ist ausgefallen')).send({}).expect(200);
    await api().http.patch(path).set(why('too slow')).send({ max_failed_hosts: 2 }).expect(200);
    await api().http.post(`${path}/hosts/compute-1/skip`).set(as('admin')).send({}).expect(200);
    await api().http.post(`${path}/abort`).set(as('own')).send({}).expect(403);
    expect(await recordOf(sessionId)).toMatchObject([
      { by: 'admin', who: decodeURIComponent(callerOf('admin')), did: 'created the session', reason: null, count: 1 },
      { did: 'paused the session', reason: 'Kühlung ist ausgefallen' },
      { did: 'changed how the session is steered: max_failed_hosts=2', reason: 'too slow' },
      { did: 'skipped host compute-1', reason: null },
    ]);
  });

  it('tells replies of projects, several like each other as one, and what nobody replied to', async () => {
    const sessionId = await create();
    const asked = { sessionId, projectId: ownProject, allowedActions: ['MIGRATE'], windowSeconds: 20 };
    const at = new Date(Date.now() - 60_000);
    const add = (data: object) =>
      db().question.create({
        data: { ...asked, state: 'PLANNED_MAINTENANCE', instanceIds: [], messageId: randomUUID(), ...data },
      });
    for (const instanceId of [ownInstance, ownInstance2]) await add({ instanceId, instanceIds: [instanceId] });
    await add({ state: 'MAINTENANCE', status: 'closed', replyAt: at, closedAt: new Date() });
    await add({ status: 'answered', answer: 'ACK', answeredBy: 'terms', answeredAt: new Date() });
    for (const instance of [ownInstance, ownInstance2]) {
      const path = `/v1/maintenance/${sessionId}/${ownProject}/${instance}`;
      const body = { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'MIGRATE' };
      await api().http.put(path).set(as('own')).send(body).expect(200);
    }
    expect(await recordOf(sessionId)).toMatchObject([
      { by: 'nobody', who: null, did: 'stayed silent about 1 question of MAINTENANCE: the default followed' },
      { did: 'created the session' },
      { by: 'terms', did: 'answered 1 question of PLANNED_MAINTENANCE by its terms', project_id: ownProject },
      { by: 'project', count: 2, did: 'replied ACK_PLANNED_MAINTENANCE, by MIGRATE (2 times)' },
    ]);
  });

  it.each(['a\nline', 'x'.repeat(501), ' '])('takes no reason such as %j', async (reason) => {
    const path = `/v1/maintenance/${nobody}/pause`;
    const header = { 'Parley-Reason': encodeURIComponent(reason) };
    const refused = await api().http.post(path).set(as('admin')).set(header).send({}).expect(400);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '#header/Parley-Reason' }] });
  });

  it('is not there for a session that is not', async () => {
    await api().http.get(`/v1/maintenance/${nobody}/record`).set(as('admin')).expect(404);
  });
});

describe('the moves of a session', () => {
  it('are those that have begun, with how they ended', async () => {
    const sessionId = await create({ hosts: ['compute-1'] });
    const at = new Date('2026-01-05T03:00:00Z');
    const aClaim = (instanceName: string, fields: object) => ({
      ...{ sessionId, instanceName, instanceId: randomUUID(), projectId: ownProject, groupKey: instanceName },
      ...{ source: 'compute-1', target: 'compute-2', action: 'LIVE_MIGRATE', amounts: {}, recoveryTime: 0 },
      ...{ phase: 'closed', startedAt: at, endedAt: at },
      ...fields,
    });
    const data = [
      aClaim('done', { outcome: 'done' }),
      aClaim('stayed', { outcome: 'expired', startedAt: new Date(at.getTime() + 1) }),
      aClaim('moves', { phase: 'moving', startedAt: new Date(at.getTime() + 2), endedAt: null, target: '' }),
      aClaim('asked', { phase: 'asked', startedAt: null, endedAt: null }),
    ];
    await db().claim.createMany({ data });
    const path = `/v1/maintenance/${sessionId}/moves`;
    const { moves } = (await api().http.get(path).set(as('admin')).expect(200)).body as SessionMovesBody;
    expect(moves.map(({ instance_name: name, target, to, outcome }) => [name, target, to, outcome])).toEqual([
      ['done', 'compute-2', '2026-01-05T03:00:00.000Z', 'done'],
      ['stayed', 'compute-2', '2026-01-05T03:00:00.000Z', 'stayed'],
      ['moves', null, null, null],
    ]);
    const since = async (time: string): Promise<string[]> => {
      const news = await api().http.get(`${path}?since=${time}`).set(as('admin')).expect(200);
      return (news.body as SessionMovesBody).moves.map(({ instance_name: name }) => name);
    };
    expect(await since('2026-01-05T03:00:00Z')).toEqual(['done', 'stayed', 'moves']);
    expect(await since('2026-01-05T03:00:01Z')).toEqual(['moves']);
    await api().http.get(`${path}?since=yesterday`).set(as('admin')).expect(400);
    await api().http.get(`/v1/maintenance/${nobody}/moves`).set(as('admin')).expect(404);
  });
});

describe('the report of a session', () => {
  it('has its hosts, its tenants, and who did what, in each form, also once it is archived', async () => {
    const sessionId = await create({ hosts: ['compute-1'], name: 'CHG-1207' });
    const at = new Date();
    await db().question.create({
      data: {
        ...{ sessionId, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], windowSeconds: 20 },
        ...{
          instanceIds: [ownInstance],
          messageId: randomUUID(),
          status: 'closed',
          askedAt: at,
          replyAt: at,
          closedAt: at,
        },
      },
    });
    await db().session.update({ where: { id: sessionId }, data: { state: 'MAINTENANCE_DONE', begunAt: at } });
    await api().http.post(`/v1/maintenance/${sessionId}/archive`).set(as('admin')).expect(200);
    const tenants = await api().http.get(`/v1/maintenance/${sessionId}/tenants`).set(as('admin')).expect(200);
    expect(tenants.body).toMatchObject({
      tenants: [{ project_id: ownProject, open_questions: 0, hosts: [], seconds_left: null, asked: 1, silent: 1 }],
    });
    const path = `/v1/maintenance/${sessionId}/report`;
    const report = await api().http.get(path).set(as('admin')).expect(200);
    expect(report.body).toMatchObject({
      ...{ name: 'CHG-1207', created_by: decodeURIComponent(callerOf('admin')), hosts_total: 1 },
      hosts: [{ hostname: 'compute-1', phase: 'waiting', moves: 0 }],
      tenants: [{ project_id: ownProject, asked: 1, replied: 0, silent: 1 }],
      record: [{ did: 'created the session' }, { by: 'nobody' }, { did: 'archived the session' }],
    });
    for (const [format, type] of [
      ['md', 'text/markdown'],
      ['html', 'text/html'],
      ['csv', 'text/csv'],
    ] as const) {
      const reply = await api().http.get(`${path}?format=${format}`).set(as('admin')).expect(200);
      expect(reply.headers['content-type']).toContain(type);
      expect(reply.text).toContain('compute-1');
    }
    await api().http.get(`${path}?format=pdf`).set(as('admin')).expect(400);
  });

  it('compares with the last plan from before the session began, or with the first one after', async () => {
    const sessionId = await create({ hosts: ['compute-1'] });
    const planOf = async () => {
      const reply = await api().http.get(`/v1/maintenance/${sessionId}/report`).set(as('admin')).expect(200);
      return (reply.body as SessionReportBody).plan;
    };
    const makePlan = () => api().http.get(`/v1/maintenance/${sessionId}/plan`).set(as('admin')).expect(200);
    expect(await planOf()).toBeNull();
    await makePlan();
    const first = await eventually('the plan is kept', async () => (await planOf()) ?? undefined);
    await makePlan();
    const second = await eventually('the newer plan is kept', async () => {
      const plan = await planOf();
      return plan?.made_at === first.made_at ? undefined : plan;
    });
    await db().session.update({ where: { id: sessionId }, data: { begunAt: new Date() } });
    await makePlan();
    await keepPlan(
      db(),
      { sessionId, madeMs: Date.now() },
      { endsAtMs: { earliest: 0, expected: 0, latest: 0 }, hosts: [] },
    );
    expect(await planOf()).toEqual(second);
    const report = await api().http.get(`/v1/maintenance/${sessionId}/report`).set(as('admin')).expect(200);
    expect(report.body).toMatchObject({ hosts: [{ planned_back_at: expect.any(String) as unknown }] });
  });
});
