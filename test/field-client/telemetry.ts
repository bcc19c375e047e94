/**
 * The telemetry service between Parley and its clients in the field. It reads notifications from Kafka as
 * oslo.messaging does, and posts those of a project to the project's alarm, one after the other.
 */
import { Kafka, logLevel } from '../../events/kafka-client';
import { eventually } from '../waiting/eventually';
import { type Notification, type TextForm, toAlarm, unwrapNotification } from './alarm';

export interface Subscription {
  /** The ID in Keystone's form: telemetry compares text with text. */
  readonly projectId: string;
  /** The address to which the alarm is posted. */
  readonly alarmUrl: string;
  readonly form: TextForm;
}

export interface TelemetryOptions {
  readonly brokers: readonly string[];
  /** oslo.messaging reads the topic of the priority. */
  readonly topic: string;
  /** A name that nobody else reads under. */
  readonly group: string;
  /** The one type of event that becomes an alarm. */
  readonly eventType: string;
  readonly subscriptions: readonly Subscription[];
}

export interface Telemetry {
  /** All notifications, of every type and project. */
  readonly notifications: readonly Notification[];
  /** Messages that could not be read as a notification. */
  readonly unreadable: readonly string[];
  close(): Promise<void>;
}

/**
 * As an operator does beforehand: whoever reads a topic that is not there yet fails. One that somebody else is making
 * at the same time is "there already" before the broker can say where its partitions are.
 */
const makeTopic = async (kafka: Kafka, topic: string): Promise<void> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic }] });
    await eventually(`topic ${topic} is there`, () => admin.fetchTopicMetadata({ topics: [topic] }));
  } finally {
    await admin.disconnect();
  }
};

export const startTelemetry = async (options: TelemetryOptions): Promise<Telemetry> => {
  const { brokers, topic, group, eventType, subscriptions } = options;
  const notifications: Notification[] = [];
  const unreadable: string[] = [];
  /** Each client has a turn of its own: a slow one delays only its own alarms. */
  const turns = new Map<string, Promise<unknown>>();

  const post = ({ alarmUrl, form }: Subscription, notification: Notification): void => {
    const alarm = { method: 'POST', body: JSON.stringify(toAlarm(notification, form)) };
    const before = turns.get(alarmUrl) ?? Promise.resolve();
    turns.set(
      alarmUrl,
      before
        .then(() => fetch(alarmUrl, alarm))
        .then(
          (response) => response.body?.cancel(),
          () => undefined,
        ),
    );
  };

  const route = (notification: Notification): void => {
    notifications.push(notification);
    if (notification.event_type !== eventType) return;
    const projectId = notification.payload['project_id'];
    for (const each of subscriptions) if (each.projectId === projectId) post(each, notification);
  };

  const kafka = new Kafka({ clientId: group, brokers: [...brokers], logLevel: logLevel.NOTHING });
  await makeTopic(kafka, topic);
  const consumer = kafka.consumer({ groupId: group });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ message }) => {
      const text = message.value?.toString() ?? '';
      try {
        route(unwrapNotification(text));
      } catch (error) {
        unreadable.push(`${String(error)}: ${text}`);
      }
      return Promise.resolve();
    },
  });
  return {
    notifications,
    unreadable,
    async close() {
      await consumer.disconnect();
      await Promise.all(turns.values());
    },
  };
};
