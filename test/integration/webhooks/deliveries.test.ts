/** Deliveries to a real receiver, without workflows: who calls `deliver` again plays their timers. */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { Webhook } from 'standardwebhooks';
import type { Services } from '../../../activities/services';
import { sweepWebhooks } from '../../../activities/webhooks/sweep-webhooks';
import { toEnvelope } from '../../../events/envelope';
import { createPublisher } from '../../../events/publisher';
import { type OpenedReplyWindow, releaseReplyWindows } from '../../../events/reply-windows';
import { createDeliveries, type LaneWait } from '../../../events/webhooks/deliver-lane';
import { createReceiverPolicy } from '../../../events/webhooks/receivers';
import { newSecret } from '../../../events/webhooks/signature';
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import { resolveHost } from '../../../plugins/addresses/resolve-host';
import { databaseNow } from '../../../prisma/database';
import {
  findOverdueLanes,
  findUntriedLanes,
  type Lane,
  removeOldGivenUp,
  replayDeliveries,
} from '../../../prisma/webhooks/deliveries';
import {
  changeWebhook,
  createWebhook,
  findWebhook,
  type NewWebhook,
  removeWebhook,
  replaceSecret,
} from '../../../prisma/webhooks/webhooks';
import { noMeasures } from '../../../telemetry/metrics/measures';
import { specifiedNames } from '../../builders/wire-names';
import { longestMs } from '../../waiting/eventually';
import { recordManyEvents, recordProgress, recordQuestion, recordSession } from '../events/recorded-facts';
import { createRecordingBus, messageIdsOf, type RecordingBus, withoutRepeats } from '../events/recording-bus';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';
import { type Receiver, startReceiver } from './receiver';

const silent = pino({ level: 'silent' });
const names = { ...specifiedNames, cloudEventsPrefix: 'org.example', baseUrl: 'http://parley.example' };

let database: TestDatabase;
let receiver: Receiver;
let bus: RecordingBus;
let results: string[];
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  receiver = await startReceiver();
  bus = createRecordingBus();
  results = [];
});
afterEach(async () => {
  await receiver.close();
  await database.db.$executeRaw`TRUNCATE session, event, webhook, webhook_secret CASCADE`;
});
afterAll(() => database.drop());

const deliver = async (
  { webhookId, sessionId }: Lane,
  { opened = [], signal = new AbortController().signal }: { opened?: OpenedReplyWindow[]; signal?: AbortSignal } = {},
): Promise<LaneWait> => {
  const sources = [parseAllowedSource(receiver.url)!];
  const deliveries = createDeliveries({
    db: database.db,
    names,
    logger: silent,
    measures: { ...noMeasures, webhookDelivered: (result) => void results.push(result) },
    receivers: {
      policy: createReceiverPolicy({ sources, networks: [] }),
      ...{ resolveHost, proxies: {}, proxyResolves: false },
      attemptMs: longestMs,
    },
  });
  return deliveries.deliver(
    { webhookId, sessionId },
    {
      signal,
      opened: (windows) => {
        opened.push(...windows);
        return Promise.resolve();
      },
    },
  );
};

const publish = (sessionId: string, webhookSeconds = 60): Promise<void> =>
  createPublisher({ db: database.db, bus, names: specifiedNames, logger: silent, webhookSeconds }).publish(sessionId);

const aWebhook = async (changes: Partial<NewWebhook> = {}): Promise<{ id: string; secret: string }> => {
  const secret = newSecret();
  const eventTypes = ['maintenance.host', 'maintenance.session', 'maintenance.planned'];
  const webhook = { url: receiver.url, eventTypes, projectId: null, form: 'standard', enabled: true, secret } as const;
  const { id } = await createWebhook(database.db, { ...webhook, ...changes });
  return { id, secret };
};

const webhookIdsReceived = (): (string | string[] | undefined)[] =>
  receiver.received.map(({ headers }) => headers['webhook-id']);

/** Makes its next attempt due. */
const makeDue = async (webhookId: string): Promise<void> => {
  await database.db.webhookDelivery.updateMany({
    where: { webhookId, attempts: { gt: 0 } },
    data: { nextAttemptAt: new Date(0) },
  });
  await database.db.webhook.updateMany({ data: { slowUntil: null } });
};

/** Keeps the next attempt, if it has a time, from being due until `makeDue`. */
const postponeAttempts = (webhookId: string) =>
  database.db.$executeRaw`
    UPDATE webhook_delivery SET next_attempt_at = next_attempt_at + interval '1 hour'
    WHERE webhook_id = ${webhookId}::uuid`;

const pendingOf = (webhookId: string) => database.db.webhookDelivery.count({ where: { webhookId } });
const questionOf = (messageId: string) => database.db.question.findUniqueOrThrow({ where: { messageId } });

describe('a webhook', () => {
  it('is told the events of its registration on, in their order, signed, once', async () => {
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    const { id: webhookId, secret } = await aWebhook();
    const told = await recordManyEvents(database.db, sessionId, 3);
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(webhookIdsReceived()).toEqual(told);
    const events = await database.db.event.findMany({ where: { sessionId }, orderBy: { seq: 'asc' } });
    const bodies = receiver.received.map(({ body, headers }) =>
      new Webhook(secret).verify(body, headers as Record<string, string>),
    );
    expect(bodies).toEqual(events.slice(1).map((row) => toEnvelope(row, names)));
    expect(receiver.received[0]?.headers['content-type']).toBe('application/json');
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(receiver.received).toHaveLength(3);
  });

  it.each([
    { what: 'of its types', changes: { eventTypes: ['maintenance.planned'] }, told: 0 },
    { what: 'of its project', changes: { projectId: randomUUID() }, told: 0 },
    { what: 'of any project', changes: {}, told: 1 },
    { what: 'while it is enabled', changes: { enabled: false }, told: 0 },
  ])('is told events $what', async ({ changes, told }) => {
    const { id } = await aWebhook(changes);
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    expect(await pendingOf(id)).toBe(told);
  });

  it('of a project is told its questions alone, whatever the form of the ID', async () => {
    const projectId = randomUUID();
    const { id: webhookId } = await aWebhook({ projectId: projectId.replaceAll('-', '').toUpperCase() });
    const sessionId = await recordSession(database.db);
    await recordQuestion(database.db, { sessionId });
    const own = await recordQuestion(database.db, { sessionId, projectId });
    await deliver({ webhookId, sessionId });
    expect(webhookIdsReceived()).toEqual([own]);
  });

  it('gets a CloudEvent in that form', async () => {
    const { id: webhookId } = await aWebhook({ form: 'cloudevents' });
    const sessionId = await recordSession(database.db);
    const messageId = await recordProgress(database.db, sessionId, 50);
    await deliver({ webhookId, sessionId });
    const [{ headers, body } = { headers: {}, body: '' }] = receiver.received;
    expect(headers['content-type']).toBe('application/cloudevents+json; charset=UTF-8');
    expect(JSON.parse(body)).toMatchObject({ specversion: '1.0', id: messageId, sessionid: sessionId });
  });

  it('is signed for with both secrets while one is replaced', async () => {
    const { id: webhookId, secret: old } = await aWebhook();
    const fresh = newSecret();
    await replaceSecret(database.db, { id: webhookId, secret: fresh, keepOldSeconds: 60 });
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 1);
    await deliver({ webhookId, sessionId });
    const [{ body, headers } = { body: '', headers: {} }] = receiver.received;
    for (const secret of [old, fresh]) new Webhook(secret).verify(body, headers as Record<string, string>);
    await replaceSecret(database.db, { id: webhookId, secret: newSecret(), keepOldSeconds: 0 });
    await recordProgress(database.db, sessionId, 2);
    await deliver({ webhookId, sessionId });
    expect(String(receiver.received[1]?.headers['webhook-signature']).split(' ')).toHaveLength(1);
  });
});

describe('a receiver that fails', () => {
  it('holds up the later events of the session, and no other session; then all come in order', async () => {
    const { id: webhookId } = await aWebhook();
    const [one, other] = [await recordSession(database.db), await recordSession(database.db)];
    const told = await recordManyEvents(database.db, one, 2);
    const elsewhere = await recordProgress(database.db, other, 0);
    receiver.answer = ({ headers }) => ({ status: headers['webhook-id'] === elsewhere ? 200 : 500 });
    expect(await deliver({ webhookId, sessionId: one })).toEqual({ waitMs: 2_000 });
    await postponeAttempts(webhookId);
    expect(await deliver({ webhookId, sessionId: other })).toEqual({});
    const { waitMs = 0 } = await deliver({ webhookId, sessionId: one });
    expect(waitMs).toBeGreaterThan(0);
    expect(webhookIdsReceived()).toEqual([told[0], elsewhere]);
    expect(await findWebhook(database.db, webhookId)).toMatchObject({ lastError: 'the receiver answered 500' });
    receiver.answer = () => ({ status: 204 });
    await makeDue(webhookId);
    expect(await deliver({ webhookId, sessionId: one })).toEqual({});
    expect(webhookIdsReceived()).toEqual([told[0], elsewhere, ...told]);
    expect(results).toEqual(['failed', 'ok', 'ok', 'ok']);
  });

  it('is sent the same event again with a new time and signature, after a kill before it was recorded', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    const messageId = await recordProgress(database.db, sessionId, 0);
    const killed = new AbortController();
    receiver.answer = () => {
      killed.abort(new Error('killed'));
      return { status: 200 };
    };
    await expect(deliver({ webhookId, sessionId }, { signal: killed.signal })).rejects.toThrow('killed');
    receiver.answer = () => ({ status: 200 });
    await deliver({ webhookId, sessionId });
    expect(webhookIdsReceived()).toEqual([messageId, messageId]);
    expect(await pendingOf(webhookId)).toBe(0);
  });

  it('is left alone for all sessions where it asks for less', async () => {
    const { id: webhookId } = await aWebhook();
    const [one, other] = [await recordSession(database.db), await recordSession(database.db)];
    await recordProgress(database.db, one, 0);
    await recordProgress(database.db, other, 0);
    receiver.answer = () => ({ status: 429, headers: { 'Retry-After': '1200' } });
    expect(await deliver({ webhookId, sessionId: one })).toEqual({ waitMs: 1_200_000 });
    const { waitMs = 0 } = await deliver({ webhookId, sessionId: other });
    expect(waitMs).toBeGreaterThan(600_000);
    expect(receiver.received).toHaveLength(1);
    expect(await findOverdueLanes(database.db, 0)).toEqual([]);
  });

  it('is switched off by 410, and keeps what is pending until it is switched on', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    await recordProgress(database.db, sessionId, 0);
    receiver.answer = () => ({ status: 410 });
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    const off = await findWebhook(database.db, webhookId);
    expect(off).toMatchObject({ enabled: false, offBecause: expect.stringContaining('410') as unknown });
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(receiver.received).toHaveLength(1);
    receiver.answer = () => ({ status: 200 });
    await changeWebhook(database.db, { id: webhookId, change: { enabled: true }, check: () => undefined });
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(receiver.received).toHaveLength(2);
    expect(await findWebhook(database.db, webhookId)).toMatchObject({ enabled: true, offBecause: null });
  });

  it.each([
    { status: 410, attempts: 0 },
    { status: 429, attempts: 0 },
    { status: 500, attempts: 8 },
  ])('with $status does not undo a repair that came while it was asked', async ({ status, attempts }) => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    const messageId = await recordProgress(database.db, sessionId, 0);
    await database.db.webhookDelivery.updateMany({ data: { attempts, nextAttemptAt: new Date(0) } });
    const repair = { url: `${receiver.url}repaired` };
    receiver.answer = async ({ path }) => {
      if (path === '/repaired') return { status: 200 };
      await changeWebhook(database.db, { id: webhookId, change: repair, check: () => undefined });
      return { status };
    };
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(receiver.received.map(({ path }) => path)).toEqual(['/', '/repaired']);
    expect(webhookIdsReceived()).toEqual([messageId, messageId]);
    expect(await findWebhook(database.db, webhookId)).toMatchObject({ enabled: true, lastError: null });
  });

  it('for a day is given up, visibly, and the next event is tried', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 2);
    const [oldest] = await database.db.webhookDelivery.findMany({ where: { webhookId }, orderBy: { seq: 'asc' } });
    const dayAgo = new Date(Date.now() - 86_400_000 - 60_000);
    await database.db.webhookDelivery.update({ where: { id: oldest!.id }, data: { createdAt: dayAgo } });
    receiver.answer = () => ({ status: 500 });
    expect(await deliver({ webhookId, sessionId })).toEqual({ waitMs: 2_000 });
    expect(receiver.received).toHaveLength(2);
    expect(await findWebhook(database.db, webhookId)).toMatchObject({
      givenUp: 1,
      lastGivenUpAt: expect.any(Date) as unknown,
    });
    expect(results).toEqual(['given_up', 'failed']);
    await changeWebhook(database.db, { id: webhookId, change: { form: 'standard' }, check: () => undefined });
    expect(await database.db.webhookDelivery.findUnique({ where: { id: oldest!.id } })).toMatchObject({
      givenUpAt: expect.any(Date) as unknown,
      nextAttemptAt: null,
    });
    expect(await removeOldGivenUp(database.db, 1)).toBe(0);
    await database.db.webhookDelivery.update({ where: { id: oldest!.id }, data: { givenUpAt: dayAgo } });
    expect(await removeOldGivenUp(database.db, 1)).toBe(1);
    expect(await pendingOf(webhookId)).toBe(1);
  });

  it('is sent what was given up once it is replayed: before what is pending, under the same ID, for a day anew', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    const told = await recordManyEvents(database.db, sessionId, 2);
    const dayAgo = new Date(Date.now() - 86_400_000 - 60_000);
    await database.db.webhookDelivery.updateMany({ where: { webhookId }, data: { createdAt: dayAgo } });
    receiver.answer = () => ({ status: 500 });
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(await findOverdueLanes(database.db, -1_000)).toEqual([]);
    expect(await findUntriedLanes(database.db, sessionId)).toEqual([]);
    told.push(await recordProgress(database.db, sessionId, 90));
    receiver.received.length = 0;
    expect(await replayDeliveries(database.db, webhookId)).toBe(2);
    expect(await findWebhook(database.db, webhookId)).toMatchObject({ givenUp: 0 });
    expect(await deliver({ webhookId, sessionId })).toEqual({ waitMs: 2_000 });
    receiver.answer = () => ({ status: 200 });
    await makeDue(webhookId);
    await deliver({ webhookId, sessionId });
    expect(webhookIdsReceived()).toEqual([told[0], ...told]);
    expect(await replayDeliveries(database.db, webhookId)).toBe(0);
    expect(await pendingOf(webhookId)).toBe(0);
  });

  it('is not sent anything more once its webhook is deleted in the middle of an attempt', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 2);
    receiver.answer = async () => {
      await removeWebhook(database.db, webhookId);
      return { status: 500 };
    };
    await deliver({ webhookId, sessionId });
    expect(await deliver({ webhookId, sessionId })).toEqual({});
    expect(receiver.received).toHaveLength(1);
    expect(await pendingOf(webhookId)).toBe(0);
  });
});

describe('what the sweeper finds', () => {
  it('are sessions whose oldest event is due, and nobody sends it', async () => {
    const { id: webhookId } = await aWebhook();
    const sessionId = await recordSession(database.db);
    await recordManyEvents(database.db, sessionId, 2);
    expect(await findUntriedLanes(database.db, sessionId)).toEqual([{ webhookId, sessionId }]);
    expect(await findOverdueLanes(database.db, -1_000)).toEqual([{ webhookId, sessionId }]);
    receiver.answer = () => ({ status: 500 });
    await deliver({ webhookId, sessionId });
    await postponeAttempts(webhookId);
    expect(await findUntriedLanes(database.db, sessionId)).toEqual([]);
    expect(await findOverdueLanes(database.db, 0)).toEqual([]);
    await makeDue(webhookId);
    expect(await findOverdueLanes(database.db, 0)).toEqual([{ webhookId, sessionId }]);
  });
});

describe('the window of a question', () => {
  const ask = async (): Promise<{ projectId: string; sessionId: string; lane: Lane; messageId: string }> => {
    const projectId = randomUUID();
    const { id: webhookId } = await aWebhook({ projectId, eventTypes: ['maintenance.planned'] });
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId, projectId, windowSeconds: 3_600 });
    return { projectId, sessionId, lane: { webhookId, sessionId }, messageId };
  };
  /** Stamps it so far ahead that no look finds its times too early: whoever is told it must be told these times. */
  const stampAhead = (messageId: string) =>
    database.db.$executeRaw`
      WITH stamped AS (
        UPDATE question SET reply_at = date_trunc('second', clock_timestamp()) + interval '1 day',
                            actions_at = date_trunc('second', clock_timestamp()) + interval '2 days'
        WHERE message_id = ${messageId}::uuid RETURNING message_id, reply_at, actions_at
      )
      UPDATE event SET payload = payload || jsonb_build_object(
        'reply_at', to_char(reply_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
        'actions_at', to_char(actions_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'))
      FROM stamped WHERE event.message_id = stamped.message_id`;
  const timesOf = (body: string | undefined) => {
    const { payload } = JSON.parse(body ?? '{}') as { payload: Record<string, unknown> };
    return { replyAt: payload['reply_at'], actionsAt: payload['actions_at'] };
  };

  it('opens when the own webhook has taken it, though the bus was first, with the same times on both', async () => {
    const { sessionId, lane, messageId } = await ask();
    await stampAhead(messageId);
    await publish(sessionId);
    expect(await questionOf(messageId)).toMatchObject({ askedAt: null, opensBy: expect.any(Date) as unknown });
    const opened: OpenedReplyWindow[] = [];
    await deliver(lane, { opened });
    expect(opened).toEqual([{ sessionId, hostname: null }]);
    const { askedAt, replyAt } = await questionOf(messageId);
    expect(askedAt).not.toBeNull();
    const onBus = bus.messages.find(({ envelope }) => envelope.message_id === messageId)!.envelope.payload;
    expect(timesOf(receiver.received[0]?.body)).toEqual({ replyAt: onBus['reply_at'], actionsAt: onBus['actions_at'] });
    expect(onBus['reply_at']).toBe(replyAt?.toISOString().slice(0, 19));
  });

  it('opens when the own webhook has taken it, while the bus is away; the bus brings the same times later', async () => {
    const { sessionId, lane, messageId } = await ask();
    await stampAhead(messageId);
    bus.before = () => Promise.reject(new Error('no route to the bus'));
    await expect(publish(sessionId)).rejects.toThrow('no route');
    await deliver(lane);
    const { askedAt, replyAt } = await questionOf(messageId);
    expect(askedAt).not.toBeNull();
    bus.before = () => Promise.resolve();
    await database.db
      .$executeRaw`UPDATE question SET reply_at = reply_at - interval '2 days' WHERE message_id = ${messageId}::uuid`;
    await publish(sessionId);
    expect(await questionOf(messageId)).toMatchObject({
      askedAt,
      replyAt: new Date(replyAt!.getTime() - 2 * 86_400_000),
    });
    expect(withoutRepeats(messageIdsOf(bus.messages))).toEqual([messageId]);
    const sent = bus.messages.at(-1)!.envelope.payload;
    expect(sent['reply_at']).toBe(timesOf(receiver.received[0]?.body).replyAt);
  });

  it('waits no longer for a webhook whose switching off was killed half-way, as the sweeper finds', async () => {
    const { sessionId, lane, messageId } = await ask();
    await publish(sessionId, 3_600);
    const woken: string[] = [];
    const wake = (id: string) => Promise.resolve(void woken.push(id));
    const workflowCalls = { deliverEvents: () => Promise.resolve(), wakeSession: wake, wakeHost: wake };
    // The parts that it needs.
    const limits = { auditDays: 1 };
    const services = { db: database.db, workflowCalls, measures: noMeasures, limits } as unknown as Services;
    await sweepWebhooks(services);
    expect(woken).toEqual([]);
    await database.db.webhook.update({ where: { id: lane.webhookId }, data: { enabled: false } });
    await sweepWebhooks(services);
    const { opensBy } = await questionOf(messageId);
    expect(opensBy!.getTime()).toBeLessThanOrEqual((await databaseNow(database.db)).getTime());
    expect(woken).toEqual([sessionId]);
  });

  it('gets back what a failing webhook has taken of it', async () => {
    const { sessionId, lane, messageId } = await ask();
    await publish(sessionId);
    receiver.answer = () => ({ status: 500 });
    await deliver(lane);
    await database.db
      .$executeRaw`UPDATE question SET reply_at = reply_at - interval '50 minutes' WHERE message_id = ${messageId}::uuid`;
    const taken = (await questionOf(messageId)).replyAt;
    receiver.answer = () => ({ status: 200 });
    await makeDue(lane.webhookId);
    await deliver(lane);
    const { askedAt, replyAt } = await questionOf(messageId);
    expect(replyAt!.getTime() - askedAt!.getTime()).toBeGreaterThan(45 * 60_000);
    // The opening adds the time that the request took.
    const told = Date.parse(`${String(timesOf(receiver.received[1]?.body).replyAt)}Z`);
    expect(told).toBeGreaterThan(taken!.getTime());
    expect(told).toBeLessThanOrEqual(replyAt!.getTime());
  });

  it.each([
    { situation: 'for other projects', seconds: 60, own: false },
    { situation: 'where it is not waited for', seconds: 0, own: true },
  ])('opens with the bus $situation', async ({ seconds, own }) => {
    const { sessionId, messageId } = await ask();
    const other = await recordQuestion(database.db, { sessionId });
    await publish(sessionId, seconds);
    expect((await questionOf(own ? messageId : other)).askedAt).not.toBeNull();
  });

  it('is not opened by a webhook that is told the events of all projects', async () => {
    const { sessionId, lane, messageId } = await ask();
    const { id: webhookId } = await aWebhook();
    await recordProgress(database.db, sessionId, 0);
    await database.db.webhookDelivery.updateMany({ where: lane, data: { webhookId } });
    await deliver({ webhookId, sessionId });
    expect(webhookIdsReceived()[0]).toBe(messageId);
    expect((await questionOf(messageId)).askedAt).toBeNull();
  });

  it('does not wait for a webhook that is told the events of all projects', async () => {
    await aWebhook();
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    await publish(sessionId);
    expect((await questionOf(messageId)).askedAt).not.toBeNull();
  });

  it.each([
    { how: 'deleted', end: (id: string) => removeWebhook(database.db, id) },
    {
      how: 'switched off',
      end: (id: string) => changeWebhook(database.db, { id, change: { enabled: false }, check: () => undefined }),
    },
  ])('waits no longer for a webhook that is $how', async ({ end }) => {
    const { sessionId, lane, messageId } = await ask();
    await publish(sessionId, 3_600);
    expect(await releaseReplyWindows(database.db)).toEqual([]);
    await end(lane.webhookId);
    expect(await releaseReplyWindows(database.db)).toEqual([{ sessionId, hostname: null }]);
    const { opensBy } = await questionOf(messageId);
    expect(opensBy!.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });
});
