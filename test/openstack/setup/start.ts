/** Jest's global set-up of the tests on a real OpenStack: PostgreSQL, Temporal, Kafka, Keystone and Nova, for
 * all suites. */
import path from 'node:path';
import { stopAtTheEnd } from '../../integration/setup/running-services';
import { announceServices } from '../../integration/setup/services';
import {
  allStarted,
  bundleTestWorkflows,
  startForRun,
  startTestKafka,
  startTestPostgres,
  startTestTemporal,
} from '../../integration/setup/start-services';
import { announceOpenStack, type OpenStackAddresses } from '../rig/openstack-addresses';
import { startOpenStack } from '../rig/start-openstack';

const startTestOpenStack = async (folder: string): Promise<OpenStackAddresses> => {
  const { stop, ...addresses } = await startOpenStack({ folder: path.join(folder, 'openstack'), computes: 6 });
  stopAtTheEnd(stop);
  return addresses;
};

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const started = await allStarted<[string, string, string, string, OpenStackAddresses]>([
      startTestPostgres(folder),
      startTestTemporal(folder),
      startTestKafka(folder),
      bundleTestWorkflows(folder),
      startTestOpenStack(folder),
    ]);
    const [postgresUrl, temporalAddress, kafkaAddress, workflowBundle, openStack] = started;
    announceServices({ postgresUrl, temporalAddress, kafkaBrokers: [kafkaAddress], workflowBundle });
    announceOpenStack(openStack);
  });
