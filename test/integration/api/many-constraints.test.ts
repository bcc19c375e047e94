/** Constraints of many instances and groups in one request. */
import { randomUUID } from 'node:crypto';
import {
  apiOn,
  createCloud,
  group,
  groupConstraints,
  instanceConstraints,
  otherGroup,
  otherProject,
  ownInstance,
  ownInstance2,
  ownProject,
  tokenIdentity,
  useDatabase,
} from './api-under-test';

const { db } = useDatabase();
const asOwn = { 'X-Auth-Token': 'own' };

it('stores a group and its instances, and again without a change', async () => {
  const { http } = apiOn(db());
  const instances = [instanceConstraints(), instanceConstraints({ instance_id: ownInstance2 })];
  const many = { instance_groups: [groupConstraints()], instances };
  await http.put('/v1/constraints').send(many).expect(200, { stored: 3, failed: [] });
  await http
    .get(`/v1/instance_group/${group}`)
    .expect(200, { ...groupConstraints(), instance_ids: [ownInstance, ownInstance2] });
  await http.put('/v1/constraints').send(many).expect(200, { stored: 3, failed: [] });
  const rows = await db().instanceConstraint.findMany();
  expect(rows.map(({ updatedAt }) => updatedAt)).toEqual([null, null]);
});

it('tells each item that is not stored, and stores the others', async () => {
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const sent = {
    instance_groups: [groupConstraints({ group_id: otherGroup })],
    instances: [
      instanceConstraints(),
      instanceConstraints({ instance_id: ownInstance2, lead_time: -1, colour: 'red' }),
      instanceConstraints({ instance_id: randomUUID(), project_id: otherProject }),
      instanceConstraints({ instance_id: randomUUID(), group_id: otherGroup }),
      'nothing',
    ],
  };
  const reply = await http.put('/v1/constraints').set(asOwn).send(sent).expect(200);
  expect(reply.body).toMatchObject({
    stored: 1,
    failed: [
      { pointer: '/instance_groups/0', problem: { status: 403 } },
      {
        pointer: '/instances/1',
        problem: {
          status: 422,
          errors: [{ pointer: '/instances/1/colour' }, { pointer: '/instances/1/lead_time' }],
        },
      },
      { pointer: '/instances/2', problem: { status: 403 } },
      { pointer: '/instances/3', problem: { status: 422, errors: [{ pointer: '/instances/3/group_id' }] } },
      { pointer: '/instances/4', problem: { status: 422 } },
    ],
  });
  expect(await db().instanceConstraint.count()).toBe(1);
});

it.each([{ instances: 7 }, { instance: [] }, { instances: Array.from({ length: 1_001 }, () => ({})) }])(
  'refuses a request that has no such lists, and stores nothing',
  async (sent) => {
    await apiOn(db()).http.put('/v1/constraints').send(sent).expect(422);
    expect(await db().instanceConstraint.count()).toBe(0);
  },
);

it('asks the cloud once for the owners of many', async () => {
  const cloud = createCloud(1);
  const [findInstance, listInstances] = [jest.spyOn(cloud, 'findInstance'), jest.spyOn(cloud, 'listInstances')];
  const instances = Array.from({ length: 500 }, () => instanceConstraints({ instance_id: randomUUID() }));
  await apiOn(db(), { cloud }).http.put('/v1/constraints').send({ instances }).expect(200, { stored: 500, failed: [] });
  expect([findInstance.mock.calls.length, listInstances.mock.calls.length]).toEqual([0, 1]);
});

it('stores nothing while the cloud does not answer', async () => {
  const { http } = apiOn(db(), { cloudError: new Error('away') });
  const many = { instance_groups: [groupConstraints()], instances: [instanceConstraints()] };
  await http.put('/v1/constraints').send(many).expect(503);
  expect([await db().groupConstraint.count(), await db().instanceConstraint.count()]).toEqual([0, 0]);
});

it('answers each of many callers who store at the same time by itself', async () => {
  const { http } = apiOn(db(), { identity: tokenIdentity() });
  const ids = Array.from({ length: 30 }, () => randomUUID());
  const answers = await Promise.all(
    ids.map((id, position) => {
      const project_id = position % 3 === 0 ? otherProject : ownProject;
      const sent = instanceConstraints({ instance_id: id, project_id, group_id: randomUUID() });
      return http.put(`/v1/instance/${id}`).set(asOwn).send(sent);
    }),
  );
  expect(answers.map(({ status }) => status)).toEqual(ids.map((_, position) => (position % 3 === 0 ? 403 : 200)));
  expect(await db().instanceConstraint.count()).toBe(20);
});
