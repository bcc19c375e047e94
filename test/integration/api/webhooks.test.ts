import type { WebhookBody } from '../../../api/schemas/webhook-schemas';
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import { recordProgress, recordSession } from '../events/recorded-facts';
import { apiOn, nobody, otherProject, ownProject, useDatabase } from './api-under-test';

const problem = (status: number, code: string) => ({ status, code });

const { db } = useDatabase();
const allowed = ['https://vnfm.example.org/', 'https://*.tenants.example.org/in/', 'http://169.254.1.1/'];
const api = () => apiOn(db(), { webhookAllow: allowed.map((text) => parseAllowedSource(text)!) });

const url = 'https://vnfm.example.org/parley?token=hunter2';

const create = async (fields: object = {}) => {
  const reply = await api()
    .http.post('/v1/webhooks')
    .send({ url, ...fields })
    .expect(200);
  return reply.body as WebhookBody & { readonly secret: string };
};

describe('registering a webhook', () => {
  it('answers with its record and its secret, which nothing shows again', async () => {
    const { secret, ...webhook } = await create({ project_id: ownProject });
    expect(secret).toMatch(/^whsec_/);
    expect(webhook).toMatchObject({
      url,
      event_types: ['maintenance.planned'],
      project_id: ownProject,
      form: 'standard',
      enabled: true,
      pending: 0,
      last_error: null,
    });
    const { http, logged } = api();
    const list = await http.get('/v1/webhooks').expect(200);
    expect(list.body).toEqual({ webhooks: [webhook] });
    const detail = await http.get(`/v1/webhooks/${webhook.id.toUpperCase()}`).expect(200);
    expect(detail.body).toEqual({ ...webhook, deliveries: [], given_up_deliveries: [] });
    const changed = await http.patch(`/v1/webhooks/${webhook.id}`).send({ form: 'alarm' }).expect(200);
    const entries = await http.get('/v1/audit').expect(200);
    for (const text of [list.text, detail.text, changed.text, entries.text, logged.join()]) {
      expect(text).not.toContain(secret);
    }
    expect(entries.text).toContain('/v1/webhooks/{webhook_id}');
  });

  it('is told all events where no project and no types are named', async () => {
    const { event_types } = await create();
    expect(event_types).toEqual(['maintenance.host', 'maintenance.session', 'maintenance.planned']);
  });

  it('is 400 where the service allows no address, and names the setting', async () => {
    const reply = await apiOn(db()).http.post('/v1/webhooks').send({ url }).expect(400);
    expect(reply.body).toMatchObject({
      ...problem(400, 'INVALID_REQUEST'),
      errors: [{ pointer: '/url', message: expect.stringContaining('PARLEY_WEBHOOK_ALLOW') as unknown }],
    });
  });

  it.each([
    { fields: { url: 'https://vnfm.example.org.evil.example/' }, pointer: '/url', message: /not under an address/ },
    { fields: { url: 'http://vnfm.example.org/' }, pointer: '/url', message: /not under an address/ },
    { fields: { url: 'https://tenants.example.org/in/' }, pointer: '/url', message: /not under an address/ },
    { fields: { url: 'https://a.tenants.example.org/out/' }, pointer: '/url', message: /not under an address/ },
    { fields: { url: 'https://me:hunter2@vnfm.example.org/' }, pointer: '/url', message: /user name or password/ },
    { fields: { url: `${url}#part` }, pointer: '/url', message: /fragment/ },
    { fields: { url: 'https://127.0.0.1/' }, pointer: '/url', message: /not under an address/ },
    { fields: { url: '' }, pointer: '/url', message: /empty/ },
    { fields: { event_types: [] }, pointer: '/event_types', message: /must not be empty/ },
    { fields: { event_types: ['maintenance.other'] }, pointer: '/event_types/0', message: /one of/ },
    {
      fields: { project_id: ownProject, event_types: ['maintenance.host'] },
      pointer: '/event_types',
      message: /maintenance.planned or maintenance.coming for the webhook of a project/,
    },
    { fields: { project_id: 'mine' }, pointer: '/project_id', message: /UUID/ },
    { fields: { form: 'xml' }, pointer: '/form', message: /one of standard, cloudevents, alarm/ },
    { fields: { secret: 'mine' }, pointer: '/secret', message: /not a known field/ },
  ])('is 400 for $fields', async ({ fields, pointer, message }) => {
    const reply = await api()
      .http.post('/v1/webhooks')
      .send({ url, ...fields })
      .expect(400);
    const { errors } = reply.body as { errors: { pointer: string; message: string }[] };
    expect(errors).toContainEqual({ pointer, message: expect.stringMatching(message) as unknown });
    expect(await db().webhook.count()).toBe(0);
  });

  it('takes an address that is listed itself, whatever it is', async () => {
    await create({ url: 'http://169.254.1.1/events' });
  });
});

describe('changing a webhook', () => {
  it('changes what is named: two admins at once do not undo each other', async () => {
    const { id } = await create();
    const changes = [{ form: 'cloudevents' }, { enabled: false }, { event_types: ['maintenance.host'] }];
    const replies = await Promise.all(changes.map((change) => api().http.patch(`/v1/webhooks/${id}`).send(change)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    const reply = await api().http.get(`/v1/webhooks/${id}`).expect(200);
    expect(reply.body).toMatchObject({ form: 'cloudevents', enabled: false, event_types: ['maintenance.host'] });
  });

  it.each([
    { change: { url: 'https://elsewhere.example/' }, pointer: '/url' },
    { change: { event_types: ['maintenance.session'] }, pointer: '/event_types' },
    { change: { project_id: otherProject }, pointer: '/project_id' },
    { change: { enabled: 'yes' }, pointer: '/enabled' },
  ])('is 422 for $change, and changes nothing', async ({ change, pointer }) => {
    const { id } = await create({ project_id: ownProject });
    const before = await db().webhook.findUniqueOrThrow({ where: { id } });
    const reply = await api()
      .http.patch(`/v1/webhooks/${id}`)
      .send({ form: 'alarm', ...change })
      .expect(422);
    expect((reply.body as { errors: { pointer: string }[] }).errors.map((error) => error.pointer)).toEqual([pointer]);
    expect(await db().webhook.findUniqueOrThrow({ where: { id } })).toEqual(before);
  });

  it('gives a new secret, once, and keeps one old one for a time', async () => {
    const { id, secret } = await create();
    for (const round of [1, 2]) {
      const body = { keep_old_seconds: 60 * round };
      const reply = await api().http.post(`/v1/webhooks/${id}/secret`).send(body).expect(200);
      expect((reply.body as { secret: string }).secret).not.toBe(secret);
    }
    await api().http.post(`/v1/webhooks/${id}/secret`).send({ keep_old_seconds: -1 }).expect(422);
    expect(await db().webhookSecret.count({ where: { webhookId: id } })).toBe(2);
  });

  it('replays what was given up, and tells how much that is', async () => {
    const { id } = await create();
    const sessionId = await recordSession(db());
    await recordProgress(db(), sessionId, 50);
    const error = 'the receiver answered 500';
    await db().webhookDelivery.updateMany({ data: { givenUpAt: new Date(), attempts: 40, lastError: error } });
    await db().webhook.update({ where: { id }, data: { givenUp: 1 } });
    const { http } = api();
    const before = await http.get(`/v1/webhooks/${id}`).expect(200);
    expect(before.body).toMatchObject({
      ...{ pending: 0, given_up: 1, deliveries: [] },
      given_up_deliveries: [{ session_id: sessionId, attempts: 40, last_error: error, next_attempt_at: null }],
    });
    expect((await http.post(`/v1/webhooks/${id}/replay`).expect(200)).body).toEqual({ replayed: 1 });
    const after = await http.get(`/v1/webhooks/${id}`).expect(200);
    expect(after.body).toMatchObject({ pending: 1, given_up: 0, given_up_deliveries: [] });
    expect((await http.post(`/v1/webhooks/${id}/replay`).expect(200)).body).toEqual({ replayed: 0 });
    await http.post(`/v1/webhooks/${nobody}/replay`).expect(404);
  });

  it('deletes it with its secret, once', async () => {
    const { id } = await create();
    await api().http.delete(`/v1/webhooks/${id}`).expect(200);
    await api().http.delete(`/v1/webhooks/${id}`).expect(404);
    expect(await db().webhookSecret.count()).toBe(0);
  });

  it.each(['get', 'patch', 'delete'] as const)('is 404 for one that is not there (%s)', async (method) => {
    const reply = await api().http[method](`/v1/webhooks/${nobody}`).expect(404);
    expect(reply.body).toMatchObject(problem(404, 'WEBHOOK_NOT_FOUND'));
  });
});
