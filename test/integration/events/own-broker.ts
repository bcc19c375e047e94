/** A Kafka broker that belongs to one test file, which may kill it and start it again with its data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort, isListening } from '../../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { startKafka } from '../setup/kafka/kafka-broker';
import { kafkaJars } from '../setup/kafka/kafka-jars';

export interface OwnBroker {
  readonly brokers: readonly string[];
  /** kill -9; returns when it is dead. */
  kill(): Promise<void>;
  /** Starts it on the data that it was killed with; returns when it listens. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

const startAgain = async (folder: string, port: number): Promise<ServiceProcess> => {
  const settings = path.join(folder, 'server.properties');
  const logFile = path.join(folder, 'kafka-again.log');
  const service = await startProcess({
    name: 'Kafka',
    command: 'java',
    args: ['-Xmx256m', '-cp', path.join(await kafkaJars(), '*'), 'kafka.Kafka', settings],
    logFile,
    pidFile: path.join(folder, 'kafka.pid'),
    mark: settings,
    stopSignal: 'SIGTERM',
  });
  await waitUntilReady(service, { isReady: () => isListening(port), withinMs: 60_000, logFile });
  return service;
};

/** A new broker, running. */
export const createOwnBroker = async (): Promise<OwnBroker> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-kafka-'));
  const port = await anyFreePort();
  let { process: broker } = await startKafka({ folder, port, controllerPort: await anyFreePort() });

  return {
    brokers: [`127.0.0.1:${port}`],
    kill: async () => {
      process.kill(broker.pid, 'SIGKILL');
      await broker.ended;
    },
    restart: async () => {
      broker = await startAgain(folder, port);
    },
    remove: async () => {
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
