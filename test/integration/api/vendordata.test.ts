/** What Nova is told for the guest of an instance, over HTTP. */
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
const startsAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);

const tell = async (instances: readonly (readonly [id: string, status: string])[]): Promise<string> => {
  const created = await apiOn(db())
    .http.post('/v1/maintenance')
    .send(aSessionRequest({ reason: 'a new kernel' }))
    .expect(200);
  const sessionId = (created.body as { session_id: string }).session_id;
  const shared = { sessionId, projectId: ownProject, instanceName: 'vm', impact: 'LIVE_MIGRATE' };
  const times = { startsAt, latestAt: startsAt, endsAt: startsAt };
  await db().toldComing.createMany({
    data: instances.map(([instanceId, status]) => ({ ...shared, ...times, instanceId, status })),
  });
  return sessionId;
};

/** As Nova documents it; the project's ID as Keystone writes it. */
const asNova = (instanceId: string, projectId = ownProject) => ({
  ...{ 'project-id': projectId.replaceAll('-', ''), 'instance-id': instanceId, 'image-id': null },
  ...{ 'user-data': 'c2VjcmV0', hostname: 'vm', metadata: { role: 'web' }, 'boot-roles': 'member,reader' },
});

const ask = (body: object, token = 'admin') =>
  apiOn(db(), { identity: tokenIdentity() }).http.post('/v1/vendordata').set('X-Auth-Token', token).send(body);

it('tells what is coming for the instance', async () => {
  const sessionId = await tell([
    [ownInstance, 'scheduled'],
    [ownInstance2, 'executing'],
  ]);
  const time = startsAt.toISOString();
  expect((await ask(asNova(ownInstance)).expect(200)).body).toEqual({
    coming: [
      {
        ...{ session_id: sessionId, reason: 'a new kernel', status: 'scheduled', impact: 'LIVE_MIGRATE' },
        ...{ starts_at: time, starts_at_latest: time, sequence: 0 },
      },
    ],
  });
});

it('tells nothing of what is over, and nothing under another project', async () => {
  await tell([
    [ownInstance, 'canceled'],
    [ownInstance2, 'scheduled'],
  ]);
  expect((await ask(asNova(ownInstance)).expect(200)).body).toEqual({ coming: [] });
  expect((await ask(asNova(ownInstance2, otherProject)).expect(200)).body).toEqual({ coming: [] });
});

it('is for Nova with the token of an admin, and for the project of the instance', async () => {
  await ask(asNova(ownInstance), 'own').expect(200);
  expect((await ask(asNova(ownInstance), 'other')).body).toMatchObject({ status: 403, code: 'NOT_YOUR_PROJECT' });
  await ask(asNova(ownInstance), 'guessed').expect(401);
  expect((await ask({ 'project-id': ownProject })).body).toMatchObject({ status: 422 });
});

it('leaves no entry in the audit, because it changes nothing', async () => {
  const before = await db().auditEntry.count();
  await ask(asNova(ownInstance)).expect(200);
  expect(await db().auditEntry.count()).toBe(before);
});
