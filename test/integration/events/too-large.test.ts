import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { TooLargeForBus } from '../../../events/bus';
import { eventFormOf } from '../../../events/event-form';
import { createKafkaBus } from '../../../events/kafka-bus';
import { Kafka, logLevel } from '../../../events/kafka-client';
import { createPublisher, type PublisherLimits } from '../../../events/publisher';
import { readEvents } from '../../../events/stream';
import { specifiedNames } from '../../builders/wire-names';
import { testServices } from '../setup/services';
import { createTestDatabase } from '../setup/test-database';
import { recordManyEvents, recordProgress, recordQuestion, recordSession } from './recorded-facts';
import { createRecordingBus, messageIdsOf } from './recording-bus';
import { readTopic } from './topic-reader';

const { kafkaBrokers: brokers } = testServices();
/** An event without metadata has less. */
const topicBytes = 2_000;
const metadata = { hint: 'x'.repeat(topicBytes) };
const names = { cloudEventsPrefix: 'org.example', baseUrl: 'http://127.0.0.1' };

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let logged: Record<string, unknown>[];
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
  logged = [];
  await database.db.event.deleteMany();
});

const logger = pino(
  { level: 'error' },
  { write: (line: string) => void logged.push(JSON.parse(line) as Record<string, unknown>) },
);

const limits: Partial<PublisherLimits> = { pollMs: 10, leaseMs: 600_000, sendMs: 300_000 };

const aNarrowTopic = async (): Promise<string> => {
  const topic = `events-${randomUUID()}`;
  const admin = new Kafka({ clientId: 'operator', brokers: [...brokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const configEntries = [{ name: 'max.message.bytes', value: String(topicBytes) }];
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic, configEntries }] });
  await admin.disconnect();
  return topic;
};

const onKafka = (topic: string) => {
  const form = eventFormOf('plain', names);
  const patient = { flightMs: 300_000, connectMs: 60_000, answerMs: 120_000 };
  const bus = createKafkaBus({
    brokers,
    topic,
    clientId: 'parley',
    form,
    logger: pino({ level: 'silent' }),
    limits: patient,
  });
  return { bus, publisher: createPublisher({ db: database.db, bus, names: specifiedNames, logger, limits }) };
};

const idsOnTopic = async (topic: string, count: number): Promise<string[]> => {
  const reader = await readTopic(brokers, topic);
  await reader.waitFor(count);
  await reader.close();
  return messageIdsOf(reader.received);
};

const rowOf = (messageId: string) => database.db.event.findUniqueOrThrow({ where: { messageId } });

const idsOnStream = async (): Promise<string[]> => {
  const events = await readEvents(database.db, {
    ...{ afterPosition: 0n, limit: 1_000, projectId: null, names: specifiedNames },
  });
  return messageIdsOf(events);
};

describe('a topic that takes short messages only', () => {
  it('gets events in smaller parts that are too large for it together, in their order', async () => {
    const topic = await aNarrowTopic();
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 30);
    const { bus, publisher } = onKafka(topic);
    await publisher.publish(sessionId);
    expect(await idsOnTopic(topic, 30)).toEqual(recorded);
    expect(logged).toEqual([]);
    await bus.close();
  });

  it('gets the events behind one that is too large by itself, which the stream tells and the log names once', async () => {
    const topic = await aNarrowTopic();
    const sessionId = await recordSession(database.db);
    const before = await recordProgress(database.db, sessionId, 0);
    const large = await recordQuestion(database.db, { sessionId, metadata });
    const behind = await recordManyEvents(database.db, sessionId, 3);
    const { bus, publisher } = onKafka(topic);
    await publisher.publish(sessionId);
    await publisher.publish(sessionId);
    expect(await idsOnTopic(topic, 4)).toEqual([before, ...behind]);
    expect(await idsOnStream()).toEqual([before, large, ...behind]);

    const row = await rowOf(large);
    expect(row.busRefusal).toContain(`Kafka topic ${topic} on ${brokers.join(', ')} refuses`);
    expect(row.publishedAt).not.toBeNull();
    expect(logged).toEqual([
      expect.objectContaining({
        ...{ sessionId, messageId: large, eventType: 'maintenance.planned', refusal: row.busRefusal },
        msg: expect.stringContaining('raise max.message.bytes of the topic') as unknown,
      }),
    ]);
    // Its project is asked all the same: the window of the question is open.
    const question = await database.db.question.findUniqueOrThrow({ where: { messageId: large } });
    expect(question.askedAt).not.toBeNull();
    await bus.close();
  });

  it('takes what others send while it refuses an event', async () => {
    const topic = await aNarrowTopic();
    const [large, sound] = await Promise.all([recordSession(database.db), recordSession(database.db)]);
    await recordQuestion(database.db, { sessionId: large, metadata });
    const recorded = await recordProgress(database.db, sound, 0);
    const { bus, publisher } = onKafka(topic);
    await Promise.all([publisher.publish(large), publisher.publish(sound)]);
    expect(await idsOnTopic(topic, 1)).toEqual([recorded]);
    await bus.close();
  });
});

describe('publishing to a bus that takes a number of events at once', () => {
  const aBusTaking = (most: number) => {
    const bus = createRecordingBus();
    const sizes: number[] = [];
    const send = (messages: Parameters<typeof bus.send>[0]) => {
      sizes.push(messages.length);
      return messages.length > most ? Promise.reject(new TooLargeForBus('too large')) : bus.send(messages);
    };
    return { sizes, bus: { ...bus, send } };
  };

  const publisherOn = (bus: ReturnType<typeof aBusTaking>['bus']) =>
    createPublisher({ db: database.db, bus, names: specifiedNames, logger, limits });

  it('halves what it sends until it is taken, and doubles it again', async () => {
    const { sizes, bus } = aBusTaking(4);
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 11);
    await publisherOn(bus).publish(sessionId);
    expect(messageIdsOf(bus.messages)).toEqual(recorded);
    expect(sizes).toEqual([11, 6, 3, 6, 3, 5, 3, 2]);
  });

  it('records each event as refused where it takes none, and ends', async () => {
    const { bus } = aBusTaking(0);
    const sessionId = await recordSession(database.db);
    const recorded = await recordManyEvents(database.db, sessionId, 5);
    await publisherOn(bus).publish(sessionId);
    const rows = await Promise.all(recorded.map(rowOf));
    expect(rows.map(({ busRefusal }) => busRefusal)).toEqual(Array(5).fill('too large'));
    expect(logged).toHaveLength(5);
  });
});
