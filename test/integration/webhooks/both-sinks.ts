/** Publishes the events of a session as a worker does: to the bus and to a webhook, each with a position of its own. */
import { pino } from 'pino';
import type { EventBus } from '../../../events/bus';
import { plainForm } from '../../../events/event-form';
import { createKafkaBus } from '../../../events/kafka-bus';
import { createPublisher } from '../../../events/publisher';
import { createDeliveries } from '../../../events/webhooks/deliver-lane';
import { createReceiverPolicy } from '../../../events/webhooks/receivers';
import { parseAllowedSource } from '../../../plugins/addresses/allowed-source';
import { resolveHost } from '../../../plugins/addresses/resolve-host';
import { type Database, openDatabase } from '../../../prisma/database';
import type { Lane } from '../../../prisma/webhooks/deliveries';
import { noMeasures } from '../../../telemetry/metrics/measures';
import { specifiedNames } from '../../builders/wire-names';
import { eventually, longestMs } from '../../waiting/eventually';

const logger = pino({ level: 'silent' });
const names = { ...specifiedNames, cloudEventsPrefix: 'org.example', baseUrl: 'http://parley.example' };

export interface SinksGiven extends Lane {
  readonly databaseUrl: string;
  readonly brokers: readonly string[];
  readonly topic: string;
  readonly receiverUrl: string;
}

export interface BothSinks {
  /** Repeats it as workflows do: a slow machine may not connect and send within the time limit of the bus. */
  readonly publish: () => Promise<void>;
  readonly deliver: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** @param onBus called when Kafka has taken events, before anybody has recorded that */
export const openBothSinks = (given: SinksGiven, onBus = (): void => undefined): BothSinks => {
  const { databaseUrl, brokers, topic, receiverUrl, webhookId, sessionId } = given;
  const db: Database = openDatabase({ url: databaseUrl, poolSize: 2 });
  const kafka = createKafkaBus({ brokers, topic, clientId: 'parley', form: plainForm, logger });
  const bus: EventBus = {
    close: () => kafka.close(),
    send: async (messages) => {
      await kafka.send(messages);
      onBus();
    },
  };
  const deliveries = createDeliveries({
    ...{ db, names, logger, measures: noMeasures },
    receivers: {
      policy: createReceiverPolicy({ sources: [parseAllowedSource(receiverUrl)!], networks: [] }),
      ...{ resolveHost, proxies: {}, proxyResolves: false },
      attemptMs: longestMs,
    },
  });
  const hooks = { signal: new AbortController().signal, opened: () => Promise.resolve() };
  return {
    publish: async () => {
      const publisher = createPublisher({ db, bus, names, logger });
      await eventually('the bus takes the events', () => publisher.publish(sessionId).then(() => true));
    },
    deliver: async () => {
      await eventually('the webhook takes the events', async () => {
        const { waitMs } = await deliveries.deliver({ webhookId, sessionId }, hooks);
        return waitMs === undefined || undefined;
      });
    },
    close: async () => {
      await bus.close();
      await db.$disconnect();
    },
  };
};
