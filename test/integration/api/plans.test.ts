import { randomUUID } from 'node:crypto';
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import { aClosedWindow } from '../../builders/a-window';
import { apiOn, aSessionRequest, createCloud, nobody, ownProject, tokenIdentity, useDatabase } from './api-under-test';

const { db } = useDatabase();

const aVnfRequest = (fields: Readonly<Record<string, unknown>> = {}) =>
  aSessionRequest({
    workflow: 'vnf',
    actions: [{ plugin: 'dummy', type: 'host', metadata: { seconds: 60 } }],
    ...fields,
  });

const tables = ['session', 'session_host', 'session_instance', 'claim', 'question', 'event', 'reservation'] as const;

const countRows = async (): Promise<readonly number[]> => {
  const counts = tables.map((table) => db().$queryRawUnsafe<{ count: bigint }[]>(`SELECT count(*) FROM ${table}`));
  return (await Promise.all(counts)).map(([row]) => Number(row?.count));
};

const kindsOf = ({ blockers }: PlanBody) => blockers.map(({ kind, subject, owner }) => ({ kind, subject, owner }));

describe('POST /v1/maintenance/plan', () => {
  it('tells what would happen, and stores nothing', async () => {
    const { http, workflowCalls } = apiOn(db());
    const before = await countRows();
    const request = aVnfRequest();
    const plan = (await http.post('/v1/maintenance/plan').send(request).expect(200)).body as PlanBody;
    expect(plan).toMatchObject({ session_id: null, request, completes: true, move_count: 2, stops_at: null });
    expect(plan.moves.map(({ host, action }) => ({ host, action }))).toEqual([
      { host: 'compute-1', action: 'LIVE_MIGRATE' },
      { host: 'compute-1', action: 'LIVE_MIGRATE' },
    ]);
    expect(plan.questions.map(({ state, project_id }) => ({ state, project_id }))).toEqual([
      { state: 'MAINTENANCE', project_id: ownProject },
      { state: 'PREPARE_MAINTENANCE', project_id: ownProject },
      { state: 'PREPARE_MAINTENANCE', project_id: ownProject },
      { state: 'MAINTENANCE_COMPLETE', project_id: ownProject },
    ]);
    // Two moves of a flavor's group of two go one after the other: 10 s to answer and 30 s to move, as usual.
    expect(plan.seconds_left?.expected).toBe(10 + 2 * (10 + 30) + 60 + 10);
    expect(plan.critical_host?.steps.map(({ kind }) => kind)).toEqual(['group', 'answer', 'move', 'maintenance']);
    expect(kindsOf(plan)).toEqual([{ kind: 'project_without_constraints', subject: ownProject, owner: 'project' }]);
    expect(await countRows()).toEqual(before);
    expect(workflowCalls.calls).toEqual([]);
  });

  it('notes that a session without an action for its hosts maintains nothing, and so does the plan of its rest', async () => {
    const { http } = apiOn(db());
    const noActions = aVnfRequest({ actions: [] });
    const plan = (await http.post('/v1/maintenance/plan').send(noActions).expect(200)).body as PlanBody;
    expect(kindsOf(plan)).toContainEqual({ kind: 'nothing_maintained', subject: 'vnf', owner: 'admin' });
    expect(plan.completes).toBe(true);
    const { session_id: id } = (await http.post('/v1/maintenance').send(noActions)).body as { session_id: string };
    const rest = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(kindsOf(rest)).toContainEqual({ kind: 'nothing_maintained', subject: id, owner: 'admin' });
  });

  it('says who can put right what may be on a host, and does not complete', async () => {
    const cloud = createCloud(3);
    const because = 'instance web-9 may go back to host compute-1';
    const doubt = { owner: 'project', projectId: ownProject, because, help: 'its owner confirms the resize' } as const;
    const whatIsOn = (name: string) => Promise.resolve({ instances: [], doubts: name === 'compute-1' ? [doubt] : [] });
    const { http } = apiOn(db(), { cloud: { ...cloud, whatIsOn } });
    const plan = (await http.post('/v1/maintenance/plan').send(aVnfRequest()).expect(200)).body as PlanBody;
    expect(plan).toMatchObject({ completes: false });
    expect(plan.blockers).toContainEqual(
      expect.objectContaining({
        kind: 'host_in_doubt',
        severity: 'stops',
        subject: 'compute-1',
        owner: 'project',
        because,
      }),
    );
  });

  it('expects what the settings say, where nothing was seen before', async () => {
    const planSettings = { expectedMoveSeconds: 5, expectedAnswerSeconds: 2, expectedMaintenanceSeconds: 100 };
    const { http } = apiOn(db(), { planSettings });
    const request = aVnfRequest({ actions: [{ plugin: 'dummy', type: 'host' }] });
    const plan = (await http.post('/v1/maintenance/plan').send(request).expect(200)).body as PlanBody;
    expect(plan.seconds_left?.expected).toBe(2 + 2 * (2 + 5) + 100 + 2);
  });

  it('follows the canary and the windows of the request', async () => {
    const { http } = apiOn(db());
    const windows = [aClosedWindow()];
    const canary = { hosts: ['compute-2'], then: 'resume' };
    const request = aVnfRequest({ hosts: ['compute-1', 'compute-2'], windows, canary });
    const plan = (await http.post('/v1/maintenance/plan').send(request).expect(200)).body as PlanBody;
    expect(plan.hosts.map(({ hostname, ends_as }) => [hostname, ends_as])).toEqual([
      ['compute-2', 'maintained'],
      ['compute-1', 'maintained'],
    ]);
    expect(Date.parse(plan.begins_at) - Date.parse(plan.planned_at)).toBeGreaterThan(7 * 3_600_000);
    const [opening] = plan.openings!;
    expect([opening!.from, plan.begins_at, opening!.to].toSorted()[1]).toBe(plan.begins_at);
    expect(plan.canary_ends_at).toBe(plan.hosts[0]?.maintenance?.to);
    expect(kindsOf(plan)).toContainEqual({
      kind: 'session_pauses',
      subject: expect.any(String) as string,
      owner: 'admin',
    });
  });

  it('warns of a host that took longer than every window once, and tries it after a week', async () => {
    const tenHours = { hostname: 'compute-1', type: 'compute', seconds: 36_000, endedAt: new Date(0) };
    await db().maintenanceTime.create({
      data: { ...tenHours, sessionId: randomUUID(), plugins: 'host:dummy', actionsDigest: '' },
    });
    const { http } = apiOn(db());
    const fields = { actions: [{ plugin: 'dummy', type: 'host' }], hosts: ['compute-1'], windows: [aClosedWindow()] };
    const plan = (await http.post('/v1/maintenance/plan').send(aVnfRequest(fields)).expect(200)).body as PlanBody;
    const warning = plan.blockers.find(({ kind }) => kind === 'window_too_short');
    expect(warning).toMatchObject({ severity: 'delays', subject: 'compute-1' });
    expect(warning?.because).toMatch(/took 600 minutes before.* tried again with the usual 15 /);
    expect(plan.completes).toBe(true);
    expect(Date.parse(plan.hosts[0]!.maintenance!.from) - Date.parse(plan.begins_at)).toBeGreaterThan(6.9 * 86_400_000);
  });

  it('tells of a deadline that would be missed', async () => {
    const { http } = apiOn(db());
    const deadline = new Date(Date.now() + 60_000).toISOString();
    const plan = (await http.post('/v1/maintenance/plan').send(aVnfRequest({ deadline })).expect(200)).body as PlanBody;
    expect(kindsOf(plan)).toContainEqual({
      kind: 'deadline_missed',
      subject: expect.any(String) as string,
      owner: 'admin',
    });
  });

  it('gives the request from which the session can be created', async () => {
    const { http } = apiOn(db());
    const { request } = (await http.post('/v1/maintenance/plan').send(aVnfRequest())).body as PlanBody;
    await http.post('/v1/maintenance').send(request!).expect(200);
  });

  it.each([
    { situation: 'an unknown field', fields: { colour: 'red' } },
    { situation: 'an unknown workflow', fields: { workflow: 'none' } },
    { situation: 'a final state', fields: { state: 'MAINTENANCE_DONE' } },
    { situation: 'unknown hosts', fields: { hosts: ['compute-1', 'x', 'y'] } },
    { situation: 'a wrong time', fields: { maintenance_at: 'soon' } },
    { situation: 'a plug-in that is not known', fields: { actions: [{ plugin: 'none', type: 'host' }] } },
    { situation: 'a download that is not allowed', fields: { download: ['https://example.org/a.tgz'] } },
    { situation: 'a field that is for vnf alone', fields: { max_parallel_hosts: 2 } },
    { situation: 'metadata beyond the limit', fields: { metadata: { hint: 'x'.repeat(300_000) } } },
  ])('refuses $situation in the words of create', async ({ fields }) => {
    const { http } = apiOn(db());
    const planned = await http.post('/v1/maintenance/plan').send(aSessionRequest(fields)).expect(400);
    const created = await http.post('/v1/maintenance').send(aSessionRequest(fields)).expect(400);
    expect(planned.body).toEqual(created.body);
  });

  it('tells hosts of another session and too many sessions as what stands in the way', async () => {
    const { http } = apiOn(db(), { maxSessions: 1 });
    await http.post('/v1/maintenance').send(aVnfRequest()).expect(200);
    const plan = (await http.post('/v1/maintenance/plan').send(aVnfRequest({ hosts: ['compute-1', 'compute-2'] })))
      .body as PlanBody;
    expect(kindsOf(plan)).toEqual(
      expect.arrayContaining([
        { kind: 'too_many_sessions', subject: '', owner: 'admin' },
        { kind: 'host_of_another_session', subject: 'compute-1', owner: 'admin' },
      ]),
    );
    expect(plan.hosts.map(({ hostname }) => hostname)).toEqual(['compute-2']);
  });

  it('plans default, which asks about the whole host', async () => {
    const { http } = apiOn(db());
    const plan = (await http.post('/v1/maintenance/plan').send(aVnfRequest({ workflow: 'default' }))).body as PlanBody;
    expect(plan.completes).toBe(true);
    expect(plan.questions.filter(({ hostname }) => hostname !== null)).toMatchObject([
      { hostname: 'compute-1', project_id: ownProject, instance_id: null, window_seconds: 20 },
    ]);
  });

  it('answers 503 and when to come back where it makes as many plans as it may', async () => {
    const { http } = apiOn(db(), { plansAtOnce: 0 });
    const reply = await http.post('/v1/maintenance/plan').send(aVnfRequest()).expect(503);
    expect(reply.body).toMatchObject({ code: 'PLANNER_BUSY' });
    expect(reply.headers['retry-after']).toBe('5');
  });

  it('is for admins', async () => {
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    await http.post('/v1/maintenance/plan').set('X-Auth-Token', 'own').send(aVnfRequest()).expect(403);
    await http.get(`/v1/maintenance/${nobody}/plan`).set('X-Auth-Token', 'own').expect(403);
  });
});

describe('GET /v1/maintenance/{session_id}/plan', () => {
  const createOne = async (http: ReturnType<typeof apiOn>['http']): Promise<string> =>
    ((await http.post('/v1/maintenance').send(aVnfRequest()).expect(200)).body as { session_id: string }).session_id;

  it('plans what is left: a host in maintenance ends when it has taken as long as expected', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    const now = Date.now();
    await db().session.update({ where: { id }, data: { state: 'PLANNED_MAINTENANCE', stateEnteredAt: new Date(now) } });
    const work = { phase: 'maintaining', disabled: true, disabledBefore: false };
    const announcedAt = new Date(now - 20_000);
    await db().sessionHost.updateMany({
      where: { sessionId: id },
      data: { ...work, disabledAt: announcedAt, announcedAt },
    });
    const plan = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(plan).toMatchObject({ session_id: id, completes: true, move_count: 0 });
    // Once it is deleted, its rest can be planned and created from that.
    expect(plan.request).toMatchObject({ hosts: plan.hosts.map(({ hostname }) => hostname), workflow: 'vnf' });
    await http.post('/v1/maintenance/plan').send(plan.request!).expect(200);
    const { maintenance } = plan.hosts[0]!;
    expect(maintenance).toEqual({
      from: announcedAt.toISOString(),
      to: new Date(announcedAt.getTime() + 60_000).toISOString(),
    });
  });

  it('waits for the start of a session that begins in a rolling state', async () => {
    const { http } = apiOn(db());
    const maintenanceAt = new Date(Date.now() + 3_600_000);
    const request = aVnfRequest({ state: 'PLANNED_MAINTENANCE', maintenance_at: maintenanceAt.toISOString() });
    const created = (await http.post('/v1/maintenance').send(request).expect(200)).body as { session_id: string };
    const plan = (await http.get(`/v1/maintenance/${created.session_id}/plan`).expect(200)).body as PlanBody;
    expect(plan.begins_at).toBe(maintenanceAt.toISOString());
  });

  it.each([
    { kind: 'session_paused', owner: 'admin', fields: { pausedAt: new Date() }, why: /^an admin paused/ },
    {
      kind: 'session_paused',
      owner: 'admin',
      fields: { pausedAt: new Date(), pausedBecause: 'a project did not answer' },
      why: /^the session paused itself at .*: a project did not answer$/,
    },
    {
      kind: 'session_failed',
      owner: 'admin',
      fields: { state: 'MAINTENANCE_FAILED', failure: 'a host broke' },
      why: /a host broke/,
    },
    {
      kind: 'session_ending',
      owner: 'service',
      fields: { deleteRequestedAt: new Date() },
      why: /aborted or deleted/,
    },
  ])('tells $kind as what stands in the way now: $why', async ({ kind, owner, fields, why }) => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    await db().session.update({ where: { id }, data: fields });
    const plan = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(plan.blockers[0]).toMatchObject({ kind, when: 'now', severity: 'stops', owner, subject: id });
    expect(plan.blockers[0]?.because).toMatch(why);
  });

  it('tells of a session that is done when that was', async () => {
    const { http } = apiOn(db());
    const id = await createOne(http);
    await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_DONE' } });
    const plan = (await http.get(`/v1/maintenance/${id}/plan`).expect(200)).body as PlanBody;
    expect(plan).toMatchObject({ completes: true, seconds_left: { expected: 0 }, hosts: [], move_count: 0 });
  });

  it('answers 404 for a session that is not there', async () => {
    await apiOn(db()).http.get(`/v1/maintenance/${nobody}/plan`).expect(404);
  });
});
