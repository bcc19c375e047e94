/** GET /v1/choices, who created a session, and the request for another one like it: what people plan from. */
import { apiOn, aSessionRequest, createCloud, ownInstance, tokenIdentity, useDatabase } from './api-under-test';

const { db } = useDatabase();
const admin = { 'X-Auth-Token': 'admin' };
const api = () => apiOn(db(), { identity: tokenIdentity() });

it('lists the hosts with what somebody wants to know who picks some, and counts instances where it is asked to', async () => {
  const cloud = createCloud(3, { 'compute-2': { zone: 'a', rack: 'r1' } });
  const { http } = apiOn(db(), { identity: tokenIdentity(), cloud });
  const plain = await http.get('/v1/choices').set(admin).expect(200);
  const counted = await http.get('/v1/choices?instances=true').set(admin).expect(200);
  const first = { hostname: 'compute-1', type: 'compute', zone: null, labels: {}, session_id: null, seems_gone: null };
  const enabled = { disabled: false, disabled_because: null };
  const { hosts } = plain.body as { hosts: unknown[] };
  expect(hosts[0]).toEqual({ ...first, ...enabled, instance_count: null });
  expect(hosts[1]).toMatchObject({ hostname: 'compute-2', zone: 'a', labels: { zone: 'a', rack: 'r1' } });
  expect(
    (counted.body as { hosts: { hostname: string; instance_count: number }[] }).hosts.map(
      ({ hostname, instance_count: count }) => [hostname, count],
    ),
  ).toEqual([
    ['compute-1', 2],
    ['compute-2', 0],
    ['compute-3', 0],
    ['controller-1', 0],
  ]);
});

it('tells who created a session, and the request for another one with all of its hosts', async () => {
  const { http } = api();
  const given = aSessionRequest({ hosts: ['compute-2', 'compute-1'], name: 'CHG-1207', max_failed_hosts: 1 });
  const created = await http.post('/v1/maintenance').set(admin).send(given).expect(200);
  const { session_id: id } = created.body as { session_id: string };
  await db().sessionHost.updateMany({ where: { sessionId: id, hostname: 'compute-1' }, data: { phase: 'maintained' } });
  const list = await http.get('/v1/maintenance').set(admin).expect(200);
  expect(list.body).toMatchObject({
    sessions: [{ session_id: id, created_by: expect.stringMatching(/^token /) as unknown }],
  });
  const request = await http.get(`/v1/maintenance/${id}/request`).set(admin).expect(200);
  expect(request.body).toMatchObject({ hosts: ['compute-1', 'compute-2'], name: 'CHG-1207', max_failed_hosts: 1 });
  await http.get(`/v1/maintenance/${ownInstance}/request`).set(admin).expect(404);
});
