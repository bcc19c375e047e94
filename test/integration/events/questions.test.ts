import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { createPublisher } from '../../../events/publisher';
import { readEvents } from '../../../events/stream';
import { databaseNow } from '../../../prisma/database';
import { specifiedNames } from '../../builders/wire-names';
import { createTestDatabase } from '../setup/test-database';
import { recordProgress, recordQuestion, recordSession } from './recorded-facts';
import { createRecordingBus, type RecordingBus } from './recording-bus';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let bus: RecordingBus;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(() => {
  bus = createRecordingBus();
});

const publish = (sessionId: string): Promise<void> =>
  createPublisher({ db: database.db, bus, names: specifiedNames, logger: pino({ level: 'silent' }) }).publish(
    sessionId,
  );

const failToPublish = async (sessionId: string): Promise<void> => {
  bus.before = () => Promise.reject(new Error('no route to the bus'));
  await expect(publish(sessionId)).rejects.toThrow('no route to the bus');
  bus.before = () => Promise.resolve();
};

const questionOf = (messageId: string) => database.db.question.findUniqueOrThrow({ where: { messageId } });

/** YYYY-MM-DDTHH:MM:SS in UTC. */
const wireForm = (date: Date | null): string => date!.toISOString().replace(/\.000Z$/, '');

const timesOf = ({ replyAt, actionsAt }: { readonly replyAt: Date | null; readonly actionsAt: Date | null }) => ({
  replyAt: wireForm(replyAt),
  actionsAt: wireForm(actionsAt),
});

/** Changes the times as if this much time had passed since the question was stamped. */
const letTimePass = async (messageId: string, seconds: number): Promise<void> => {
  await database.db.$executeRaw`
    UPDATE question SET reply_at = reply_at - ${seconds} * interval '1 second',
                        actions_at = actions_at - ${seconds} * interval '1 second'
    WHERE message_id = ${messageId}::uuid`;
};

/** Publishes, and returns the question as it was when its event went to the bus: a slow send moves its times later. */
const publishAndNote = async (sessionId: string, messageId: string) => {
  let atSend: Awaited<ReturnType<typeof questionOf>> | undefined;
  bus.before = async () => {
    atSend = await questionOf(messageId);
  };
  await publish(sessionId);
  return atSend!;
};

/** The times as a question's event says them, of the newest of its messages on the bus. */
const sentTimes = (messageId: string) => {
  const { payload } = bus.messages.findLast(({ envelope }) => envelope.message_id === messageId)!.envelope;
  return { replyAt: payload['reply_at'], actionsAt: payload['actions_at'] };
};

const streamedTimes = async (sessionId: string, messageId: string) => {
  const events = await readEvents(database.db, {
    afterPosition: 0n,
    projectId: null,
    limit: 1_000,
    names: specifiedNames,
  });
  const { payload } = events.find(({ envelope }) => envelope.message_id === messageId)!.envelope;
  expect(payload['session_id']).toBe(sessionId);
  return { replyAt: payload['reply_at'], actionsAt: payload['actions_at'] };
};

const secondsBetween = (from: Date, to: Date | null): number => (to!.getTime() - from.getTime()) / 1_000;

describe('the times of a question', () => {
  it('are stamped when it is sent: reply_at a window ahead, rounded up to whole seconds', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId, windowSeconds: 60 });
    const before = await databaseNow(database.db);
    await publish(sessionId);
    const after = await databaseNow(database.db);
    const { replyAt } = await questionOf(messageId);
    expect(replyAt!.getMilliseconds()).toBe(0);
    expect(secondsBetween(before, replyAt)).toBeGreaterThanOrEqual(60);
    expect(secondsBetween(after, replyAt)).toBeLessThan(61);
  });

  it('are the same in the question, on the bus and on the stream, in the form of the specification', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    const atSend = timesOf(await publishAndNote(sessionId, messageId));
    expect(atSend.replyAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/);
    expect(sentTimes(messageId)).toEqual(atSend);
    expect(await streamedTimes(sessionId, messageId)).toEqual(timesOf(await questionOf(messageId)));
  });

  it.each([
    { situation: 'reply_at, where the maintenance has begun', maintenanceAt: '2020-01-01T00:00:00.000Z' },
    { situation: 'maintenance_at rounded up, where that is later', maintenanceAt: '2099-12-31T23:59:58.001Z' },
  ])('let actions begin at $situation', async ({ maintenanceAt }) => {
    const sessionId = await recordSession(database.db, { maintenanceAt: new Date(maintenanceAt) });
    const messageId = await recordQuestion(database.db, { sessionId });
    await publish(sessionId);
    const { replyAt, actionsAt } = await questionOf(messageId);
    const roundedUp = new Date(Math.ceil(Date.parse(maintenanceAt) / 1_000) * 1_000);
    expect(actionsAt).toEqual(new Date(Math.max(roundedUp.getTime(), replyAt!.getTime())));
  });

  it('are recorded with when the question reached the bus', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    await failToPublish(sessionId);
    expect((await questionOf(messageId)).askedAt).toBeNull();
    await publish(sessionId);
    const event = await database.db.event.findUniqueOrThrow({ where: { messageId } });
    const { askedAt } = await questionOf(messageId);
    expect(askedAt).not.toBeNull();
    expect(askedAt).toEqual(event.publishedAt);
  });

  it('stay empty in notices that are no questions', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    await database.db.question.delete({ where: { messageId } });
    await publish(sessionId);
    expect(sentTimes(messageId)).toEqual({ replyAt: '', actionsAt: '' });
  });
});

describe('a bus that is away', () => {
  it.each([
    { eaten: 'the whole window', seconds: 3_600 },
    { eaten: 'a part of the window', seconds: 30 },
  ])('delays a question: the times are stamped anew when $eaten has passed', async ({ seconds }) => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId, windowSeconds: 60 });
    await failToPublish(sessionId);
    await letTimePass(messageId, seconds);
    const before = await databaseNow(database.db);
    const atSend = await publishAndNote(sessionId, messageId);
    expect(secondsBetween(before, atSend.replyAt)).toBeGreaterThanOrEqual(60);
    expect(sentTimes(messageId)).toEqual(timesOf(atSend));
    expect(await streamedTimes(sessionId, messageId)).toEqual(timesOf(await questionOf(messageId)));
  });

  it('gives back what a slow send took of the window', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId, windowSeconds: 60 });
    let sentAt = new Date(0);
    bus.after = async () => {
      await letTimePass(messageId, 59);
      sentAt = await databaseNow(database.db);
    };
    await publish(sessionId);
    const question = await questionOf(messageId);
    expect(secondsBetween(sentAt, question.replyAt)).toBeGreaterThanOrEqual(60);
    expect(await streamedTimes(sessionId, messageId)).toEqual(timesOf(question));
  });

  it('leaves the times as they are once the question has reached it', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    await publish(sessionId);
    await letTimePass(messageId, 3_600);
    const { replyAt } = await questionOf(messageId);
    await recordProgress(database.db, sessionId, 50);
    await publish(sessionId);
    expect((await questionOf(messageId)).replyAt).toEqual(replyAt);
  });
});

describe.each(['answered', 'closed'] as const)('a question that is %s before it was sent', (status) => {
  it('is stamped if it has no times, so that they are never empty', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId, status });
    await publish(sessionId);
    const { replyAt, actionsAt } = await questionOf(messageId);
    expect(sentTimes(messageId)).toEqual({ replyAt: wireForm(replyAt), actionsAt: wireForm(actionsAt) });
  });

  it('keeps the times that it has', async () => {
    const sessionId = await recordSession(database.db);
    const messageId = await recordQuestion(database.db, { sessionId });
    await failToPublish(sessionId);
    const stamped = await questionOf(messageId);
    await database.db.question.update({ where: { messageId }, data: { status } });
    await letTimePass(messageId, 3_600);
    await publish(sessionId);
    expect((await questionOf(messageId)).replyAt).toEqual(new Date(stamped.replyAt!.getTime() - 3_600_000));
    expect(sentTimes(messageId).replyAt).toBe(wireForm(stamped.replyAt));
  });
});

it('stamps instance-specific questions and project-wide ones of several projects in one go', async () => {
  const sessionId = await recordSession(database.db);
  const messageIds = [
    await recordQuestion(database.db, { sessionId, projectId: randomUUID(), windowSeconds: 20 }),
    await recordQuestion(database.db, { sessionId, projectId: randomUUID(), windowSeconds: 600 }),
  ];
  await publish(sessionId);
  const [short, long] = await Promise.all(messageIds.map(questionOf));
  expect(secondsBetween(short!.replyAt!, long!.replyAt)).toBe(580);
});
