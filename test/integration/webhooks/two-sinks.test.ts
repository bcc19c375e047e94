/** Kafka and a webhook side by side, while a process is killed between the two: nothing is lost, and nothing is new. */
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import { newSecret } from '../../../events/webhooks/signature';
import { createWebhook } from '../../../prisma/webhooks/webhooks';
import { recordProgress, recordQuestion, recordSession } from '../events/recorded-facts';
import { messageIdsOf, withoutRepeats } from '../events/recording-bus';
import { readTopic } from '../events/topic-reader';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';
import { openBothSinks, type SinksGiven } from './both-sinks';
import { type Receiver, startReceiver } from './receiver';

let database: TestDatabase;
let receiver: Receiver;
beforeAll(async () => {
  database = await createTestDatabase();
  receiver = await startReceiver();
});
afterEach(() => database.db.$executeRaw`TRUNCATE session, event, webhook, webhook_secret CASCADE`);
afterAll(async () => {
  await receiver.close();
  await database.drop();
});

const processArgs = [
  '--require',
  path.join(__dirname, '../../run/run-typescript.cjs'),
  path.join(__dirname, 'process-to-kill.ts'),
];

/** A session whose project has a webhook of its own: a notice, a question to the project, and a notice. */
const aSession = async () => {
  const projectId = randomUUID();
  const eventTypes = ['maintenance.session', 'maintenance.planned'];
  const given = { url: receiver.url, form: 'standard', enabled: true, secret: newSecret() } as const;
  const own = await createWebhook(database.db, { ...given, projectId, eventTypes: ['maintenance.planned'] });
  const all = await createWebhook(database.db, { ...given, projectId: null, eventTypes });
  const sessionId = await recordSession(database.db);
  const first = await recordProgress(database.db, sessionId, 0);
  const question = await recordQuestion(database.db, { sessionId, projectId });
  const last = await recordProgress(database.db, sessionId, 100);
  return { sessionId, webhooks: [all.id, own.id], told: [first, question, last], question };
};

const bodyFor = (messageId: string): { readonly payload: Readonly<Record<string, unknown>> }[] =>
  receiver.received
    .filter(({ headers }) => headers['webhook-id'] === messageId)
    .map(({ body }) => JSON.parse(body) as { payload: Record<string, unknown> });

it.each(['the bus has taken them', 'the bus has taken them, and that is recorded', 'the webhook takes one'])(
  'a process that is killed when %s: both sinks get all, in order, and no time later than the window',
  async (moment) => {
    const { sessionId, webhooks, told, question } = await aSession();
    const { kafkaBrokers: brokers } = testServices();
    const topic = `events-${randomUUID()}`;
    const [all = '', own = ''] = webhooks;
    const given: SinksGiven = {
      databaseUrl: database.url,
      brokers,
      topic,
      receiverUrl: receiver.url,
      sessionId,
      webhookId: all,
    };
    receiver.received.length = 0;
    const child = spawn(process.execPath, [...processArgs, moment, JSON.stringify(given)], { stdio: 'inherit' });
    receiver.answer = () => {
      child.kill('SIGKILL');
      return { status: 200 };
    };
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);

    receiver.answer = () => ({ status: 200 });
    // The lease of the process that died has run out by now.
    await database.db.eventLease.updateMany({ where: { sessionId }, data: { heldUntil: new Date(0) } });
    for (const webhookId of [all, own]) {
      const sinks = openBothSinks({ ...given, webhookId });
      await Promise.all([sinks.publish(), sinks.deliver()]);
      await sinks.close();
    }
    const reader = await readTopic(brokers, topic);
    await reader.waitFor(told.length);
    await reader.close();
    expect(withoutRepeats(messageIdsOf(reader.received))).toEqual(told);
    const toAll = receiver.received.map(({ headers }) => String(headers['webhook-id']));
    expect(withoutRepeats(toAll)).toEqual(told);
    expect(await database.db.webhookDelivery.count({ where: { sessionId } })).toBe(0);
    expect(await database.db.event.count({ where: { sessionId, publishedAt: null } })).toBe(0);

    const { askedAt, replyAt } = await database.db.question.findUniqueOrThrow({ where: { messageId: question } });
    expect(askedAt).not.toBeNull();
    const onBus = reader.received.filter(({ envelope }) => envelope.message_id === question);
    const times = [
      ...onBus.map(({ envelope }) => envelope.payload['reply_at']),
      ...bodyFor(question).map(({ payload }) => payload['reply_at']),
    ];
    const replyTime = replyAt?.toISOString().slice(0, 19) ?? '';
    // The webhook of the project opens the window. Who was told before, while the process was dead, was told less time,
    // and so was the webhook where its request took long.
    const isInTime = (time: unknown): boolean => /^\d{4}-/.test(String(time)) && String(time) <= replyTime;
    expect(times.filter(isInTime)).toEqual(times);
  },
);
