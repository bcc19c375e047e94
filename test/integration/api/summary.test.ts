import { randomUUID } from 'node:crypto';
import type { Prisma } from '@prisma/client';
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import type { SessionListBody } from '../../../api/schemas/session-schemas';
import type { SessionSummaryBody } from '../../../api/schemas/summary-schemas';
import type { SessionTimelineBody } from '../../../api/schemas/timeline-schemas';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import type { CloudHost } from '../../../rules/cloud/cloud-facts';
import { eventually } from '../../waiting/eventually';
import {
  apiOn,
  aSessionRequest,
  createCloud,
  otherProject,
  ownInstance,
  ownInstance2,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const sessionId = '99999999-0000-4000-8000-000000000000';
const session = `/v1/maintenance/${sessionId}`;
const ago = (seconds: number): Date => new Date(Date.now() - seconds * 1000);

/** A session in which one of three hosts is done, one is drained and waits for an answer, and one waits. */
const aSession = async (fields: object = {}): Promise<void> => {
  await db().session.create({
    data: {
      ...{ id: sessionId, workflow: 'vnf', initialState: 'MAINTENANCE', state: 'PLANNED_MAINTENANCE' },
      ...{ prevState: 'START_MAINTENANCE', maintenanceAt: ago(100), begunAt: ago(100), metadata: {} },
      actions: [{ plugin: 'dummy', type: 'host', metadata: {} }],
      ...fields,
    },
  });
  const host = (hostname: string, phase: string) => ({ sessionId, hostname, phase, type: 'compute', isCompute: true });
  await db().sessionHost.createMany({
    data: [
      { ...host('compute-1', 'maintained'), maintained: true },
      { ...host('compute-2', 'emptying'), disabled: true, phaseSince: ago(30) },
      host('compute-3', 'waiting'),
    ],
  });
  const instance = (instanceId: string, on: string) => ({
    ...{ sessionId, instanceId, instanceName: `vm-${on}`, projectId: ownProject, host: on, state: 'ACTIVE' },
  });
  await db().sessionInstance.createMany({
    data: [instance(ownInstance, 'compute-2'), instance(ownInstance2, 'compute-3')],
  });
  await db().question.create({
    data: {
      ...{ sessionId, projectId: ownProject, hostname: 'compute-2', state: 'PLANNED_MAINTENANCE' },
      ...{ instanceIds: [ownInstance], allowedActions: ['MIGRATE'], windowSeconds: 60, messageId: sessionId },
      ...{ askedAt: ago(10), replyAt: ago(-50) },
    },
  });
};

const summary = async (): Promise<SessionSummaryBody> =>
  (await apiOn(db()).http.get(`${session}/detail?view=summary`).expect(200)).body as SessionSummaryBody;

describe('one look at a session', () => {
  it('says how far it is, what waits for whom and how long still, and when it ends', async () => {
    await aSession();
    const seen = await summary();
    expect(seen).toMatchObject({
      ...{ state: 'PLANNED_MAINTENANCE', progress: 'running', percent_done: 33, host_count: 3, instance_count: 2 },
      hosts_by_phase: { maintained: 1, emptying: 1, waiting: 1, failed: 0 },
      ...{ open_questions: 1, start_seconds_left: null, project_ids: [ownProject] },
      under_work: [{ hostname: 'compute-2', phase: 'emptying', instance_count: 1, moving_count: 0 }],
    });
    const [first] = seen.waiting;
    expect(first).toMatchObject({ waiting_for: 'answer', subject: ownProject, owner: 'project', instance_count: 1 });
    expect(first?.seconds_left).toBeGreaterThan(0);
    expect(first?.seconds_left).toBeLessThanOrEqual(50);
    expect(seen.seconds_left?.expected).toBeGreaterThan(0);
    expect(seen.next.map(({ request }) => request)).toEqual(['skip', 'pause', 'abort', 'delete']);
    expect(seen.next[0]?.hosts).toEqual(['compute-2']);
  });

  it.each([
    { state: 'PLANNED_MAINTENANCE', phase: 'set_aside', help: 'retry the host', next: ['retry'] },
    { state: 'MAINTENANCE_COMPLETE', phase: 'set_aside', help: 'maintain the host in another session', next: [] },
    { state: 'MAINTENANCE_FAILED', phase: 'failed', help: 'continue the session', next: ['continue'] },
  ])('says of a host that failed what helps in $state, and offers that alone', async ({ state, phase, help, next }) => {
    await aSession({ state });
    await db().sessionHost.update({
      where: { sessionId_hostname: { sessionId, hostname: 'compute-3' } },
      data: { phase, failure: 'its firmware is broken' },
    });
    const seen = await summary();
    const about = seen.blockers.find(({ subject }) => subject === 'compute-3');
    expect(about?.help).toContain(help);
    const offered = seen.next.map(({ request }) => request);
    expect(offered.filter((request) => ['retry', 'continue'].includes(request))).toEqual(next);
  });

  it.each([
    {
      situation: 'paused',
      fields: { pausedAt: ago(5) },
      expected: { progress: 'paused', blockers: [{ kind: 'session_paused', owner: 'admin' }] },
      next: ['resume', 'abort', 'delete'],
    },
    {
      situation: 'failed',
      fields: { state: 'MAINTENANCE_FAILED', stopping: null, failure: 'host compute-2: it broke' },
      expected: { progress: 'failed', blockers: [{ kind: 'session_failed', because: 'host compute-2: it broke' }] },
      next: ['continue', 'archive', 'delete'],
    },
    {
      situation: 'being deleted',
      fields: { deleteRequestedAt: ago(1) },
      expected: { progress: 'deleting', blockers: [{ kind: 'session_ending', owner: 'service' }] },
      next: [],
    },
    {
      situation: 'without an action for its hosts, and paused',
      fields: { pausedAt: ago(5), actions: [] },
      expected: { blockers: [{ kind: 'session_paused' }, { kind: 'nothing_maintained', severity: 'note' }] },
      next: ['resume', 'abort', 'delete'],
    },
  ])('of a session that is $situation names what stands in the way and what one can do', async (row) => {
    await aSession(row.fields);
    const seen = await summary();
    expect(seen).toMatchObject({ ...row.expected, ends_at: null, seconds_left: null });
    expect(seen.next.map(({ request }) => request)).toEqual(row.next);
  });

  it.each([
    {
      ...{ phase: 'failed', fields: { state: 'MAINTENANCE_FAILED' } },
      blockers: [
        { kind: 'session_failed', because: 'host compute-3: it broke', help: 'on host compute-3, then continue' },
      ],
    },
    {
      ...{ phase: 'failed', fields: { stopping: 'failing' } },
      blockers: [
        { kind: 'session_ending', because: 'the session fails: host compute-3: it broke', help: 'then repair' },
      ],
    },
    {
      ...{ phase: 'set_aside', fields: { state: 'MAINTENANCE_FAILED' } },
      blockers: [
        { kind: 'session_failed', because: 'host compute-3: it broke', help: 'repair the cause' },
        { kind: 'host_failed', because: 'host compute-3 is set aside', help: 'retry the host' },
      ],
    },
    {
      ...{ phase: 'set_aside', fields: { failure: null } },
      blockers: [{ kind: 'host_failed', because: 'host compute-3: it broke', help: 'retry the host' }],
    },
  ])('tells the failure of a host once, where it is $phase and its session has $fields', async (row) => {
    await aSession({ failure: 'host compute-3: it broke', ...row.fields });
    await db().sessionHost.update({
      where: { sessionId_hostname: { sessionId, hostname: 'compute-3' } },
      data: { phase: row.phase, failure: 'host compute-3: it broke' },
    });
    const { blockers } = await summary();
    expect(blockers).toMatchObject(
      row.blockers.map(({ help, ...rest }) => ({ ...rest, help: expect.stringContaining(help) as unknown })),
    );
  });

  it('of a session that does not exist is 404, and of one asked for wrongly 400', async () => {
    const { http } = apiOn(db());
    await http.get(`${session}/detail?view=summary`).expect(404);
    await aSession();
    const reply = await http.get(`${session}/detail?view=all`).expect(400);
    expect(reply.body).toMatchObject({ errors: [{ pointer: '#query/view' }] });
  });
});

describe('the end that one look at a session expects', () => {
  const told = (seconds: number): CloudHost => ({
    ...{ name: 'compute-2', type: 'compute', isCompute: true, amounts: { VCPU: 8, MEMORY_MB: 16_384 } },
    ...{ enabled: true, isUp: true, maintenanceSeconds: seconds },
  });
  const tellingCloud = (): Partial<CloudDriver> => ({
    listHosts: () => Promise.resolve([told(3_600)]),
    listHostsLately: () => Promise.resolve([told(3_600)]),
    maintenanceSeconds: () => Promise.resolve(3_600),
  });

  it.each([
    { what: 'the request tells', metadata: { seconds: 3_600 }, cloud: {}, least: 3_600, most: 3_660 },
    { what: 'the cloud tells', metadata: {}, cloud: tellingCloud(), least: 3_600, most: 3_660 },
    { what: 'is usual, where nobody tells', metadata: {}, cloud: {}, least: 900, most: 960 },
  ])('is by the times that $what, as that of the plan is', async ({ metadata, cloud, least, most }) => {
    const { http } = apiOn(db(), { cloud: { ...createCloud(3), ...cloud } });
    const actions = [{ plugin: 'dummy', type: 'host', metadata }];
    const body = aSessionRequest({ hosts: ['compute-2'], workflow: 'vnf', actions });
    const { session_id } = (await http.post('/v1/maintenance').send(body).expect(200)).body as { session_id: string };
    const at = `/v1/maintenance/${session_id}`;
    const plan = (await http.get(`${at}/plan`).expect(200)).body as PlanBody;
    expect(plan.seconds_left?.expected).toBeGreaterThanOrEqual(least);
    expect(plan.seconds_left?.expected).toBeLessThanOrEqual(most);
    const seen = (await http.get(`${at}/detail?view=summary`).expect(200)).body as SessionSummaryBody;
    const [listed] = ((await http.get('/v1/maintenance').expect(200)).body as SessionListBody).sessions;
    for (const one of [seen, listed]) expect(one).toMatchObject({ ends_at: plan.ends_at, end_from: 'plan' });
  });

  it('is that of a plan also where nobody has asked for one', async () => {
    const { http } = apiOn(db(), { cloud: createCloud(3) });
    const actions = [{ plugin: 'dummy', type: 'host', metadata: { seconds: 3_600 } }];
    const body = aSessionRequest({ hosts: ['compute-2'], workflow: 'vnf', actions });
    const { session_id } = (await http.post('/v1/maintenance').send(body).expect(200)).body as { session_id: string };
    const look = async () =>
      (await http.get(`/v1/maintenance/${session_id}/detail?view=summary`).expect(200)).body as SessionSummaryBody;
    const seen = await eventually('a plan is made', async () => {
      const one = await look();
      return one.end_from === 'plan' ? one : undefined;
    });
    // The time goes by while the plan is made. Without the request's seconds, 900 are usual.
    expect(seen.seconds_left?.expected).toBeGreaterThan(1_800);
    expect(seen.seconds_left?.expected).toBeLessThanOrEqual(3_660);
  });
});

it('names every project that is asked about the session, and not the first one alone', async () => {
  await aSession();
  await db().question.deleteMany();
  await db().session.update({ where: { id: sessionId }, data: { state: 'MAINTENANCE' } });
  await db().sessionHost.updateMany({ data: { phase: 'waiting', maintained: false, disabled: false } });
  const question = { sessionId, state: 'MAINTENANCE', instanceIds: [], allowedActions: [], windowSeconds: 60 };
  const times = { askedAt: new Date(Date.now() - 10_000), replyAt: new Date(Date.now() + 50_000) };
  await db().question.createMany({
    data: [
      { ...question, ...times, projectId: ownProject, messageId: sessionId },
      { ...question, ...times, projectId: otherProject, messageId: randomUUID() },
    ],
  });
  const answers = (await summary()).waiting.filter(({ waiting_for: kind }) => kind === 'answer');
  expect(answers.map(({ subject, host_count: hosts, owner }) => ({ subject, hosts, owner }))).toEqual([
    { subject: ownProject, hosts: 3, owner: 'project' },
    { subject: otherProject, hosts: 3, owner: 'project' },
  ]);
});

it('the list has the progress of every session beside the IDs', async () => {
  await aSession();
  const reply = await apiOn(db()).http.get('/v1/maintenance').expect(200);
  const { session_id, sessions } = reply.body as SessionListBody;
  expect(session_id).toEqual([sessionId]);
  expect(sessions).toEqual([
    expect.objectContaining({ session_id: sessionId, progress: 'running', percent_done: 33, host_count: 3 }),
  ]);
  expect(sessions[0]?.seconds_left?.expected).toBeGreaterThan(0);
});

describe('the timeline', () => {
  it('tells of each host its times and its wait, and which instances are on hosts under work', async () => {
    await aSession({ maxParallelHosts: 2 });
    await db().sessionHost.updateMany({
      where: { hostname: 'compute-2' },
      data: { pastPhases: [{ phase: 'waiting', since: ago(90) }], drainStartedAt: ago(30) },
    });
    const { http } = apiOn(db());
    const reply = await http.get(`${session}/timeline`).expect(200);
    const { hosts, ...seen } = reply.body as SessionTimelineBody;
    expect(seen).toMatchObject({
      session: { workflow: 'vnf', max_parallel_hosts: 2 },
      instances: [{ host: 'compute-2', instance_name: 'vm-compute-2' }],
    });
    expect(hosts).toMatchObject([
      { hostname: 'compute-1', phase: 'maintained', past_phases: [], drain_started_at: null, waiting: null },
      {
        ...{ hostname: 'compute-2', phase: 'emptying', disabled: true },
        past_phases: [{ phase: 'waiting' }],
        drain_started_at: expect.any(String) as string,
        waiting: { waiting_for: 'answer', subject: ownProject },
      },
      { hostname: 'compute-3', phase: 'waiting', waiting: { waiting_for: 'answer', who: 'compute-3' } },
    ]);
    await http
      .get(`${session}/timeline`)
      .set('If-None-Match', reply.get('ETag') ?? '')
      .expect(304);
  });

  it('of a session that nobody knows is 404', async () => {
    await apiOn(db()).http.get(`${session}/timeline`).expect(404);
  });
});

describe('the detail', () => {
  it('is not sent again while only countdowns change', async () => {
    await aSession();
    const { http } = apiOn(db());
    const first = await http.get(`${session}/detail`).expect(200);
    const etag = first.get('ETag') ?? '';
    await db().$executeRaw`UPDATE question SET asked_at = asked_at`;
    await http.get(`${session}/detail`).set('If-None-Match', etag).expect(304);
    await db().sessionHost.updateMany({ where: { hostname: 'compute-3' }, data: { phase: 'skipped' } });
    const changed = await http.get(`${session}/detail`).set('If-None-Match', etag).expect(200);
    expect(changed.get('ETag')).not.toBe(etag);
  });

  it('is compressed for clients that take it, and only for them', async () => {
    await aSession();
    const { http } = apiOn(db());
    const packed = await http.get(`${session}/detail`).set('Accept-Encoding', 'gzip').expect(200);
    expect(packed.get('Content-Encoding')).toBe('gzip');
    const plain = await http.get(`${session}/detail`).set('Accept-Encoding', 'identity').expect(200);
    expect(plain.get('Content-Encoding')).toBeUndefined();
    expect(packed.body).toMatchObject({ session_id: sessionId });
  });

  it('shows the hosts that the query names, with what is on them', async () => {
    await aSession();
    const reply = await apiOn(db()).http.get(`${session}/detail?phase=waiting,emptying&limit=1`).expect(200);
    expect(reply.body).toMatchObject({
      hosts: [{ hostname: 'compute-2' }],
      instances: [{ instance_id: ownInstance }],
      page: { host_count: 2, after: 'compute-2' },
    });
  });
});

it('the stream of events is not compressed', async () => {
  const { http } = apiOn(db(), { stopping: AbortSignal.abort() });
  const reply = await http.get('/v1/events?from=now').set('Accept-Encoding', 'gzip').expect(200);
  expect(reply.get('Content-Encoding')).toBeUndefined();
});

describe('questions', () => {
  const questionsFor = async (token: string, query = ''): Promise<unknown> => {
    const { http } = apiOn(db(), { identity: tokenIdentity() });
    const reply = await http.get(`/v1/questions${query}`).set('X-Auth-Token', token).expect(200);
    return (reply.body as { questions: unknown }).questions;
  };

  it('are those that nobody has answered, for an admin all and for a project its own', async () => {
    await aSession();
    const question = {
      ...{ session_id: sessionId, project_id: ownProject, hostname: 'compute-2', instance_id: null },
      ...{ state: 'PLANNED_MAINTENANCE', instance_ids: [ownInstance], allowed_actions: ['MIGRATE'] },
    };
    const named = { instance_id: ownInstance, instance_name: 'vm-compute-2' };
    const forAdmin = { ...question, instances: [{ ...named, host: 'compute-2' }] };
    const forProject = { ...question, hostname: null, instances: [{ ...named, host: null }] };
    expect(await questionsFor('admin')).toEqual([expect.objectContaining(forAdmin)]);
    expect(await questionsFor('own')).toEqual([expect.objectContaining(forProject)]);
    expect(await questionsFor('other')).toEqual([]);
    await db().question.updateMany({ data: { status: 'answered' } });
    expect(await questionsFor('admin', `?project_id=${ownProject}`)).toEqual([]);
  });

  it('of a session say how they ended, by whom and when', async () => {
    await aSession();
    const ofSession = `?session_id=${sessionId}`;
    expect(await questionsFor('own', ofSession)).toMatchObject([{ settled: null }]);
    const [begunAt, at, endedAt] = [10, 11, 12].map((second) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)));
    await db().auditEntry.create({
      data: {
        ...{ requestId: randomUUID(), role: 'project', caller: 'web-manager', method: 'PUT', status: 200 },
        ...{
          path: `/v1/maintenance/${sessionId}/${ownProject.toUpperCase()}`,
          sessionId,
          begunAt: begunAt!,
          endedAt: endedAt!,
        },
      },
    });
    const settle = (data: Prisma.QuestionUpdateManyMutationInput) => db().question.updateMany({ data });
    await settle({ status: 'answered', answer: 'NACK', answeredAt: at! });
    const told = { answer: 'NACK', by: 'reply', who: 'web-manager', at: at!.toISOString() };
    expect(await questionsFor('own', ofSession)).toMatchObject([{ settled: told }]);
    expect(await questionsFor('other', ofSession)).not.toContainEqual(
      expect.objectContaining({ project_id: ownProject }),
    );
    await settle({ answeredBy: 'terms' });
    expect(await questionsFor('own', ofSession)).toMatchObject([{ settled: { by: 'terms', who: null } }]);
    await settle({ status: 'closed', answer: null, answeredBy: null, answeredAt: null, closedAt: endedAt! });
    const over = { answer: null, by: 'nobody', who: null, at: endedAt!.toISOString() };
    expect(await questionsFor('admin', ofSession)).toMatchObject([{ settled: over }]);
  });

  it('name their projects where the cloud tells it', async () => {
    await aSession();
    const projectNames = () => Promise.resolve(new Map([[ownProject, 'vepc']]));
    const { http } = apiOn(db(), { cloud: { ...createCloud(3), projectNames } });
    const reply = await http.get('/v1/questions').expect(200);
    expect(reply.body).toMatchObject({ questions: [{ project_id: ownProject, project_name: 'vepc' }] });
  });
});
