import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { plainForm } from '../../../events/event-form';
import { createKafkaBus } from '../../../events/kafka-bus';
import { createPublisher, type Publisher } from '../../../events/publisher';
import { specifiedNames } from '../../builders/wire-names';
import { createTestDatabase } from '../setup/test-database';
import { createOwnBroker, type OwnBroker } from './own-broker';
import { recordProgress, recordSession } from './recorded-facts';
import { messageIdsOf, withoutRepeats } from './recording-bus';
import { readTopic } from './topic-reader';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let broker: OwnBroker;
beforeAll(async () => {
  database = await createTestDatabase();
  broker = await createOwnBroker();
});
afterAll(async () => {
  await broker.remove();
  await database.drop();
});

const aPublisher = (topic: string) => {
  const logger = pino({ level: 'silent' });
  const bus = createKafkaBus({ brokers: broker.brokers, topic, clientId: 'parley', form: plainForm, logger });
  return { bus, publisher: createPublisher({ db: database.db, bus, names: specifiedNames, logger }) };
};

/** Retries like an activity, for a minute. */
const publishAtLast = async (publisher: Publisher, sessionId: string): Promise<void> => {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    const published = await publisher.publish(sessionId).then(
      () => true,
      () => false,
    );
    if (published) return;
    await delay(200);
  }
  throw new Error(`the events of session ${sessionId} could not be published in 300 attempts`);
};

it('loses no event and keeps each order when the broker is killed and started again while sessions publish', async () => {
  const sessionIds = await Promise.all(Array.from({ length: 4 }, () => recordSession(database.db)));
  const topic = `events-${randomUUID()}`;
  const processes = [aPublisher(topic), aPublisher(topic)];
  const recordAndPublish = async (sessionId: string, index: number): Promise<string[]> => {
    const recorded: string[] = [];
    for (let event = 0; event < 60; event += 1) {
      recorded.push(await recordProgress(database.db, sessionId, event));
      await publishAtLast(processes[(event + index) % 2]!.publisher, sessionId);
      await delay(25);
    }
    return recorded;
  };
  const publishing = Promise.all(sessionIds.map(recordAndPublish));
  for (let restart = 0; restart < 2; restart += 1) {
    await delay(1_000);
    await broker.kill();
    await delay(300);
    await broker.restart();
  }
  const recorded = await publishing;

  const reader = await readTopic(broker.brokers, topic);
  await reader.waitFor(recorded.flat().length);
  await reader.close();
  await Promise.all(processes.map(({ bus }) => bus.close()));
  const seenOf = (sessionId: string) =>
    withoutRepeats(messageIdsOf(reader.received.filter(({ key }) => key === sessionId)));
  expect(sessionIds.map(seenOf)).toEqual(recorded);
  expect(await database.db.event.count({ where: { publishedAt: null } })).toBe(0);
});
