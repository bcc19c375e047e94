/**
 * Webhooks of a running service: deliveries, windows and their workflows are its own. A manager as it exists in the
 * field hears of a whole session by alarms, with neither Kafka nor a telemetry service; another project has a webhook
 * that never takes anything.
 */
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { asPython } from '../../field-client/alarm';
import { type FieldClient, plainHabits, startFieldClient } from '../../field-client/field-client';
import { eventually } from '../../waiting/eventually';
import { type Admin, anAdmin } from '../rig/admin';
import { endReplyWindows } from '../rig/reply-windows';
import { type Rig, startRig } from '../rig/rig';
import { type Receiver, startReceiver } from './receiver';

const told = aZone(0, {
  hosts: { a: { slots: 6 }, b: { slots: 6 } },
  instances: [[1, 'a']],
});
const untold = aZone(1, { hosts: { a: { slots: 6 }, b: { slots: 6 } }, instances: [[1, 'a']] });

let rig: Rig;
let admin: Admin;
let receiver: Receiver;
let broken: Receiver;
let client: FieldClient;
beforeAll(async () => {
  [receiver, broken] = await Promise.all([startReceiver(), startReceiver()]);
  broken.answer = () => ({ status: 500 });
  rig = await startRig({
    fleet: aFleetOfZones([told, untold]),
    environment: {
      PARLEY_PROJECT_EVENT_TYPE: 'maintenance.scheduled',
      PARLEY_WEBHOOK_ALLOW: `${receiver.url},${broken.url}`,
      PARLEY_WEBHOOK_WINDOW_SECONDS: '1',
      PARLEY_PROJECT_REPLY_SECONDS: '600',
    },
  });
  admin = anAdmin(rig.url);
  const projectId = told.project(1);
  const cloud = {
    ownInstanceIds: () => Promise.resolve([told.instance(1)]),
    scaleIn: () => Promise.reject(new Error('there is capacity enough')),
    scaleOut: () => Promise.resolve(),
  };
  const habits = { ...plainHabits, evaluate: asPython };
  client = await startFieldClient({
    serviceUrl: rig.url,
    projectId,
    groupId: told.group(1),
    cloud,
    habits,
    retryMs: 500,
  });
});
afterAll(async () => {
  await rig.stop();
  await client.close();
  await Promise.all([receiver.close(), broken.close()]);
});

const register = async (fields: Readonly<Record<string, unknown>>): Promise<string> => {
  const { status, body } = await admin.call('POST', '/webhooks', fields);
  expect(status).toBe(200);
  return (body as { id: string }).id;
};

const webhookOf = async (id: string) =>
  (await admin.call('GET', `/webhooks/${id}`)).body as Readonly<Record<string, unknown>>;

it('a manager of the field hears of its session by alarms alone, though its address fails at first', async () => {
  const metadata = { huge_pages: true, sizes: [1, null] };
  let failures = 1;
  receiver.answer = async ({ body }) => {
    failures -= 1;
    if (failures >= 0) return { status: 503 };
    const { status } = await fetch(client.alarmUrl, { method: 'POST', body });
    return { status };
  };
  const id = await register({ url: `${receiver.url}maintenance`, project_id: told.project(1), form: 'alarm' });
  const sessionId = await admin.create({ hosts: told.hostNames, metadata });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await eventually('all is delivered', async () => (await webhookOf(id))['pending'] === 0 || undefined);
  expect(client.failures).toEqual([]);
  expect(client.calls.filter(({ status }) => status !== 200)).toEqual([]);
  expect(client.told[0]).toBe('MAINTENANCE');
  expect(client.told).toContain('PLANNED_MAINTENANCE');
  expect(client.told.at(-1)).toBe('MAINTENANCE_COMPLETE');
  expect(client.hints).toEqual(client.told.map(() => ({ huge_pages: 1, sizes: [1, ''] })));
  const rows = await rig.db.event.findMany({
    where: { sessionId, eventType: 'maintenance.planned' },
    orderBy: { seq: 'asc' },
  });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect([...new Set(ids)]).toEqual(rows.map(({ messageId }) => messageId));
  expect(ids).toHaveLength(rows.length + 1);
});

it('a killed worker loses no delivery, a webhook that never takes anything delays its project alone', async () => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const before = receiver.received.length;
  receiver.answer = async () => {
    if (receiver.received.length === before + 1) await held;
    return { status: 200 };
  };
  const id = await register({ url: receiver.url, event_types: ['maintenance.session', 'maintenance.host'] });
  const brokenId = await register({ url: broken.url, project_id: untold.project(1) });
  const sessionId = await admin.create({ hosts: untold.hostNames, workflow: 'vnf' });
  await eventually('a delivery is under way', () => Promise.resolve(receiver.received.length > before || undefined));
  await rig.restartWorker();
  letGo();
  const asked = await eventually('the window of the question opens', async () => {
    const question = await rig.db.question.findFirst({ where: { sessionId, askedAt: { not: null } } });
    return question ?? undefined;
  });
  expect(asked.opensBy!.getTime()).toBeLessThanOrEqual(asked.askedAt!.getTime());
  expect(asked.replyAt!.getTime() - asked.askedAt!.getTime()).toBeGreaterThan(590_000);
  const webhook = await eventually('its webhook has been tried', async () => {
    const now = await webhookOf(brokenId);
    return now['last_error'] === null ? undefined : now;
  });
  expect(webhook).toMatchObject({ last_error: 'the receiver answered 500', given_up: 0, last_delivered_at: null });
  expect(webhook['pending']).toBeGreaterThan(0);
  expect(webhook['next_attempt_at']).not.toBeNull();
  await eventually({ what: 'the session is done without answers', ...admin.watching(sessionId) }, async () => {
    await endReplyWindows(rig, sessionId);
    return (await admin.stateOf(sessionId)) === 'MAINTENANCE_DONE' || undefined;
  });
  await eventually('all is delivered', async () => (await webhookOf(id))['pending'] === 0 || undefined);
  const ids = receiver.received.slice(before).map(({ headers }) => headers['webhook-id']);
  const rows = await rig.db.event.findMany({
    where: { sessionId, eventType: { in: ['maintenance.session', 'maintenance.host'] } },
    orderBy: { seq: 'asc' },
  });
  expect([...new Set(ids)]).toEqual(rows.map(({ messageId }) => messageId)); // in their order
  // Includes questions about single instances: the webhook of their project takes no event.
  const questions = await rig.db.question.findMany({ where: { sessionId } });
  expect(questions.some(({ instanceId }) => instanceId !== null)).toBe(true);
  expect(questions.filter(({ askedAt, opensBy }) => askedAt === null || opensBy === null)).toEqual([]);
});
