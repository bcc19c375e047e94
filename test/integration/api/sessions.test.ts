import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import type { Database } from '../../../prisma/database';
import { apiOn, aSessionRequest, nobody, ownInstance, ownProject, useDatabase } from './api-under-test';

const { db } = useDatabase();

const createOne = async (http: ReturnType<typeof apiOn>['http'], fields = {}): Promise<string> => {
  const reply = await http.post('/v1/maintenance').send(aSessionRequest(fields)).expect(200);
  return (reply.body as { session_id: string }).session_id;
};

const setState = (database: Database, id: string, fields: object) =>
  database.session.update({ where: { id }, data: fields });

const enter = (database: Database, sessionId: string, state: string) =>
  database.entryPoint.create({ data: { sessionId, state, runId: 'run', eventId: 3 } });

const pointersOf = (reply: { body: unknown }) =>
  (reply.body as { errors: { pointer: string }[] }).errors.map(({ pointer }) => pointer);

describe('POST /v1/maintenance', () => {
  it('stores the session with its hosts and starts it', async () => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createOne(http, { hosts: ['compute-2', 'controller-1', 'compute-2'] });
    expect(workflowCalls.calls).toEqual([`start ${id}`]);
    const row = await db().session.findUniqueOrThrow({ where: { id }, include: { hosts: true } });
    expect(row).toMatchObject({ state: 'MAINTENANCE', prevState: 'MAINTENANCE', initialState: 'MAINTENANCE' });
    expect(row.maintenanceAt.toISOString()).toBe('2026-04-15T11:43:28.000Z');
    expect(row.startedAt).not.toBeNull();
    expect(row.hosts.map(({ hostname, type, isCompute, owned }) => ({ hostname, type, isCompute, owned }))).toEqual(
      expect.arrayContaining([
        { hostname: 'compute-2', type: 'compute', isCompute: true, owned: true },
        { hostname: 'controller-1', type: 'controller', isCompute: false, owned: true },
      ]),
    );
    expect(row.hosts).toHaveLength(2);
  });

  it.each([{ hosts: [] }, { hosts: undefined }])(
    "takes all of the cloud's hosts where hosts is $hosts",
    async (fields) => {
      const id = await createOne(apiOn(db()).http, fields);
      expect(await db().sessionHost.count({ where: { sessionId: id } })).toBe(4);
    },
  );

  it('keeps actions in their order and gives them metadata', async () => {
    const actions = [
      { plugin: 'dummy', type: 'post' },
      { plugin: 'dummy', type: 'host', metadata: { seconds: 5 } },
    ];
    const id = await createOne(apiOn(db()).http, { actions, download: [] });
    const row = await db().session.findUniqueOrThrow({ where: { id } });
    expect(row.actions).toEqual([{ ...actions[0], metadata: {} }, actions[1]]);
  });

  it('keeps max_parallel_hosts with the session', async () => {
    const id = await createOne(apiOn(db()).http, { workflow: 'vnf', max_parallel_hosts: 3 });
    const row = await db().session.findUniqueOrThrow({ where: { id } });
    expect(row.maxParallelHosts).toBe(3);
  });

  it('answers 200 while Temporal is away, and leaves the start to the sweeper', async () => {
    const { http, logged } = apiOn(db(), { temporalReachable: false });
    const id = await createOne(http);
    const row = await db().session.findUniqueOrThrow({ where: { id } });
    expect(row.startedAt).toBeNull();
    expect(logged.join()).toContain('the start did not reach Temporal');
  });

  it.each([
    { situation: 'an unknown field', fields: { colour: 'red' }, pointers: ['/colour'] },
    { situation: 'an unknown workflow', fields: { workflow: 'none' }, pointers: ['/workflow'] },
    { situation: 'a state to begin in that the workflow lacks', fields: { state: 'LUNCH' }, pointers: ['/state'] },
    { situation: 'no host at once', fields: { max_parallel_hosts: 0 }, pointers: ['/max_parallel_hosts'] },
    { situation: 'less than no failed hosts', fields: { max_failed_hosts: -1 }, pointers: ['/max_failed_hosts'] },
    {
      situation: 'failed hosts enabled where none may fail',
      fields: { failed_hosts: 'enable' },
      pointers: ['/failed_hosts'],
    },
    { situation: 'options that the cloud lacks', fields: { eviction: { forced: 'delete' } }, pointers: ['/eviction'] },
    { situation: 'a final state', fields: { state: 'MAINTENANCE_DONE' }, pointers: ['/state'] },
    { situation: 'unknown hosts', fields: { hosts: ['compute-1', 'x', 'y'] }, pointers: ['/hosts/1', '/hosts/2'] },
    { situation: 'hosts that are no strings', fields: { hosts: [1] }, pointers: ['/hosts/0'] },
    { situation: 'a wrong time', fields: { maintenance_at: 'soon' }, pointers: ['/maintenance_at'] },
    { situation: 'metadata that is no dictionary', fields: { metadata: 'x' }, pointers: ['/metadata'] },
    {
      situation: 'missing fields',
      fields: { state: undefined, metadata: undefined },
      pointers: ['/state', '/metadata'],
    },
    {
      situation: 'an unknown plug-in and a download',
      fields: { actions: [{ plugin: '../x', type: 'host' }], download: ['http://x/y.tgz'] },
      pointers: ['/actions/0/plugin', '/download'],
    },
    {
      situation: 'a wrong plug-in type',
      fields: { actions: [{ plugin: 'dummy', type: 'hosts' }] },
      pointers: ['/actions/0/type'],
    },
  ])('refuses $situation with 400 and stores nothing', async ({ fields, pointers }) => {
    const { http, workflowCalls } = apiOn(db());
    const reply = await http.post('/v1/maintenance').send(aSessionRequest(fields)).expect(400);
    expect(pointersOf(reply)).toEqual(pointers);
    expect(await db().session.count()).toBe(0);
    expect(workflowCalls.calls).toEqual([]);
  });

  it('takes metadata up to the limit of an event, and names the setting beyond it', async () => {
    const metadataLimitBytes = Buffer.byteLength('{"hint":"ää"}');
    const create = (hint: string) =>
      apiOn(db(), { metadataLimitBytes })
        .http.post('/v1/maintenance')
        .send(aSessionRequest({ metadata: { hint } }));
    const refused = await create('äää').expect(400);
    expect(pointersOf(refused)).toEqual(['/metadata']);
    expect(refused.text).toContain('PARLEY_METADATA_LIMIT');
    expect(await db().session.count()).toBe(0);
    await create('ää').expect(200);
  });

  it('names the setting that downloads need', async () => {
    const reply = await apiOn(db())
      .http.post('/v1/maintenance')
      .send(aSessionRequest({ download: ['http://a/b'] }));
    expect(reply.text).toContain('PARLEY_DOWNLOAD_ALLOW');
  });

  describe('with an allow-list', () => {
    const allowed = 'https://packages.example.org/parley/';
    const allowing = () => apiOn(db(), { downloadAllow: [parseAllowedSource(allowed)!] });
    const fine = `${allowed}actions.tgz`;

    it('stores what is to be downloaded, and shows it in the detail', async () => {
      const { http } = allowing();
      const sha256 = 'ab'.repeat(32);
      const download = [`${fine}?token=secret#sha256=${sha256}`, `${allowed}level.txt`];
      const actions = [
        { plugin: 'script', type: 'host', metadata: { script: 'run.sh' } },
        { plugin: 'own-plugin', type: 'host' },
      ];
      const id = await createOne(http, { download, actions, workflow: 'own-workflow' });
      const rows = await db().sessionDownload.findMany({ where: { sessionId: id }, orderBy: { position: 'asc' } });
      expect(rows.map(({ url }) => url)).toEqual(download);
      const reply = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
      const waiting = { state: 'waiting', bytes: 0, size_bytes: null, sha256: null, problem: null };
      expect((reply.body as { session: { downloads: unknown } }).session.downloads).toEqual([
        { url: fine, ...waiting },
        { url: `${allowed}level.txt`, ...waiting },
      ]);
    });

    it.each([
      {
        situation: 'a URL that is not listed',
        fields: { download: ['https://x/actions.tgz'] },
        pointers: ['/download/0'],
      },
      { situation: 'what is no URL', fields: { download: [fine, 'actions.tgz'] }, pointers: ['/download/1'] },
      { situation: 'a file twice', fields: { download: [fine, fine] }, pointers: ['/download/1'] },
      {
        situation: 'two files of one name',
        fields: { download: [`${allowed}a/level.txt`, `${allowed}b/Level.txt`] },
        pointers: ['/download/1'],
      },
      {
        situation: 'plug-in names that are paths',
        fields: {
          download: [fine],
          workflow: '../own',
          actions: [{ plugin: '../x', type: 'host' }],
        },
        pointers: ['/workflow', '/actions/0/plugin'],
      },
      {
        situation: 'a script without its name',
        fields: { download: [fine], actions: [{ plugin: 'script', type: 'host' }] },
        pointers: ['/actions/0/metadata/script'],
      },
      {
        situation: 'a script without a package',
        fields: { actions: [{ plugin: 'script', type: 'host', metadata: { script: 'run.sh' } }] },
        pointers: ['/download'],
      },
      { situation: 'too many files', fields: { download: Array(51).fill(fine) }, pointers: ['/download'] },
    ])('refuses $situation with 400 and stores nothing', async ({ fields, pointers }) => {
      const reply = await allowing().http.post('/v1/maintenance').send(aSessionRequest(fields)).expect(400);
      expect(pointersOf(reply)).toEqual(pointers);
      expect(await db().session.count()).toBe(0);
    });
  });

  it('refuses hosts of another unfinished session, naming host and session', async () => {
    const { http } = apiOn(db());
    const first = await createOne(http, { hosts: ['compute-1', 'compute-2'] });
    const reply = await http
      .post('/v1/maintenance')
      .send(aSessionRequest({ hosts: ['compute-3', 'compute-2'] }))
      .expect(400);
    expect(reply.body).toMatchObject({
      code: 'HOSTS_IN_USE',
      errors: [{ pointer: '/hosts/1', message: `compute-2 belongs to session ${first}` }],
    });
    expect(await db().session.count()).toBe(1);
  });

  it('lets exactly the limit through of 50 creates at once', async () => {
    const { http } = apiOn(db(), { maxSessions: 10, computes: 50 });
    const replies = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        http.post('/v1/maintenance').send(aSessionRequest({ hosts: [`compute-${index + 1}`] })),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(10);
    const refused = replies.filter(({ status }) => status !== 200);
    expect(new Set(refused.map(({ body }) => (body as { code: string }).code))).toEqual(new Set(['TOO_MANY_SESSIONS']));
    expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([509]));
    expect(await db().session.count()).toBe(10);
  });

  it('lets one through of many creates at once for the same host', async () => {
    const { http } = apiOn(db());
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => http.post('/v1/maintenance').send(aSessionRequest())),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400, 400, 400]);
  });

  it('counts failed sessions against the limit, and neither done nor deleted ones', async () => {
    const { http } = apiOn(db(), { maxSessions: 1 });
    const id = await createOne(http);
    await setState(db(), id, { state: 'MAINTENANCE_FAILED' });
    await http
      .post('/v1/maintenance')
      .send(aSessionRequest({ hosts: ['compute-2'] }))
      .expect(509);
    await setState(db(), id, { state: 'MAINTENANCE_DONE' });
    const second = await createOne(http, { hosts: ['compute-2'] });
    await setState(db(), second, { deletedAt: new Date() });
    await createOne(http, { hosts: ['compute-3'] });
  });
});

describe('reading sessions', () => {
  it('lists those that are not deleted', async () => {
    const { http } = apiOn(db());
    const first = await createOne(http);
    const second = await createOne(http, { hosts: ['compute-2'] });
    await setState(db(), first, { state: 'MAINTENANCE_DONE' });
    expect((await http.get('/v1/maintenance/').expect(200)).body).toMatchObject({ session_id: [first, second] });
    await http.delete(`/v1/maintenance/${first}`).expect(200);
    expect((await http.get('/v1/maintenance').expect(200)).body).toMatchObject({ session_id: [second] });
  });

  it('shows the state, whatever the case of the ID', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    await http.get(`/v1/maintenance/${id.toUpperCase()}/`).expect(200, { state: 'MAINTENANCE' });
  });

  it('shows everything in the detail', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http, { hosts: ['compute-1', 'compute-2', 'compute-3'] });
    await db().sessionHost.update({
      where: { sessionId_hostname: { sessionId: id, hostname: 'compute-1' } },
      data: { maintained: true, phase: 'maintained' },
    });
    await db().sessionInstance.create({
      data: {
        sessionId: id,
        instanceId: ownInstance,
        instanceName: 'vm',
        projectId: ownProject,
        host: 'compute-2',
        state: 'ACTIVE',
      },
    });
    await db().actionPluginInstance.create({
      data: { sessionId: id, hostname: 'compute-1', plugin: 'dummy', type: 'host', position: 0, state: 'DONE' },
    });
    const noted = { sinceMs: Date.UTC(2025, 11, 31), untilMs: Date.UTC(2026, 0, 1) };
    await setState(db(), id, {
      waiting: [{ waitingFor: 'recovery', who: 'compute-2', subject: 'web', subjectId: 'g', ...noted }],
    });
    const { phaseSince } = await db().sessionHost.findFirstOrThrow({ where: { hostname: 'compute-3' } });
    const recovery = {
      ...{ waiting_for: 'recovery', who: 'compute-2', who_name: 'compute-2' },
      ...{ subject: 'web', subject_id: 'g', subject_name: 'web', since: '2025-12-31T00:00:00.000Z' },
      remaining_seconds: 0,
    };
    // Its remaining_seconds hang on a plan, which may not be made yet.
    const turn = { waiting_for: 'host', since: phaseSince.toISOString() };
    const reply = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(reply.body).toMatchObject({
      session_id: id,
      state: 'MAINTENANCE',
      percent_done: 33,
      session: {
        workflow: 'default',
        maintenance_at: '2026-04-15T11:43:28.000Z',
        state: 'MAINTENANCE',
        prev_state: 'MAINTENANCE',
        meta: { openstack: 'upgrade' },
        failure: null,
        waiting: [
          recovery,
          { ...turn, who: 'compute-3', subject: 'compute-3' },
          { waiting_for: 'host', who: ownInstance, who_name: 'vm', subject: 'compute-2', subject_id: null },
        ],
        resuming: false,
        deleting: false,
        set_aside: [],
      },
      instances: [{ instance_id: ownInstance, action: null, action_done: false, project_state: '', details: null }],
      hosts: [
        { hostname: 'compute-1', maintained: true, details: '', phase: 'maintained', waiting: null },
        { hostname: 'compute-2', phase: 'waiting', waiting: recovery },
        { hostname: 'compute-3', phase: 'waiting', phase_since: phaseSince.toISOString(), waiting: turn },
      ],
      action_plugin_instances: [{ hostname: 'compute-1', plugin: 'dummy', state: 'DONE' }],
    });
  });

  it('counts a session without hosts as done', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    await db().sessionHost.deleteMany();
    const reply = await http.get(`/v1/maintenance/${id}/detail`);
    expect(reply.body).toMatchObject({ percent_done: 100 });
  });
});

describe('PUT /v1/maintenance/{session_id}', () => {
  const createFailed = async (http: ReturnType<typeof apiOn>['http']): Promise<string> => {
    const id = await createOne(http);
    await enter(db(), id, 'MAINTENANCE');
    await enter(db(), id, 'PLANNED_MAINTENANCE');
    await setState(db(), id, { state: 'MAINTENANCE_FAILED', prevState: 'PLANNED_MAINTENANCE' });
    return id;
  };

  it.each([
    { situation: 'no body', send: undefined, state: 'PLANNED_MAINTENANCE' },
    { situation: 'an empty body', send: {}, state: 'PLANNED_MAINTENANCE' },
    { situation: 'a state that was entered', send: { state: 'MAINTENANCE' }, state: 'MAINTENANCE' },
  ])('resumes with $situation', async ({ send, state }) => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createFailed(http);
    await http.put(`/v1/maintenance/${id}`).send(send).expect(200, { session_id: id, state });
    expect(workflowCalls.calls).toContain(`continueFailed ${id}`);
    const row = await db().session.findUniqueOrThrow({ where: { id } });
    expect(row).toMatchObject({ state: 'MAINTENANCE_FAILED', continueState: state });
    await http.get(`/v1/maintenance/${id}`).expect(200, { state: 'MAINTENANCE_FAILED' });
    const reply = await http.get(`/v1/maintenance/${id}/detail`);
    expect(reply.body).toMatchObject({ session: { resuming: true } });
  });

  it('accepts one of many at once', async () => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createFailed(http);
    const replies = await Promise.all(Array.from({ length: 8 }, () => http.put(`/v1/maintenance/${id}`)));
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422, 422, 422, 422, 422]);
    expect(workflowCalls.calls.filter((call) => call.startsWith('continueFailed'))).toHaveLength(1);
  });

  it('stays accepted while Temporal is away', async () => {
    const { http } = apiOn(db(), { temporalReachable: false });
    const id = await createFailed(http);
    await http.put(`/v1/maintenance/${id}`).expect(200);
    expect((await db().session.findUniqueOrThrow({ where: { id } })).continueRequestId).not.toBeNull();
  });

  it('refuses a state that was never entered, listing those that were', async () => {
    const { http } = apiOn(db());
    const id = await createFailed(http);
    const reply = await http.put(`/v1/maintenance/${id}`).send({ state: 'SCALE_IN' }).expect(422);
    expect(reply.body).toMatchObject({
      code: 'STATE_NOT_ENTERED',
      errors: [{ pointer: '/state', message: 'must be a state that was entered: MAINTENANCE, PLANNED_MAINTENANCE' }],
    });
  });

  it.each([
    { situation: 'running', fields: { state: 'PLANNED_MAINTENANCE' } },
    { situation: 'done', fields: { state: 'MAINTENANCE_DONE' } },
    { situation: 'being deleted', fields: { deleteRequestedAt: new Date() } },
  ])('refuses a session that is $situation', async ({ fields }) => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createFailed(http);
    await setState(db(), id, fields);
    await http.put(`/v1/maintenance/${id}`).expect(422);
    expect(workflowCalls.calls).not.toContain(`continueFailed ${id}`);
  });

  it.each([
    { situation: 'an unknown field', send: { status: 'MAINTENANCE' } },
    { situation: 'a state that is no string', send: { state: 7 } },
    { situation: "another session's ID", send: { session_id: nobody } },
    { situation: 'no object', send: '"MAINTENANCE"' },
  ])('refuses a body with $situation', async ({ send }) => {
    const { http } = apiOn(db());
    const id = await createFailed(http);
    await http.put(`/v1/maintenance/${id}`).type('json').send(send).expect(422);
  });
});

describe('DELETE /v1/maintenance/{session_id}', () => {
  it('leaves only a tombstone of a finished session', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    await enter(db(), id, 'MAINTENANCE');
    await setState(db(), id, { state: 'MAINTENANCE_DONE' });
    const reply = await http.delete(`/v1/maintenance/${id}`).type('json').expect(200);
    expect(reply.text).toBe('');
    expect(await db().sessionHost.count()).toBe(0);
    expect(await db().entryPoint.count()).toBe(0);
    await http.delete(`/v1/maintenance/${id}`).expect(200);
    await http.get(`/v1/maintenance/${id}`).expect(404);
    await http.get(`/v1/maintenance/${id}/detail`).expect(404);
    await http.put(`/v1/maintenance/${id}`).expect(422);
    await http.get(`/v1/maintenance/${id}/${ownProject}`).expect(422);
    await http.put(`/v1/maintenance/${id}/${ownProject}`).send({ state: 'ACK_MAINTENANCE' }).expect(422);
  });

  it.each([
    { situation: 'a running session', fields: {}, told: 'abort' },
    { situation: 'a failed session', fields: { state: 'MAINTENANCE_FAILED' }, told: 'startCleanup' },
    {
      situation: 'a failed session that is being resumed',
      fields: { state: 'MAINTENANCE_FAILED', continueRequestId: nobody },
      told: 'abort',
    },
  ])('asks $situation to end, also when repeated, and keeps the first request', async ({ fields, told }) => {
    const { http, workflowCalls } = apiOn(db());
    const id = await createOne(http);
    await setState(db(), id, fields);
    await http.delete(`/v1/maintenance/${id}`).expect(200);
    const first = await db().session.findUniqueOrThrow({ where: { id } });
    await http.delete(`/v1/maintenance/${id}`).expect(200);
    const second = await db().session.findUniqueOrThrow({ where: { id } });
    expect(second.deleteRequestedAt).toEqual(first.deleteRequestedAt);
    expect(second.deletedAt).toBeNull();
    expect(workflowCalls.calls).toEqual([`start ${id}`, `${told} ${id}`, `${told} ${id}`]);
    const reply = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
    expect(reply.body).toMatchObject({ session: { deleting: true } });
  });
});

describe('a session that never was', () => {
  it.each([
    { method: 'get', path: '', status: 404 },
    { method: 'get', path: '/detail', status: 404 },
    { method: 'put', path: '', status: 422 },
    { method: 'delete', path: '', status: 422 },
    { method: 'get', path: `/${ownProject}`, status: 422 },
  ] as const)('$method {session_id}$path is $status', async ({ method, path, status }) => {
    const reply = await apiOn(db()).http[method](`/v1/maintenance/${nobody}${path}`).expect(status);
    expect(reply.body).toMatchObject({ status, code: 'SESSION_NOT_FOUND' });
  });
});
