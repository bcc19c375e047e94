/**
 * Jest's global set-up of the integration tests: PostgreSQL with a migrated template database, Temporal and Kafka; the
 * workflows' bundle; and the Python packages of the tests that want Keystone.
 */
import { pythonWithOpenStack } from '../../openstack/rig/python-packages';
import { allStarted } from './all-started';
import { announceServices } from './services';
import {
  bundleTestWorkflows,
  startForRun,
  startTestKafka,
  startTestPostgres,
  startTestTemporal,
} from './start-services';

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const started = await allStarted<[string, string, string, string, string]>([
      startTestPostgres(folder),
      startTestTemporal(folder),
      startTestKafka(folder),
      bundleTestWorkflows(folder),
      pythonWithOpenStack(), // made here, so that no test waits for it
    ]);
    const [postgresUrl, temporalAddress, kafkaAddress, workflowBundle] = started;
    announceServices({ folder, postgresUrl, temporalAddress, kafkaBrokers: [kafkaAddress], workflowBundle });
  });
