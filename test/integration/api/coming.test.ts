/** GET /v1/projects/{project_id}/coming, and the same of one instance, over HTTP. */
import type { ComingBody } from '../../../api/schemas/coming-schemas';
import {
  apiOn,
  aSessionRequest,
  otherProject,
  ownInstance,
  ownInstance2,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const reason = 'an update against a hole in the kernel';

const tomorrow = (): Date => new Date(Math.ceil(Date.now() / 1000) * 1000 + 86_400_000);

const request = (fields: Readonly<Record<string, unknown>> = {}) =>
  aSessionRequest({
    ...{ workflow: 'vnf', actions: [{ plugin: 'dummy', type: 'host' }], reason },
    ...fields,
  });

type Http = ReturnType<typeof apiOn>['http'];

const create = async (http: Http, fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
  const created = await http.post('/v1/maintenance').send(request(fields)).expect(200);
  return (created.body as { session_id: string }).session_id;
};

const comingOf = async (http: Http, path = ownProject): Promise<ComingBody['coming']> =>
  ((await http.get(`/v1/projects/${path}/coming`).expect(200)).body as ComingBody).coming;

it('tells a project what a session will do with its instances before it has asked anybody', async () => {
  const { http } = apiOn(db());
  const start = tomorrow();
  const until = new Date(start.getTime() + 3_600_000).toISOString();
  const id = await create(http, { maintenance_at: start.toISOString(), postpone: { until } });
  const coming = await comingOf(http);
  expect(coming.map(({ instance_id: instance }) => instance).toSorted()).toEqual([ownInstance, ownInstance2]);
  expect(coming[0]).toMatchObject({
    ...{ session_id: id, reason, status: 'scheduled', impact: 'LIVE_MIGRATE', not_before_latest: until },
    ...{ started_at: null, ended_at: null, not_before: null, reply_url: null },
  });
  const [first, second] = coming.map(({ starts_at: starts }) => starts!);
  expect(Date.parse(first!.earliest)).toBeGreaterThanOrEqual(start.getTime());
  expect(Date.parse(second!.expected)).toBeGreaterThan(Date.parse(first!.expected));
  expect(Date.parse(second!.latest)).toBeGreaterThanOrEqual(Date.parse(second!.expected));
});

it('follows the plan that an admin asks for, and does not plan for each project that looks', async () => {
  const { http } = apiOn(db());
  const id = await create(http, { maintenance_at: tomorrow().toISOString() });
  const before = await comingOf(http);
  expect((await comingOf(http)).map(({ starts_at: starts }) => starts)).toEqual(
    before.map(({ starts_at: starts }) => starts),
  );
  const plan = await http.get(`/v1/maintenance/${id}/plan`).expect(200);
  const planned = (plan.body as { moves: { instance_id: string; from: string }[] }).moves;
  const after = await comingOf(http);
  expect(after.map(({ starts_at: starts }) => starts!.expected)).toEqual(planned.map(({ from }) => from));
});

it('names the open question with its address, and the time that its project has set', async () => {
  const { http } = apiOn(db());
  const until = new Date(tomorrow().getTime() + 7_200_000).toISOString();
  const sessionId = await create(http, { postpone: { until } });
  const asked = { sessionId, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], windowSeconds: 20 };
  const notBefore = new Date(Date.now() + 3_600_000);
  await db().question.create({
    data: { ...asked, instanceIds: [ownInstance], messageId: ownInstance, notBeforeLatest: new Date(until) },
  });
  await db().question.create({
    data: {
      ...{ ...asked, instanceIds: [ownInstance2], messageId: ownInstance2, notBeforeLatest: new Date(until) },
      ...{ status: 'answered', answer: 'ACK', answeredAt: new Date(), closedAt: new Date() },
      times: { notBeforeMs: notBefore.getTime(), instanceNotBeforeMs: {} },
    },
  });
  const coming = new Map((await comingOf(http)).map((one) => [one.instance_id, one]));
  expect(coming.get(ownInstance)).toMatchObject({
    status: 'inquiring',
    reply_url: `http://parley.example:12347/v1/maintenance/${sessionId}/${ownProject}`,
  });
  expect(coming.get(ownInstance2)).toMatchObject({
    ...{ status: 'scheduled', reply_url: null, not_before: notBefore.toISOString(), not_before_latest: until },
  });
  expect(Date.parse(coming.get(ownInstance2)!.starts_at!.earliest)).toBeGreaterThanOrEqual(notBefore.getTime());
});

it('tells a project that the time which it sets is behind the deadline of the session', async () => {
  const { http } = apiOn(db());
  const deadline = tomorrow().toISOString();
  const until = new Date(tomorrow().getTime() + 7_200_000).toISOString();
  const sessionId = await create(http, { postpone: { until }, deadline });
  const asked = { sessionId, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], windowSeconds: 20 };
  await db().question.create({
    data: { ...asked, instanceIds: [ownInstance], messageId: ownInstance, notBeforeLatest: new Date(until) },
  });
  const questions = await http.get(`/v1/questions?project_id=${ownProject}`).expect(200);
  expect(questions.body).toMatchObject({ questions: [{ not_before_latest: until, deadline }] });
  const reply = (notBefore: string) =>
    http
      .put(`/v1/maintenance/${sessionId}/${ownProject}`)
      .send({ state: 'ACK_MAINTENANCE', not_before: notBefore })
      .expect(200);
  expect((await reply(deadline)).text).toBe('');
  const late = await reply(until);
  expect(late.body).toMatchObject({ deadline, warning: expect.stringContaining('deadline of the session') as string });
  const coming = (await comingOf(http)).find(({ instance_id: instance }) => instance === ownInstance);
  expect(coming).toMatchObject({ not_before: until, deadline });
});

it('tells of one instance alone at its own address, in any form of the ID', async () => {
  const { http } = apiOn(db());
  await create(http);
  const form = ownInstance.replaceAll('-', '').toUpperCase();
  expect(await comingOf(http, `${ownProject}/instances/${form}`)).toMatchObject([{ instance_id: ownInstance }]);
  expect(await comingOf(http, `${ownProject}/instances/${otherProject}`)).toEqual([]);
  await http.get(`/v1/projects/${ownProject}/instances/web-1/coming`).expect(400);
});

it('shows a project no host, and nothing of other projects', async () => {
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  await http.post('/v1/maintenance').set('X-Auth-Token', 'admin').send(request()).expect(200);
  const asOwn = await http.get(`/v1/projects/${ownProject}/coming`).set('X-Auth-Token', 'own').expect(200);
  expect((asOwn.body as ComingBody).coming).toHaveLength(2);
  expect(asOwn.text).not.toContain('compute-');
  const asOther = await http.get(`/v1/projects/${otherProject}/coming`).set('X-Auth-Token', 'other').expect(200);
  expect(asOther.body).toEqual({ project_id: otherProject, coming: [] });
  // An instance of another project has nothing coming under the own one.
  const path = `/v1/projects/${otherProject}/instances/${ownInstance}/coming`;
  expect((await http.get(path).set('X-Auth-Token', 'other').expect(200)).body).toMatchObject({ coming: [] });
});

it('tells of a paused session without times, and of an aborted one that it is canceled', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  const seen = { sessionId: id, instanceId: ownInstance, instanceName: 'vm', projectId: ownProject, state: 'ACTIVE' };
  await db().sessionInstance.create({ data: { ...seen, host: 'compute-1' } });
  await db().session.update({ where: { id }, data: { pausedAt: new Date() } });
  expect(await comingOf(http)).toMatchObject([{ status: 'scheduled', starts_at: null }]);
  await db().session.update({ where: { id }, data: { abortRequestedAt: new Date() } });
  expect(await comingOf(http)).toMatchObject([{ status: 'canceled', starts_at: null }]);
  await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_DONE' } });
  expect(await comingOf(http)).toEqual([]);
});

it('changes the reason by PATCH, and refuses one that nobody could read', async () => {
  const { http } = apiOn(db());
  const id = await create(http);
  const reasonNow = async () => (await comingOf(http))[0]?.reason;
  expect(await reasonNow()).toBe(reason);
  await http.patch(`/v1/maintenance/${id}`).send({ reason: 'a new kernel' }).expect(200);
  expect(await reasonNow()).toBe('a new kernel');
  for (const wrong of ['', 'a\nb', 'x'.repeat(201), 7]) {
    const refused = await http.patch(`/v1/maintenance/${id}`).send({ reason: wrong }).expect(422);
    expect(refused.body).toMatchObject({ errors: [{ pointer: '/reason' }] });
  }
  await http.patch(`/v1/maintenance/${id}`).send({ reason: null }).expect(200);
  expect(await reasonNow()).toBeNull();
});
