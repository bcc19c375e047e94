/** POST /v1/maintenance/{session_id}/archive, and the list with its filters. */
import { apiOn, aSessionRequest, nobody, ownInstance, ownProject, useDatabase } from './api-under-test';

const { db } = useDatabase();

type Http = ReturnType<typeof apiOn>['http'];

const create = async (http: Http, fields = {}): Promise<string> => {
  const reply = await http.post('/v1/maintenance').send(aSessionRequest(fields)).expect(200);
  return (reply.body as { session_id: string }).session_id;
};

const listOf = async (http: Http, query = ''): Promise<string[]> =>
  ((await http.get(`/v1/maintenance${query}`).expect(200)).body as { session_id: string[] }).session_id;

const end = (id: string, state = 'MAINTENANCE_DONE') =>
  db().session.update({ where: { id }, data: { state, stateEnteredAt: new Date() } });

describe('a session that is archived', () => {
  it('leaves the list, gives its hosts to others, and stays on record', async () => {
    const { http } = apiOn(db());
    const id = await create(http, { hosts: ['compute-1'], name: 'CHG-1207' });
    await db().question.create({
      data: {
        ...{ sessionId: id, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], windowSeconds: 20 },
        ...{ instanceIds: [ownInstance], messageId: ownInstance },
      },
    });
    await end(id);
    await http.post(`/v1/maintenance/${id}/archive`).expect(200, { session_id: id, archived: true });
    expect(await listOf(http)).toEqual([]);
    expect(await listOf(http, '?archived=true')).toEqual([id]);
    await http.get(`/v1/maintenance/${id}`).expect(200, { state: 'MAINTENANCE_DONE' });
    const summary = await http.get(`/v1/maintenance/${id}/detail?view=summary`).expect(200);
    expect(summary.body).toMatchObject({
      ...{ progress: 'done', name: 'CHG-1207', archived_at: expect.any(String) as unknown, open_questions: 0 },
      next: [{ request: 'delete' }],
    });
    await create(http, { hosts: ['compute-1'] });
    await http.post(`/v1/maintenance/${id}/archive`).expect(200, { session_id: id, archived: true });
  });

  it('takes no request but its deletion', async () => {
    const { http } = apiOn(db());
    const id = await create(http);
    await end(id);
    await http.post(`/v1/maintenance/${id}/archive`).expect(200);
    await http.post(`/v1/maintenance/${id}/pause`).expect(404);
    await http.patch(`/v1/maintenance/${id}`).send({ max_failed_hosts: 1 }).expect(404);
    await http.delete(`/v1/maintenance/${id}`).expect(200);
    await http.get(`/v1/maintenance/${id}`).expect(404);
    expect(await listOf(http, '?archived=true')).toEqual([]);
  });

  it('that has failed gives its hosts back first', async () => {
    const { http, workflowCalls } = apiOn(db());
    const id = await create(http);
    await end(id, 'MAINTENANCE_FAILED');
    await http.post(`/v1/maintenance/${id}/archive`).expect(200, { session_id: id, archived: false });
    expect(workflowCalls.calls.at(-1)).toBe(`startCleanup ${id}`);
    const asked = await db().session.findUniqueOrThrow({ where: { id } });
    expect([asked.deleteRequestedAt, asked.archiveRequestedAt]).toEqual([expect.any(Date), expect.any(Date)]);
    // Whoever deletes it after all gets what they ask for.
    await http.delete(`/v1/maintenance/${id}`).expect(200);
    expect(await db().session.findUniqueOrThrow({ where: { id } })).toMatchObject({ archiveRequestedAt: null });
  });

  it('must be over', async () => {
    const { http } = apiOn(db());
    const id = await create(http);
    const refused = await http.post(`/v1/maintenance/${id}/archive`).expect(422);
    expect(refused.body).toMatchObject({ code: 'NOT_OVER' });
    await http.post(`/v1/maintenance/${nobody}/archive`).expect(404);
  });
});

describe('the list of sessions', () => {
  it('has those that its filters name', async () => {
    const { http } = apiOn(db());
    const failed = await create(http, { hosts: ['compute-1'], name: 'CHG-1: kernel' });
    const other = await create(http, { hosts: ['compute-2'], name: 'CHG-2' });
    await end(failed, 'MAINTENANCE_FAILED');
    await db().session.update({
      where: { id: failed },
      data: { createdAt: new Date('2026-01-01'), stateEnteredAt: new Date('2026-01-02') },
    });
    expect(await listOf(http, '?state=failed')).toEqual([failed]);
    expect(await listOf(http, '?state=failed,running,scheduled')).toEqual([failed, other]);
    expect(await listOf(http, '?host=compute-2')).toEqual([other]);
    expect(await listOf(http, '?host=compute-*')).toEqual([failed, other]);
    expect(await listOf(http, '?host=compute-?0')).toEqual([]);
    expect(await listOf(http, '?name=KERNEL')).toEqual([failed]);
    expect(await listOf(http, '?since=2026-01-03T00:00:00Z')).toEqual([other]);
    expect(await listOf(http, '?since=2026-01-02T00:00:00Z')).toEqual([failed, other]);
  });

  it.each(['state=MAINTENANCE_FAILED', 'since=yesterday', 'archived=maybe', 'host='])(
    'refuses %s, and says which filter is wrong',
    async (query) => {
      const refused = await apiOn(db()).http.get(`/v1/maintenance?${query}`).expect(400);
      expect(refused.body).toMatchObject({ errors: [{ pointer: `#query/${query.split('=')[0]}` }] });
    },
  );

  it('refuses a filter that it does not have with 422, and says which it has', async () => {
    const refused = await apiOn(db()).http.get('/v1/maintenance?colour=red').expect(422);
    expect(refused.body).toMatchObject({
      errors: [{ pointer: '#query/colour' }],
      hint: 'use the filters state, since, host, name, archived',
    });
  });
});
