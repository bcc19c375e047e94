/** Pause, resume and abort at the API: what is written, what is answered, what is refused. */
import { apiOn, aSessionRequest, nobody, ownInstance, ownProject, useDatabase } from './api-under-test';

const { db } = useDatabase();

const createRunning = async (http: ReturnType<typeof apiOn>['http'], fields: object = {}): Promise<string> => {
  const reply = await http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
  const { session_id: id } = reply.body as { session_id: string };
  await db().session.update({ where: { id }, data: { state: 'PLANNED_MAINTENANCE', ...fields } });
  return id;
};

const rowOf = (id: string) => db().session.findUniqueOrThrow({ where: { id } });

describe('POST /v1/maintenance/{session_id}/pause and /resume', () => {
  it('writes when it was paused, once, tells the workflow each time, and shows it in the detail', async () => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createRunning(http);
    const first = await http.post(`/v1/maintenance/${id}/pause`).expect(200);
    const { pausedAt } = await rowOf(id);
    expect(first.body).toMatchObject({
      ...{ session_id: id, state: 'PLANNED_MAINTENANCE', paused_at: pausedAt?.toISOString() },
      ...{ aborting: false, taken_up: true },
    });
    const second = await http.post(`/v1/maintenance/${id}/pause`).expect(200);
    expect(second.body).toEqual(first.body);
    expect(workflowCalls.calls.slice(1)).toEqual([`pause ${id}`, `pause ${id}`]);
    const reply = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(reply.body).toMatchObject({
      session: {
        paused_at: pausedAt?.toISOString(),
        waiting: [
          { waiting_for: 'resume', who: 'compute-1', subject: pausedAt?.toISOString(), remaining_seconds: null },
        ],
      },
    });
  });

  it('goes on, and says 200 to a session that is not paused', async () => {
    const { http } = apiOn(db());
    const id = await createRunning(http, { pausedAt: new Date() });
    const replies = [await http.post(`/v1/maintenance/${id}/resume`), await http.post(`/v1/maintenance/${id}/resume`)];
    expect(replies).toMatchObject([1, 2].map(() => ({ status: 200, body: { paused_at: null } })));
    expect((await rowOf(id)).pausedAt).toBeNull();
  });

  it.each(['pause', 'resume', 'abort'] as const)('%s takes no body but the ID of its path', async (request) => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createRunning(http);
    const path = `/v1/maintenance/${id}/${request}`;
    const refused = await http.post(path).send({ until: 'tomorrow' }).expect(422);
    expect(refused.body).toMatchObject({ code: 'BODY_DOES_NOT_FIT', errors: [{ pointer: '/until' }] });
    await http.post(path).send({ session_id: nobody }).expect(422);
    await http.post(path).type('json').send('[1]').expect(422);
    await http.post(path).type('json').send('{').expect(400);
    await http.post(path).type('text/plain').send('soon').expect(400);
    expect(workflowCalls.calls).toEqual([`start ${id}`]);
    await http.post(path).send({ session_id: id }).expect(200);
  });

  it('says what is in flight', async () => {
    const { http } = apiOn(db());
    const id = await createRunning(http);
    await db().sessionHost.updateMany({ where: { sessionId: id }, data: { phase: 'emptying' } });
    const place = { source: 'compute-1', target: 'compute-2', action: 'MIGRATE', amounts: { VCPU: 1, MEMORY_MB: 1 } };
    const claim = {
      sessionId: id,
      projectId: ownProject,
      instanceName: 'vm',
      groupKey: 'g',
      recoveryTime: 0,
      ...place,
    };
    await db().claim.create({ data: { ...claim, instanceId: ownInstance, phase: 'moving', startedAt: new Date() } });
    await db().claim.create({ data: { ...claim, instanceId: nobody, phase: 'moving' } }); // granted, not begun
    const reply = await http.post(`/v1/maintenance/${id}/pause`).expect(200);
    expect(reply.body).toMatchObject({
      in_flight: {
        hosts: [{ hostname: 'compute-1', phase: 'emptying' }],
        instances: [{ instance_id: ownInstance, action: 'MIGRATE', host: 'compute-1', target: 'compute-2' }],
        ...{ questions: [], plugins: [] },
      },
    });
  });
});

describe('POST /v1/maintenance/{session_id}/abort', () => {
  it('writes the request once and stays so when repeated', async () => {
    const { http } = apiOn(db());
    const id = await createRunning(http);
    await http.post(`/v1/maintenance/${id}/abort`).expect(200);
    const { abortRequestedAt } = await rowOf(id);
    const reply = await http.post(`/v1/maintenance/${id}/abort`).expect(200);
    expect(reply.body).toMatchObject({ aborting: true });
    expect((await rowOf(id)).abortRequestedAt).toEqual(abortRequestedAt);
    const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(detail.body).toMatchObject({ session: { aborting: true } });
    await http.post(`/v1/maintenance/${id}/pause`).expect(422);
  });
});

describe.each(['pause', 'resume', 'abort'])('POST /v1/maintenance/{session_id}/%s', (request) => {
  it('is accepted, stored and said to be not taken up yet while no workflow answers', async () => {
    const { http } = apiOn(db(), { temporalReachable: false });
    const id = await createRunning(http);
    const reply = await http.post(`/v1/maintenance/${id}/${request}`).expect(200);
    expect(reply.body).toMatchObject({ taken_up: false });
  });

  it('is refused where the workflow comes to its end just now', async () => {
    const workflowAnswer = { kind: 'refused', because: 'it is failing' } as const;
    const { http } = apiOn(db(), { workflowAnswer });
    const id = await createRunning(http);
    const reply = await http.post(`/v1/maintenance/${id}/${request}`).expect(422);
    expect(reply.body).toMatchObject({
      code: 'NOT_RUNNING',
      detail: expect.stringContaining('it is failing') as string,
    });
  });

  it.each([
    { situation: 'failed', fields: { state: 'MAINTENANCE_FAILED' }, hint: 'PUT /v1/maintenance/{session_id} goes on' },
    { situation: 'done', fields: { state: 'MAINTENANCE_DONE' }, hint: 'DELETE removes it' },
  ])('is 422 for a session that is $situation, with what helps', async ({ fields, hint }) => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createRunning(http, fields);
    const reply = await http.post(`/v1/maintenance/${id}/${request}`).expect(422);
    expect(reply.body).toMatchObject({ code: 'NOT_RUNNING', hint: expect.stringContaining(hint) as string });
    expect(workflowCalls.calls).toEqual([`start ${id}`]);
    expect(await rowOf(id)).toMatchObject({ pausedAt: null, abortRequestedAt: null });
  });

  it('is 404 for a session that never was, 400 for a malformed ID', async () => {
    const { http } = apiOn(db());
    const unknown = await http.post(`/v1/maintenance/${nobody}/${request}`).expect(404);
    expect(unknown.body).toMatchObject({ code: 'SESSION_NOT_FOUND' });
    const malformed = await http.post(`/v1/maintenance/47/${request}`).expect(400);
    expect(malformed.body).toMatchObject({ code: 'MALFORMED_ID' });
  });
});
