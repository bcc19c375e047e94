/** Azure's Scheduled Events of a project, over HTTP. */
import type { ScheduledEventsBody } from '../../../api/schemas/scheduled-event-schemas';
import { createReplies } from '../../../api/services/replies';
import { answerAcknowledged } from '../../../api/services/scheduled-events';
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
const own = `/v1/projects/${ownProject}`;
const startsAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
type Http = ReturnType<typeof apiOn>['http'];

const aSession = async (): Promise<string> => {
  const created = await apiOn(db())
    .http.post('/v1/maintenance')
    .send(aSessionRequest({ reason: 'a new kernel' }))
    .expect(200);
  return (created.body as { session_id: string }).session_id;
};

const tell = (sessionId: string, instanceId: string, fields: Readonly<Record<string, unknown>> = {}) =>
  db().toldComing.create({
    data: {
      ...{ sessionId, instanceId, projectId: ownProject, instanceName: `vm-${instanceId.slice(-1)}` },
      ...{ status: 'scheduled', startsAt, latestAt: startsAt, endsAt: new Date(startsAt.getTime() + 30_000) },
      ...fields,
    },
  });

const ask = (sessionId: string, fields: Readonly<Record<string, unknown>> = {}) =>
  db().question.create({
    data: {
      ...{ sessionId, projectId: ownProject, state: 'MAINTENANCE', allowedActions: [], windowSeconds: 20 },
      ...{ instanceIds: [ownInstance, ownInstance2], messageId: sessionId, askedAt: new Date() },
      ...{ replyAt: startsAt, actionsAt: startsAt },
      ...fields,
    },
  });

const pathOf = (answer: { readonly body: unknown }): string =>
  (answer.body as { url: string }).url.replace(/^http:\/\/[^/]+/, '');

const address = async (http: Http, owner = own): Promise<string> =>
  pathOf(await http.post(`${owner}/scheduledevents/address`).set('X-Auth-Token', 'own').expect(200));

const documentAt = async (http: Http, path: string): Promise<ScheduledEventsBody> =>
  (await http.get(path).set('Metadata', 'true').expect(200)).body as ScheduledEventsBody;

const answersSoFar = async () =>
  (await db().question.findMany({ orderBy: { createdAt: 'asc' } })).map(({ answer }) => answer);

it('shows what is coming to whoever has the address, in the form that agents read', async () => {
  const sessionId = await aSession();
  const { id } = await tell(sessionId, ownInstance, { impact: 'LIVE_MIGRATE' });
  await tell(sessionId, ownInstance2, { impact: 'MIGRATE', status: 'executing' });
  await tell(sessionId, otherProject, { projectId: otherProject });
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const { Events: events } = await documentAt(http, `${await address(http)}?api-version=2020-07-01`);
  const shared = { ResourceType: 'VirtualMachine', EventSource: 'Platform', Description: 'a new kernel' };
  expect(events).toEqual([
    {
      ...{ ...shared, EventId: id, EventType: 'Freeze', Resources: ['vm-1'], EventStatus: 'Scheduled' },
      ...{ NotBefore: startsAt.toUTCString(), DurationInSeconds: -1 },
    },
    {
      ...{ ...shared, EventId: events[1]!.EventId, EventType: 'Redeploy', Resources: ['vm-2'] },
      ...{ EventStatus: 'Started', NotBefore: '', DurationInSeconds: 30 },
    },
  ]);
});

it('changes the incarnation with each event that changes, and takes away what is over', async () => {
  const sessionId = await aSession();
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const path = await address(http);
  expect(await documentAt(http, path)).toEqual({ DocumentIncarnation: 0, Events: [] });
  await tell(sessionId, ownInstance);
  const before = await documentAt(http, path);
  expect(await documentAt(http, path)).toEqual(before);
  await db().$executeRaw`UPDATE told_coming SET status = 'canceled', revision = nextval('told_coming_revision_seq')`;
  const after = await documentAt(http, path);
  expect(after.Events).toEqual([]);
  expect(after.DocumentIncarnation).toBeGreaterThan(before.DocumentIncarnation);
});

it('agrees to a question when all of its instances are acknowledged, whatever the content type', async () => {
  const sessionId = await aSession();
  const [one, two] = [await tell(sessionId, ownInstance), await tell(sessionId, ownInstance2)];
  await ask(sessionId);
  const { http, workflowCalls } = apiOn(db(), { identity: tokenIdentity() });
  const path = await address(http);
  const start = ({ id }: { readonly id: string }) =>
    http
      .post(path)
      .set('Content-Type', 'application/octet-stream')
      .send(JSON.stringify({ StartRequests: [{ EventId: id }] }));
  await start(one).expect(200);
  expect(await answersSoFar()).toEqual([null]);
  await start(two).expect(200);
  expect(await answersSoFar()).toEqual(['ACK']);
  expect(workflowCalls.calls).toContain(`wakeSession ${sessionId}`);
  // Agents repeat it as long as they see the event.
  await start(two).expect(200);
});

it('answers a question that is asked after the acknowledgement', async () => {
  const sessionId = await aSession();
  const { id } = await tell(sessionId, ownInstance);
  const { http, workflowCalls, logger } = apiOn(db(), { identity: tokenIdentity() });
  await http
    .post(`${own}/instances/${ownInstance}/scheduledevents`)
    .set('X-Auth-Token', 'own')
    .send({ StartRequests: [{ EventId: id }] })
    .expect(200);
  await ask(sessionId, { instanceId: ownInstance, instanceIds: [ownInstance], state: 'PLANNED_MAINTENANCE' });
  await ask(sessionId, { messageId: ownInstance, instanceIds: [ownInstance], state: 'SCALE_IN' });
  const replies = createReplies({ db: db(), cloud: createCloud(1), workflowCalls, logger });
  await answerAcknowledged({ db: db(), replies, logger });
  expect(await answersSoFar()).toEqual(['ACK', null]);
});

it('does not answer again for a project that has refused since', async () => {
  const sessionId = await aSession();
  const { id } = await tell(sessionId, ownInstance);
  const { http, workflowCalls, logger } = apiOn(db(), { identity: tokenIdentity() });
  const path = await address(http);
  const start = () => http.post(path).send({ StartRequests: [{ EventId: id }] });
  await start().expect(200);
  const asked = { instanceIds: [ownInstance], state: 'MAINTENANCE' };
  await ask(sessionId, { ...asked, status: 'answered', answer: 'NACK', answeredAt: new Date() });
  await ask(sessionId, { ...asked, messageId: ownInstance });
  const replies = createReplies({ db: db(), cloud: createCloud(1), workflowCalls, logger });
  await answerAcknowledged({ db: db(), replies, logger });
  expect(await answersSoFar()).toEqual(['NACK', null]);
  await start().expect(200);
  expect(await answersSoFar()).toEqual(['NACK', 'ACK']);
});

it('leaves the questions of others to the round, which goes on where one cannot be answered', async () => {
  const sessionId = await aSession();
  await tell(sessionId, otherProject, { projectId: otherProject, acknowledgedAt: new Date() });
  await ask(sessionId, { projectId: otherProject, instanceIds: [otherProject] });
  const { id } = await tell(sessionId, ownInstance);
  const { http, workflowCalls, logger } = apiOn(db(), { identity: tokenIdentity() });
  await http
    .post(await address(http))
    .send({ StartRequests: [{ EventId: id }] })
    .expect(200);
  await ask(sessionId, { messageId: ownInstance, instanceIds: [ownInstance] });
  expect(await answersSoFar()).toEqual([null, null]);
  const replies = createReplies({ db: db(), cloud: createCloud(1), workflowCalls, logger });
  const take: typeof replies.take = (target, reply) =>
    target.projectId.text === otherProject
      ? Promise.reject(new Error('Temporal is away'))
      : replies.take(target, reply);
  await answerAcknowledged({ db: db(), replies: { take }, logger });
  expect(await answersSoFar()).toEqual([null, 'ACK']);
});

it('lets the address of one instance acknowledge that instance alone', async () => {
  const sessionId = await aSession();
  const [one, two] = [await tell(sessionId, ownInstance), await tell(sessionId, ownInstance2)];
  const other = await tell(sessionId, otherProject, { projectId: otherProject });
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const [ofInstance, ofProject] = [await address(http, `${own}/instances/${ownInstance}`), await address(http)];
  expect((await documentAt(http, ofInstance)).Events.map(({ EventId: id }) => id)).toEqual([one.id]);
  const start = (path: string, ids: readonly string[]) =>
    http.post(path).send({ StartRequests: ids.map((id) => ({ EventId: id })) });
  expect((await start(ofInstance, [one.id, two.id])).body).toMatchObject({ status: 404, code: 'UNKNOWN_EVENTS' });
  expect(await db().toldComing.count({ where: { acknowledgedAt: { not: null } } })).toBe(0);
  await start(ofInstance, [one.id]).expect(200);
  await start(ofProject, [other.id]).expect(404);
  await start(ofProject, [two.id]).expect(200);
  expect(await db().toldComing.count({ where: { acknowledgedAt: { not: null } } })).toBe(2);
});

it('does not let the address of the calendar acknowledge, and takes nothing after the withdrawal', async () => {
  const sessionId = await aSession();
  const { id } = await tell(sessionId, ownInstance);
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const calendar = pathOf(await http.post(`${own}/calendar`).set('X-Auth-Token', 'own').expect(200));
  const start = (path: string) => http.post(path).send({ StartRequests: [{ EventId: id }] });
  const secret = calendar.replace('/v1/calendars/', '').replace('.ics', '');
  await start(`/v1/scheduledevents/${secret}`).expect(404);
  const path = await address(http);
  await http.get(`/v1/calendars/${path.replace('/v1/scheduledevents/', '')}.ics`).expect(404);
  for (const wrong of [{}, { StartRequests: [] }, { StartRequests: [{ EventId: 'x' }] }]) {
    await http.post(path).send(wrong).expect(422);
  }
  await http.delete(`${own}/scheduledevents/address`).set('X-Auth-Token', 'own').expect(200);
  await start(path).expect(404);
  await http.get(path).expect(404);
  expect(await db().toldComing.count({ where: { acknowledgedAt: { not: null } } })).toBe(0);
});

it('records an acknowledgement in the audit as one of the project, without the secret', async () => {
  const sessionId = await aSession();
  const { id } = await tell(sessionId, ownInstance);
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const path = await address(http);
  await http
    .post(path)
    .send({ StartRequests: [{ EventId: id }] })
    .expect(200);
  const entry = await db().auditEntry.findFirstOrThrow({ orderBy: { id: 'desc' } });
  expect(entry).toMatchObject({
    ...{ role: 'project', caller: 'secret address', projectId: ownProject, status: 200 },
    ...{ route: '/v1/scheduledevents/{secret}', path: '/v1/scheduledevents/…' },
  });
});
