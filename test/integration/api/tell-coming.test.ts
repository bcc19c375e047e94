/** Projects are told what is coming (maintenance.coming), over a real database. */
import { tellComing } from '../../../api/services/tell-coming';
import { createEventDrafts } from '../../../events/drafts';
import { releaseComingTurn, takeComingTurn } from '../../../prisma/coming/coming-turn';
import { databaseNow } from '../../../prisma/database';
import { keyOf } from '../../../rules/cloud/id';
import { apiOn, aSessionRequest, ownInstance, ownInstance2, ownProject, useDatabase } from './api-under-test';

const { db } = useDatabase();
const drafts = createEventDrafts({ serviceName: 'parley', adminProjectId: 'admin', baseUrl: 'http://parley.example' });

const start = (hours: number): string =>
  new Date(Math.ceil(Date.now() / 1000) * 1000 + hours * 3_600_000).toISOString();

const aService = () => {
  const { http, foretelling, logger, logged } = apiOn(db());
  const settings = { nackRetries: 2, nackRetrySeconds: 10, comingMovedSeconds: 600 };
  return {
    http,
    round: async (): Promise<void> => {
      await tellComing({ db: db(), drafts, settings, ends: foretelling.ends, logger });
      expect(logged).toEqual([]);
    },
    create: async (fields: Readonly<Record<string, unknown>> = {}): Promise<string> => {
      const request = aSessionRequest({
        ...{ workflow: 'vnf', actions: [{ plugin: 'dummy', type: 'host' }], maintenance_at: start(24) },
        ...fields,
      });
      const created = await http.post('/v1/maintenance').send(request).expect(200);
      return (created.body as { session_id: string }).session_id;
    },
  };
};

interface Told {
  readonly reason?: string;
  readonly coming: readonly { readonly instance_id: string; readonly change: string; readonly sequence: number }[];
}

const toldSoFar = async () => {
  const rows = await db().event.findMany({ where: { eventType: 'maintenance.coming' }, orderBy: { id: 'asc' } });
  expect(rows.every(({ projectId }) => projectId === ownProject)).toBe(true);
  return rows.map(({ payload }) => payload as unknown as Told);
};
const changesIn = ({ coming }: Told) => coming.map(({ change, sequence }) => [change, sequence]);

it('tells each project once of its instances that are scheduled', async () => {
  const { round, create } = aService();
  const sessionId = await create({ reason: 'a new kernel' });
  await Promise.all([round(), round()]);
  await round();
  const [told, ...more] = await toldSoFar();
  expect(more).toEqual([]);
  expect(told).toMatchObject({
    ...{ session_id: sessionId, project_id: ownProject, reason: 'a new kernel', state: 'COMING' },
    ...{ reply_url: '', reply_at: '' },
  });
  expect(told!.coming.map(({ instance_id: id }) => id).toSorted()).toEqual([ownInstance, ownInstance2]);
  expect(told!.coming[0]).toMatchObject({ change: 'scheduled', status: 'scheduled', impact: 'LIVE_MIGRATE' });
  expect(await db().toldComing.count()).toBe(2);
});

it('tells a start that moves, and nothing of one that moves little', async () => {
  const { http, round, create } = aService();
  const id = await create();
  await round();
  await http
    .patch(`/v1/maintenance/${id}`)
    .send({ maintenance_at: start(24.1) })
    .expect(200);
  await round();
  expect(await toldSoFar()).toHaveLength(1);
  await http
    .patch(`/v1/maintenance/${id}`)
    .send({ maintenance_at: start(26) })
    .expect(200);
  await round();
  const [, moved] = await toldSoFar();
  expect(changesIn(moved!)).toEqual([
    ['moved', 1],
    ['moved', 1],
  ]);
});

it('tells of a pause nothing, and of an abort that it is canceled', async () => {
  const { http, round, create } = aService();
  const id = await create();
  await round();
  await db().session.update({ where: { id }, data: { pausedAt: new Date() } });
  await round();
  expect(await toldSoFar()).toHaveLength(1);
  await db().session.update({ where: { id }, data: { abortRequestedAt: new Date() } });
  await round();
  const [, canceled, ...more] = await toldSoFar();
  expect(changesIn(canceled!)).toEqual([
    ['canceled', 1],
    ['canceled', 1],
  ]);
  await round();
  expect(more).toEqual([]);
  await http.get(`/v1/maintenance/${id}`).expect(200);
});

it('closes what was told of a session that is done', async () => {
  const { round, create } = aService();
  const id = await create();
  await round();
  const claim = { sessionId: id, instanceId: ownInstance, instanceName: 'vm', projectId: ownProject, groupKey: 'g' };
  const times = { startedAt: await databaseNow(db()), endedAt: await databaseNow(db()) };
  await db().claim.create({
    data: {
      ...{ ...claim, ...times, source: 'compute-1', target: 'compute-2', action: 'MIGRATE', amounts: {} },
      ...{ phase: 'closed', recoveryTime: 0, outcome: 'done' },
    },
  });
  await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_DONE' } });
  await round();
  const words = await db().toldComing.findMany({ select: { instanceId: true, status: true } });
  expect(words.toSorted((a, b) => a.instanceId.localeCompare(b.instanceId))).toEqual([
    { instanceId: ownInstance, status: 'completed' },
    { instanceId: ownInstance2, status: 'canceled' },
  ]);
  const [, over] = await toldSoFar();
  expect(over!.coming).toMatchObject([{ instance_id: ownInstance2, change: 'canceled' }]);
});

it('tells what a worker of an older version has left when it removed a session', async () => {
  const { round, create } = aService();
  const id = await create();
  await round();
  await db().session.update({ where: { id }, data: { deletedAt: new Date(), state: 'MAINTENANCE_FAILED' } });
  await db().toldComing.updateMany({ where: { instanceKey: keyOf(ownInstance) }, data: { status: 'failed' } });
  await round();
  await round();
  const [, left, ...more] = await toldSoFar();
  expect(changesIn(left!)).toEqual([
    ['canceled', 1],
    ['canceled', 1],
  ]);
  expect(more).toEqual([]);
});

it('tells a webhook only where it is named, since managers of old refuse what they do not know', async () => {
  const { http, round, create } = aService();
  const webhook = (data: object) =>
    db().webhook.create({ data: { url: 'https://a.example/', form: 'standard', eventTypes: [], ...data } });
  const planned = await webhook({ eventTypes: ['maintenance.planned'], projectId: ownProject });
  const named = await webhook({ eventTypes: ['maintenance.planned', 'maintenance.coming'], projectId: ownProject });
  await create();
  await round();
  const deliveries = await db().webhookDelivery.findMany({ select: { webhookId: true } });
  expect(deliveries).toEqual([{ webhookId: named.id }]);
  expect(deliveries).not.toContainEqual({ webhookId: planned.id });
  await http.get('/healthz').expect(200);
});

it('gives one process the turn, and another one when it is given back', async () => {
  const [one, other] = ['aaaaaaaa-0000-4000-8000-00000000000a', 'aaaaaaaa-0000-4000-8000-00000000000b'] as const;
  expect(await takeComingTurn(db(), one, 60_000)).toBe(true);
  expect(await takeComingTurn(db(), other, 60_000)).toBe(false);
  expect(await takeComingTurn(db(), one, 60_000)).toBe(true);
  await releaseComingTurn(db(), one);
  expect(await takeComingTurn(db(), other, 1)).toBe(true);
  await releaseComingTurn(db(), other);
});
