import { randomUUID } from 'node:crypto';
import { idFormNames, idForms } from '../../builders/id-forms';
import {
  apiOn,
  aSessionRequest,
  nobody,
  otherProject,
  ownInstance,
  ownInstance2,
  ownProject,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();

const beginSession = async () => {
  const api = apiOn(db());
  const created = await api.http.post('/v1/maintenance').send(aSessionRequest()).expect(200);
  const { session_id: sessionId } = created.body as { session_id: string };
  await db().sessionInstance.createMany({
    data: [ownInstance, ownInstance2].map((instanceId) => ({
      sessionId,
      instanceId,
      instanceName: 'vm',
      projectId: ownProject,
      host: 'compute-1',
      state: 'ACTIVE',
    })),
  });
  api.workflowCalls.calls.length = 0;
  return { ...api, sessionId, url: `/v1/maintenance/${sessionId}/${ownProject}` };
};

const ask = (sessionId: string, fields: Readonly<Record<string, unknown>> = {}) =>
  db().question.create({
    data: {
      sessionId,
      projectId: ownProject,
      state: 'PLANNED_MAINTENANCE',
      instanceIds: [ownInstance],
      allowedActions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
      windowSeconds: 3_600,
      messageId: randomUUID(),
      replyAt: new Date(Date.now() + 3_600_000),
      ...fields,
    },
  });

describe("a project's list", () => {
  it.each(idFormNames)(
    'holds what the open question is about, whichever form the path has: the ID %s',
    async (form) => {
      const { http, sessionId } = await beginSession();
      const otherForm = idForms[form];
      await ask(sessionId, { status: 'answered', answer: 'ACK', instanceIds: [ownInstance2], createdAt: new Date(0) });
      await ask(sessionId);
      const path = `/v1/maintenance/${otherForm(sessionId)}/${otherForm(ownProject)}`;
      await http.get(path).expect(200, { instance_ids: [ownInstance] });
    },
  );

  it('holds what the last question was about where none is open', async () => {
    const { http, sessionId, url } = await beginSession();
    await ask(sessionId, { status: 'closed', createdAt: new Date(1000) });
    await ask(sessionId, { status: 'answered', answer: 'ACK', instanceIds: [ownInstance2] });
    await http.get(url).expect(200, { instance_ids: [ownInstance2] });
  });

  it('is empty for a project that was not asked', async () => {
    const { http, sessionId } = await beginSession();
    await http.get(`/v1/maintenance/${sessionId}/${otherProject}`).expect(200, { instance_ids: [] });
  });
});

describe("a project's reply", () => {
  it('answers the open question, marks its instances and wakes session and host', async () => {
    const { http, workflowCalls, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId, { hostname: 'compute-1' });
    const body = {
      session_id: sessionId,
      instance_ids: 'whatever',
      state: 'ACK_PLANNED_MAINTENANCE',
      instance_actions: { [ownInstance.toUpperCase()]: 'MIGRATE' },
    };
    const reply = await http.put(`${url}/`).send(body).expect(200);
    expect(reply.text).toBe('');
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'answered',
      answer: 'ACK',
      instanceActions: { [ownInstance]: 'MIGRATE' },
      answeredAt: expect.any(Date) as unknown,
    });
    const instances = await db().sessionInstance.findMany({ orderBy: { instanceId: 'asc' } });
    expect(instances.map(({ projectState, action }) => ({ projectState, action }))).toEqual([
      { projectState: 'ACK_PLANNED_MAINTENANCE', action: 'MIGRATE' },
      { projectState: '', action: null },
    ]);
    expect(workflowCalls.calls).toEqual([`wakeSession ${sessionId}`, `wakeHost ${sessionId} compute-1`]);
  });

  it.each(idFormNames)(
    'is of the instance that the cloud knows, whichever form path and body have: the ID %s',
    async (form) => {
      const { http, workflowCalls, sessionId } = await beginSession();
      const otherForm = idForms[form];
      const asked = { instanceId: ownInstance, instanceIds: [ownInstance], hostname: 'compute-1' };
      const { id } = await ask(sessionId, asked);
      const path = `/v1/maintenance/${[sessionId, ownProject, ownInstance].map(otherForm).join('/')}`;
      const ids = { session_id: sessionId, project_id: ownProject, instance_id: ownInstance };
      const body = { ...ids, state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'MIGRATE' };
      await http.put(path).send(body).expect(200);
      const answered = await db().question.findUniqueOrThrow({ where: { id } });
      expect(answered).toMatchObject({ status: 'answered', instanceActions: { [ownInstance]: 'MIGRATE' } });
      expect(await db().sessionInstance.count({ where: { instanceId: ownInstance, action: 'MIGRATE' } })).toBe(1);
      expect(workflowCalls.calls).toContain(`wakeHost ${sessionId} compute-1`);
    },
  );

  it('counts once when repeated, and wakes again', async () => {
    const { http, workflowCalls, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId);
    await http.put(url).send({ state: 'NACK_PLANNED_MAINTENANCE' }).expect(200);
    const first = await db().question.findUniqueOrThrow({ where: { id } });
    await http.put(url).send({ state: 'NACK_PLANNED_MAINTENANCE' }).expect(200);
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toEqual(first);
    expect(workflowCalls.calls).toEqual([`wakeSession ${sessionId}`, `wakeSession ${sessionId}`]);
  });

  it.each(['ACK', 'NACK'])('is on record as it was given: %s', async (answer) => {
    const { http, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId);
    await http
      .put(url)
      .send({ state: `${answer}_PLANNED_MAINTENANCE` })
      .expect(200);
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'answered', answer });
  });

  it('replaces the one before where it differs, with what that one chose', async () => {
    const { http, workflowCalls, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId, { hostname: 'compute-1', instanceIds: [ownInstance, ownInstance2] });
    const send = (state: string, instance_actions = {}) => http.put(url).send({ state, instance_actions }).expect(200);
    await send('ACK_PLANNED_MAINTENANCE', { [ownInstance]: 'MIGRATE', [ownInstance2]: 'MIGRATE' });
    await send('ACK_PLANNED_MAINTENANCE', { [ownInstance2]: 'MIGRATE' });
    const instances = () => db().sessionInstance.findMany({ orderBy: { instanceId: 'asc' } });
    expect((await instances()).map(({ action }) => action)).toEqual([null, 'MIGRATE']);
    await send('NACK_PLANNED_MAINTENANCE');
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'answered',
      answer: 'NACK',
      instanceActions: {},
    });
    expect((await instances()).map(({ projectState }) => projectState)).toEqual([
      'NACK_PLANNED_MAINTENANCE',
      'NACK_PLANNED_MAINTENANCE',
    ]);
    expect(workflowCalls.calls).toHaveLength(6);
  });

  it('is taken until reply_at where the instances that it is about have gone, and settles nothing', async () => {
    const { http, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId, { status: 'unneeded', closedAt: new Date() });
    await http.put(url).send({ state: 'NACK_PLANNED_MAINTENANCE' }).expect(200);
    const kept = { status: 'unneeded', answer: 'NACK', answeredAt: expect.any(Date) as unknown };
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject(kept);
    await db().question.update({ where: { id }, data: { replyAt: new Date(Date.now() - 1) } });
    await http.put(url).send({ state: 'NACK_PLANNED_MAINTENANCE' }).expect(200);
    const late = await http.put(url).send({ state: 'ACK_PLANNED_MAINTENANCE' }).expect(422);
    expect(late.body).toMatchObject({ code: 'TOO_LATE' });
  });

  it('counts once when sent many times at once', async () => {
    const { http, sessionId, url } = await beginSession();
    await ask(sessionId);
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => http.put(url).send({ state: 'ACK_PLANNED_MAINTENANCE' })),
    );
    expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
  });

  it('is taken for one of its instances by the address of that instance', async () => {
    const { http, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId, { instanceId: ownInstance });
    const body = { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'OWN_ACTION', instance_id: ownInstance };
    await http.put(`${url}/${ownInstance}`).send(body).expect(200);
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({
      status: 'answered',
      instanceActions: { [ownInstance]: 'OWN_ACTION' },
    });
  });

  it.each([
    { by: 'the field of the project as a whole', send: { instance_actions: { [ownInstance]: 'OWN_ACTION' } } },
    { by: 'its ID in another form', send: { instance_actions: { [ownInstance.toUpperCase()]: 'OWN_ACTION' } } },
    {
      by: 'both fields, which say the same',
      send: { instance_action: 'OWN_ACTION', instance_actions: { [ownInstance]: 'OWN_ACTION' } },
    },
    { by: 'its own field, beside an empty one', send: { instance_action: 'OWN_ACTION', instance_actions: null } },
  ])('chooses the action of one instance at its address by $by', async ({ send }) => {
    const { http, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId, { instanceId: ownInstance });
    const body = { state: 'ACK_PLANNED_MAINTENANCE', instance_ids: [ownInstance], ...send };
    await http.put(`${url}/${ownInstance}`).send(body).expect(200);
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({
      instanceActions: { [ownInstance]: 'OWN_ACTION' },
    });
    expect(await db().sessionInstance.count({ where: { instanceId: ownInstance, action: 'OWN_ACTION' } })).toBe(1);
  });

  it('chooses the action of the only instance in the question of the project without its ID', async () => {
    const { http, sessionId, url } = await beginSession();
    const { id } = await ask(sessionId);
    await http.put(url).send({ state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'MIGRATE' }).expect(200);
    expect(await db().question.findUniqueOrThrow({ where: { id } })).toMatchObject({
      instanceActions: { [ownInstance]: 'MIGRATE' },
    });
  });

  it.each([
    {
      situation: 'contradicts itself',
      send: { instance_action: 'MIGRATE', instance_actions: { [ownInstance]: 'OWN_ACTION' } },
      pointer: '/instance_action',
    },
    {
      situation: 'is for another instance',
      send: { instance_actions: { [ownInstance2]: 'OWN_ACTION' } },
      pointer: `/instance_actions/${ownInstance2}`,
    },
    {
      situation: 'is for another instance as well',
      send: { instance_actions: { [ownInstance]: 'OWN_ACTION', [ownInstance2]: 'OWN_ACTION' } },
      pointer: `/instance_actions/${ownInstance2}`,
    },
    { situation: 'is no list of actions', send: { instance_actions: 'OWN_ACTION' }, pointer: '/instance_actions' },
  ])('is refused at the address of one instance where its choice $situation', async ({ send, pointer }) => {
    const { http, sessionId, url } = await beginSession();
    await ask(sessionId, { instanceId: ownInstance });
    const body = { state: 'ACK_PLANNED_MAINTENANCE', ...send };
    const refused = await http.put(`${url}/${ownInstance}`).send(body).expect(422);
    expect(refused.body).toMatchObject({
      errors: [expect.objectContaining({ pointer })],
      hint: expect.any(String) as unknown,
    });
    expect(await db().question.count({ where: { status: 'open' } })).toBe(1);
  });

  it.each(['ACK_INSTANCE_ACTION_DONE', 'NACK_INSTANCE_ACTION_DONE'])(
    '%s is welcome and changes nothing',
    async (state) => {
      const { http, url } = await beginSession();
      await http.put(url).send({ state }).expect(200);
      await http.put(`${url}/${ownInstance}`).send({ state }).expect(200);
    },
  );

  it('is refused with the closing time when it is late', async () => {
    const { http, sessionId, url } = await beginSession();
    await ask(sessionId, { status: 'closed', closedAt: new Date('2026-01-02T03:04:05Z') });
    const reply = await http.put(url).send({ state: 'ACK_PLANNED_MAINTENANCE' }).expect(422);
    expect(reply.body).toMatchObject({
      code: 'TOO_LATE',
      detail: expect.stringContaining('2026-01-02T03:04:05') as unknown,
    });
  });

  it('is refused with the names of its own instances, and of no others', async () => {
    const { http, sessionId, url } = await beginSession();
    await ask(sessionId);
    const theirs = { sessionId, instanceId: nobody, instanceName: 'theirs', projectId: otherProject };
    await db().sessionInstance.create({ data: { ...theirs, host: 'compute-1', state: 'ACTIVE' } });
    const state = 'ACK_PLANNED_MAINTENANCE';
    const notOffered = { state, instance_actions: { [ownInstance]: 'EVICTION' } };
    const refused = await http.put(url).send(notOffered).expect(422);
    expect(refused.body).toMatchObject({
      detail: expect.stringContaining(`for instance vm (${ownInstance}) in`) as unknown,
    });
    const notAsked = await http.put(`${url}/${nobody}`).send({ state, instance_action: 'MIGRATE' }).expect(422);
    expect(JSON.stringify(notAsked.body)).not.toContain('theirs');
  });

  it.each([
    { situation: 'a state never asked', send: { state: 'ACK_SCALE_IN' }, pointer: '/state' },
    { situation: 'no reply state', send: { state: 'MAINTENANCE' }, pointer: '/state' },
    { situation: 'no state', send: {}, pointer: '/state' },
    {
      situation: 'an action that is not offered',
      send: { state: 'ACK_PLANNED_MAINTENANCE', instance_actions: { [ownInstance]: 'EVICTION' } },
      pointer: `/instance_actions/${ownInstance}`,
    },
    {
      situation: 'an action that may be for either instance',
      send: { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'MIGRATE' },
      ask: { instanceIds: [ownInstance, ownInstance2] },
      pointer: '/instance_action',
    },
    {
      situation: "another session's ID",
      send: { state: 'ACK_PLANNED_MAINTENANCE', session_id: nobody },
      pointer: '/session_id',
    },
    {
      situation: "another project's ID",
      send: { state: 'ACK_PLANNED_MAINTENANCE', project_id: otherProject },
      pointer: '/project_id',
    },
  ])('is refused with $situation', async ({ send, ask: asked = {}, pointer }) => {
    const { http, workflowCalls, sessionId, url } = await beginSession();
    await ask(sessionId, asked);
    const reply = await http.put(url).send(send).expect(422);
    expect(reply.body).toMatchObject({ errors: [expect.objectContaining({ pointer })] });
    expect(workflowCalls.calls).toEqual([]);
    expect(await db().question.count({ where: { status: 'open' } })).toBe(1);
  });

  it('is refused of a project that was never asked', async () => {
    const { http, url } = await beginSession();
    const reply = await http.put(url).send({ state: 'ACK_MAINTENANCE' }).expect(422);
    expect(reply.body).toMatchObject({ code: 'NEVER_ASKED' });
  });
});
