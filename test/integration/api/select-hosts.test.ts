/** Hosts of a session that are selected by their labels, when it is created and in its plan. */
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import { apiOn, aSessionRequest, createCloud, useDatabase } from './api-under-test';

const { db } = useDatabase();

const labels = {
  'compute-1': { zone: 'a', rack: 'r1' },
  'compute-2': { zone: 'a', rack: 'r2' },
  'compute-3': { zone: 'b', rack: 'r1' },
};
const api = () => apiOn(db(), { cloud: createCloud(3, labels) });
type Http = ReturnType<typeof apiOn>['http'];

/** A request without names of hosts. */
const selecting = (select: object, fields: Readonly<Record<string, unknown>> = {}) => {
  return { ...aSessionRequest({ ...fields, hosts: [] }), select };
};

const create = (http: Http, body: object, key = 'key-1') =>
  http.post('/v1/maintenance').set('Idempotency-Key', key).send(body);

const hostsOf = async (sessionId: string): Promise<string[]> =>
  (await db().sessionHost.findMany({ where: { sessionId }, orderBy: { hostname: 'asc' } })).map((one) => one.hostname);

it.each([
  { what: 'one zone', body: selecting({ labels: 'zone=a' }), hosts: ['compute-1', 'compute-2'] },
  { what: 'a set of racks', body: selecting({ labels: 'rack in (r1, r3),zone' }), hosts: ['compute-1', 'compute-3'] },
  { what: 'no such label', body: selecting({ labels: '!zone' }), hosts: ['controller-1'] },
  { what: 'all but one', body: selecting({ labels: 'zone=a', except: ['compute-1'] }), hosts: ['compute-2'] },
  {
    what: 'all of the cloud but some',
    body: selecting({ except: ['compute-1', 'controller-1'] }),
    hosts: ['compute-2', 'compute-3'],
  },
  {
    what: 'names beside a selector',
    body: { ...aSessionRequest({ hosts: ['controller-1'] }), select: { labels: 'zone=b' } },
    hosts: ['compute-3', 'controller-1'],
  },
])('a session takes $what, and its plan names the same', async ({ body, hosts }) => {
  const { http } = api();
  const plan = (await http.post('/v1/maintenance/plan').send(body).expect(200)).body as PlanBody;
  expect(plan.hosts.map(({ hostname }) => hostname).sort()).toEqual(hosts);
  expect(plan.request).not.toHaveProperty('select');
  expect([...(plan.request?.hosts ?? [])].sort()).toEqual(hosts);
  const created = (await create(http, body).expect(200)).body as { session_id: string; hosts: string[] };
  expect([...created.hosts].sort()).toEqual(hosts);
  expect(await hostsOf(created.session_id)).toEqual(hosts);
});

it('a request that names its hosts is answered as before', async () => {
  const reply = await create(api().http, aSessionRequest()).expect(200);
  expect(Object.keys(reply.body as object)).toEqual(['session_id']);
});

it.each(['/v1/maintenance', '/v1/maintenance/plan'])('an empty selection is 422 at %s, and names it', async (path) => {
  const { http } = api();
  const body = selecting({ labels: 'zone=c', except: ['compute-3'] });
  const reply = await http.post(path).send(body).expect(422);
  expect(reply.body).toMatchObject({
    code: 'NO_HOST_SELECTED',
    detail: 'no host of the cloud is selected by zone=c without compute-3; nothing was stored',
    errors: [{ pointer: '/select', message: 'selects no host; hosts have these labels: rack, zone' }],
  });
  expect(await db().session.count()).toBe(0);
});

it.each([
  { fault: 'a selector out of form', select: { labels: 'zone in a' }, pointer: '/select/labels', says: 'zone in a' },
  {
    fault: 'an exception that the cloud does not have',
    select: { except: ['nowhere'] },
    pointer: '/select/except/0',
    says: 'nowhere',
  },
  { fault: 'an unknown field', select: { zone: 'a' }, pointer: '/select/zone', says: '' },
])('$fault is 400', async ({ select, pointer, says }) => {
  const reply = await create(api().http, selecting(select)).expect(400);
  expect(reply.body).toMatchObject({ errors: [{ pointer, message: expect.stringContaining(says) as string }] });
});

it('a selected host of another session is refused with its name', async () => {
  const { http } = api();
  await create(http, aSessionRequest({ hosts: ['compute-2'] })).expect(200);
  const reply = await create(http, selecting({ labels: 'zone=a' }), 'key-2').expect(400);
  expect(reply.body).toMatchObject({
    code: 'HOSTS_IN_USE',
    errors: [{ pointer: '/select', message: expect.stringContaining('compute-2 belongs to') as string }],
  });
});

it('a repeated request gives the same session with the same hosts, also when their labels have changed', async () => {
  const body = selecting({ labels: 'zone=a' });
  const first = await create(api().http, body).expect(200);
  for (const changed of [{ 'compute-3': { zone: 'a' } }, {}]) {
    const { http } = apiOn(db(), { cloud: createCloud(3, changed) });
    const again = await create(http, body).expect(200);
    expect(again.body).toEqual(first.body);
  }
  expect(await db().session.count()).toBe(1);
  const { session_id: id } = first.body as { session_id: string };
  expect(await hostsOf(id)).toEqual(['compute-1', 'compute-2']);
});
