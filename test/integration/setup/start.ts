/**
 * Jest's global set-up of the integration tests: PostgreSQL with a migrated template database, Temporal and Kafka; and
 * the Python environment of the tests that want Keystone.
 */
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { keystonePython } from '../../keystone-rig/keystone-rig';
import { startKafka } from './kafka/kafka-broker';
import { stopAtTheEnd } from './running-services';
import { announceServices } from './services';
import { allStarted, startForRun, startTestPostgres, startTestTemporal } from './start-services';

const startTestKafka = async (folder: string): Promise<string> => {
  const port = await anyFreePort();
  const kafka = await startKafka({ folder: path.join(folder, 'kafka'), port, controllerPort: await anyFreePort() });
  stopAtTheEnd(kafka.stop);
  return kafka.address;
};

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const [postgresUrl, temporalAddress, kafkaAddress] = await allStarted<[string, string, string, string]>([
      startTestPostgres(folder),
      startTestTemporal(folder),
      startTestKafka(folder),
      keystonePython(), // made here, so that no test waits for it
    ]);
    announceServices({ postgresUrl, temporalAddress, kafkaBrokers: [kafkaAddress] });
  });
