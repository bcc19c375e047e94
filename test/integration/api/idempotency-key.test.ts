/** Create requests that are repeated with the same Idempotency-Key. */
import { apiOn, aSessionRequest, tokenIdentity, useDatabase } from './api-under-test';

const { db } = useDatabase();

type Http = ReturnType<typeof apiOn>['http'];

const post = (http: Http, key: string, fields: Record<string, unknown> = {}) =>
  http.post('/v1/maintenance').set('Idempotency-Key', key).send(aSessionRequest(fields));

it('the same request gives the same session, whatever the order of its fields and what became of it', async () => {
  const { http, workflowCalls } = apiOn(db(), { maxSessions: 1 });
  const first = await post(http, 'key-1').expect(200);
  const { session_id: id } = first.body as { session_id: string };
  const fields = Object.entries(aSessionRequest()).reverse();
  const reordered = await http
    .post('/v1/maintenance')
    .set('Idempotency-Key', 'key-1')
    .send(Object.fromEntries(fields))
    .expect(200);
  expect(reordered.body).toEqual(first.body);
  await db().session.update({ where: { id }, data: { state: 'MAINTENANCE_DONE', deletedAt: new Date() } });
  const later = await post(http, 'key-1').expect(200);
  expect(later.body).toEqual(first.body);
  expect(workflowCalls.calls).toEqual([`start ${id}`]);
});

it('another request with the same key is 400 and stores nothing', async () => {
  const { http } = apiOn(db());
  const first = await post(http, 'key-1').expect(200);
  const reply = await post(http, 'key-1', { hosts: ['compute-2'] }).expect(400);
  expect(reply.body).toMatchObject({
    code: 'IDEMPOTENCY_KEY_USED',
    detail: expect.stringContaining((first.body as { session_id: string }).session_id) as string,
    errors: [{ pointer: '#header/Idempotency-Key' }],
  });
  expect(await db().session.count()).toBe(1);
});

it('a request that was refused leaves its key free', async () => {
  const { http } = apiOn(db());
  await post(http, 'key-1', { hosts: ['nowhere'] }).expect(400);
  await post(http, 'key-1').expect(200);
});

it('of many at once one creates the session, and all get it', async () => {
  const { http, workflowCalls } = apiOn(db());
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(http, 'key-1')));
  expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
  expect(workflowCalls.calls).toHaveLength(1);
});

it.each(['', 'with a space', 'ü', 'x'.repeat(256)])('%p is no key', async (key) => {
  const { http } = apiOn(db());
  const reply = await post(http, key).expect(400);
  expect(reply.body).toMatchObject({ errors: [{ pointer: '#header/Idempotency-Key' }] });
  expect(await db().session.count()).toBe(0);
});

it('callers have keys of their own, and other keys are other sessions', async () => {
  const { http } = apiOn(db());
  const asAdmin = apiOn(db(), { identity: tokenIdentity() }).http;
  const one = await post(http, 'key-1').expect(200);
  const other = await post(http, 'key-2', { hosts: ['compute-2'] }).expect(200);
  const third = await post(asAdmin, 'key-1', { hosts: ['compute-3'] })
    .set('X-Auth-Token', 'admin')
    .expect(200);
  expect(new Set([one, other, third].map(({ text }) => text)).size).toBe(3);
});
