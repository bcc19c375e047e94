/** A Kafka broker that belongs to one test file, which may kill it and start it again with its data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { killedSessionMs, startKafka } from '../setup/kafka/kafka-broker';

export interface OwnBroker {
  readonly brokers: readonly string[];
  /** kill -9; returns when it is dead. */
  kill(): Promise<void>;
  /** Starts it on the data that it was killed with; returns when it listens. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  remove(): Promise<void>;
}

/** A new broker, running. */
export const createOwnBroker = async (): Promise<OwnBroker> => {
  const folder = await mkdtemp(path.join(tmpdir(), 'parley-kafka-'));
  const port = await anyFreePort();
  const options = { folder, port, controllerPort: await anyFreePort(), sessionMs: killedSessionMs };
  let { process: broker } = await startKafka(options);

  return {
    brokers: [`127.0.0.1:${port}`],
    kill: async () => {
      process.kill(broker.pid, 'SIGKILL');
      await broker.ended;
    },
    restart: async () => {
      ({ process: broker } = await startKafka(options));
    },
    remove: async () => {
      await broker.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
};
