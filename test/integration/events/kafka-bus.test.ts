import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { pino } from 'pino';
import type { BusMessage, EventBus } from '../../../events/bus';
import { eventFormOf, plainForm } from '../../../events/event-form';
import { createKafkaBus } from '../../../events/kafka-bus';
import { testServices } from '../setup/services';
import { messageIdsOf } from './recording-bus';
import { readTopic } from './topic-reader';

const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) });
const { kafkaBrokers } = testServices();
/** Nobody repeats a send that fails here: it has the time that a busy machine needs. */
const limits = { flightMs: 300_000, connectMs: 60_000, answerMs: 120_000 };

let topic: string;
let bus: EventBus;
beforeEach(() => {
  logged.length = 0;
  topic = `events-${randomUUID()}`;
  bus = createKafkaBus({ brokers: kafkaBrokers, topic, clientId: 'parley', form: plainForm, logger, limits });
});
afterEach(() => bus.close());

const aMessage = (key: string, text = ''): BusMessage => ({
  key,
  seq: 1,
  envelope: {
    priority: 'info',
    event_type: 'maintenance.session',
    timestamp: '2026-11-21T12:00:00.000Z',
    publisher_id: 'parley',
    message_id: randomUUID(),
    payload: { text },
  },
});

type Sent = Omit<BusMessage, 'seq'>;

const received = async (count: number): Promise<Sent[]> => {
  const reader = await readTopic(kafkaBrokers, topic);
  await reader.waitFor(count);
  await reader.close();
  return reader.received;
};

/** An address where nothing listens. */
const deadAddress = async (): Promise<string> => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address !== null ? `127.0.0.1:${address.port}` : '';
};

describe('the bus on Kafka', () => {
  it('makes the topic where it is missing and brings messages in their order, as JSON under their key', async () => {
    const messages = Array.from({ length: 20 }, () => aMessage('session-1'));
    await bus.send(messages.slice(0, 10));
    await bus.send(messages.slice(10));
    expect(await received(20)).toEqual(messages.map(({ key, envelope }) => ({ key, envelope })));
  });

  it('keeps the order of each key when many send at once, and doubles nothing', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `session-${index}`);
    const batches = keys.map((key) => Array.from({ length: 5 }, () => aMessage(key)));
    await Promise.all(batches.map((batch) => bus.send(batch)));
    const arrived = await received(40);
    expect(arrived).toHaveLength(40);
    expect(keys.map((wanted) => messageIdsOf(arrived.filter(({ key }) => key === wanted)))).toEqual(
      batches.map(messageIdsOf),
    );
  });

  it('takes an event that is longer than a broker takes by default', async () => {
    const long = aMessage('session-1', 'x'.repeat(1_200_000));
    await bus.send([long]);
    expect(messageIdsOf(await received(1))).toEqual([long.envelope.message_id]);
  });

  it('goes on after a message that the brokers refuse', async () => {
    await expect(bus.send([aMessage('session-1', 'x'.repeat(3_000_000))])).rejects.toThrow(`Kafka topic ${topic}`);
    const sound = aMessage('session-1');
    await bus.send([sound]);
    expect(messageIdsOf(await received(1))).toEqual([sound.envelope.message_id]);
  });

  it('writes what kafkajs has to say into the log of the service, and nothing where all is well', async () => {
    await bus.send([aMessage('session-1')]); // makes the topic, whose leader a broker may still be becoming
    logged.length = 0;
    await bus.send([aMessage('session-1')]);
    expect(logged).toEqual([]);
    await expect(bus.send([aMessage('session-1', 'x'.repeat(3_000_000))])).rejects.toThrow();
    expect(logged.join()).toContain('"kafka"');
  });

  it('tells consumers by a header that an event is a CloudEvent', async () => {
    const names = { cloudEventsPrefix: 'org.example', baseUrl: 'http://127.0.0.1' };
    const form = eventFormOf('cloudevents', names);
    const ownBus = createKafkaBus({ brokers: kafkaBrokers, topic, clientId: 'parley', form, logger, limits });
    await ownBus.send([aMessage('session-1')]);
    await ownBus.close();
    const reader = await readTopic(kafkaBrokers, topic);
    await reader.waitFor(1);
    await reader.close();
    expect(reader.contentTypes).toEqual(['application/cloudevents+json; charset=UTF-8']);
    expect(reader.received[0]?.envelope).toMatchObject({ type: 'org.example.maintenance.session' });
  });

  it('refuses to send once it is closed', async () => {
    await bus.close();
    await expect(bus.send([aMessage('session-1')])).rejects.toThrow('the bus is closed');
  });
});

describe('a Kafka that is away', () => {
  it('makes one failed send fail all who wait, and names topic and brokers', async () => {
    const address = await deadAddress();
    const absent = createKafkaBus({ brokers: [address], topic, clientId: 'parley', form: plainForm, logger });
    const sends = Array.from({ length: 5 }, () => absent.send([aMessage('session-1')]));
    const errors = await Promise.all(sends.map((send) => send.catch((error: unknown) => error)));
    // One error: in turn, each send would wait just as long as the one before.
    expect(new Set(errors).size).toBe(1);
    await expect(absent.send([aMessage('session-1')])).rejects.toThrow(`Kafka topic ${topic} on ${address}`);
    await absent.close();
  });
});
