/** Limits on hosts under work at once over labels of hosts: in sessions, in changes of them, and in plans. */
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import { apiOn, aSessionRequest, createCloud, useDatabase } from './api-under-test';

const { db } = useDatabase();

const labels = { 'compute-1': { zone: 'a' }, 'compute-2': { zone: 'a' }, 'compute-3': { zone: 'b' } };
const api = () => apiOn(db(), { cloud: createCloud(3, labels) });
const aRequest = (fields: Readonly<Record<string, unknown>> = {}) =>
  aSessionRequest({
    ...{ workflow: 'vnf', hosts: ['compute-1', 'compute-2', 'compute-3'] },
    actions: [{ plugin: 'dummy', type: 'host', metadata: { seconds: 600 } }],
    ...fields,
  });

const perZone = { max_parallel_per: { zone: 1 }, one_domain_at_a_time: 'rack' };

it('a session has them, shows them, and another one like it as well; PATCH changes and takes them away', async () => {
  const { http } = api();
  const { session_id: id } = (await http.post('/v1/maintenance').send(aRequest(perZone)).expect(200)).body as {
    session_id: string;
  };
  const detail = await http.get(`/v1/maintenance/${id}/detail`).expect(200);
  expect(detail.body).toMatchObject({ session: perZone });
  expect((await http.get(`/v1/maintenance/${id}/request`).expect(200)).body).toMatchObject(perZone);
  const change = (body: object) => http.patch(`/v1/maintenance/${id}`).send(body);
  const changed = await change({ max_parallel_per: { zone: 2, rack: 1 }, one_domain_at_a_time: null }).expect(200);
  expect(changed.body).toMatchObject({ max_parallel_per: { zone: 2, rack: 1 }, one_domain_at_a_time: null });
  expect((await change({ max_parallel_per: null }).expect(200)).body).toMatchObject({ max_parallel_per: null });
});

it.each([
  { field: 'max_parallel_per', value: { zone: 1 } },
  { field: 'one_domain_at_a_time', value: 'zone' },
])('$field is refused where one host follows the other anyway', async ({ field, value }) => {
  const body = aRequest({ workflow: 'default', [field]: value });
  const reply = await api().http.post('/v1/maintenance').send(body).expect(400);
  expect(reply.body).toMatchObject({ errors: [{ pointer: `/${field}` }] });
});

const emptyCloud = {
  ...createCloud(3, labels),
  listInstances: () => Promise.resolve([]),
  whatIsOn: () => Promise.resolve({ instances: [], doubts: [] }),
};

const overlap = (plan: PlanBody, one: string, other: string): boolean => {
  const [first, second] = [one, other].map((name) => plan.hosts.find(({ hostname }) => hostname === name)?.maintenance);
  if (!first || !second) throw new Error('the plan does not maintain both');
  return Date.parse(first.from) < Date.parse(second.to) && Date.parse(second.from) < Date.parse(first.to);
};

it.each([
  { fields: {}, sameZone: true, otherZone: true },
  { fields: { max_parallel_per: { zone: 1 } }, sameZone: false, otherZone: true },
  { fields: { one_domain_at_a_time: 'zone' }, sameZone: undefined, otherZone: false },
])('a plan keeps $fields', async ({ fields, sameZone, otherZone }) => {
  const { http } = apiOn(db(), { cloud: emptyCloud });
  const plan = (await http.post('/v1/maintenance/plan').send(aRequest(fields)).expect(200)).body as PlanBody;
  expect(plan.completes).toBe(true);
  const isSame = overlap(plan, 'compute-1', 'compute-2');
  expect(sameZone ?? isSame).toBe(isSame);
  expect(overlap(plan, 'compute-1', 'compute-3') || overlap(plan, 'compute-2', 'compute-3')).toBe(otherZone);
});
