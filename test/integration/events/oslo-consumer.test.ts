/** The real oslo.messaging reads what the service writes in its form. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pino } from 'pino';
import type { Envelope } from '../../../events/envelope';
import { Kafka, logLevel } from '../../../events/kafka-client';
import { openBus } from '../../../events/open-bus';
import { pythonWithOpenStack } from '../../openstack/rig/python-packages';
import { eventually } from '../../waiting/eventually';
import { testServices } from '../setup/services';

const { kafkaBrokers } = testServices();
const script = path.join(__dirname, '../../field-client/read_notification.py');

/** oslo.messaging adds the priority to the topic that it is told. */
const topic = `notifications-${randomUUID()}`;
let consumer: ChildProcess;
const lines: string[] = [];

const makeTopic = async (): Promise<void> => {
  const admin = new Kafka({ brokers: [...kafkaBrokers], logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  await admin.createTopics({ waitForLeaders: true, topics: [{ topic: `${topic}.info`, numPartitions: 1 }] });
  await admin.disconnect();
};

beforeAll(async () => {
  await makeTopic();
  const args = [script, kafkaBrokers[0]!, topic, `group-${topic}`];
  consumer = spawn(await pythonWithOpenStack(), args, { stdio: ['ignore', 'pipe', 'ignore'] });
  createInterface({ input: consumer.stdout! }).on('line', (line) => void lines.push(line));
});
afterAll(() => consumer.kill());

const envelope: Envelope = {
  priority: 'info',
  event_type: 'maintenance.scheduled',
  timestamp: '2026-11-21T12:00:00.250Z',
  publisher_id: 'fenix',
  message_id: randomUUID(),
  payload: { state: 'PREPARE_MAINTENANCE', instance_ids: ['an-id'], metadata: { huge_pages: true, flavor: null } },
};

it('oslo.messaging takes an event from Kafka, with its type, publisher, payload and time', async () => {
  const settings = {
    kafkaBrokers,
    kafkaTopic: `${topic}.info`,
    eventFormat: 'oslo',
    serviceName: 'fenix',
    cloudEventsPrefix: 'fenix',
    baseUrl: 'http://127.0.0.1',
  } as const;
  const bus = openBus(settings, pino({ level: 'silent' }));
  // The consumer reads only events after it has joined, and does not say when it joins. So the event is sent again.
  const received = await eventually({ what: 'oslo.messaging has read the event', pollMs: 1_000 }, async () => {
    await bus.send([{ key: 'session', seq: 1, envelope }]);
    return lines.find((line) => line.startsWith('{'));
  });
  await bus.close();
  expect(JSON.parse(received)).toEqual({
    publisher_id: 'fenix',
    event_type: 'maintenance.scheduled',
    payload: {
      state: 'PREPARE_MAINTENANCE',
      instance_ids: ['an-id'],
      metadata: { huge_pages: 1, flavor: '' },
    },
    metadata: { message_id: envelope.message_id, timestamp: '2026-11-21 12:00:00.250000' },
  });
});
