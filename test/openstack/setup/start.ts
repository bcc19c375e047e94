/**
 * Jest's global set-up of the tests on a real OpenStack: PostgreSQL, Temporal, Kafka and Keystone for all files, and a
 * Nova for each of Jest's workers. Files that run at the same time so never meet on one: each may empty it, disable
 * hosts, stop a compute service, count requests.
 */
import path from 'node:path';
import { allStarted } from '../../integration/setup/all-started';
import { stopAtTheEnd } from '../../integration/setup/running-services';
import { announceServices } from '../../integration/setup/services';
import {
  bundleTestWorkflows,
  startForRun,
  startTestKafka,
  startTestPostgres,
  startTestTemporal,
} from '../../integration/setup/start-services';
import { usualComputes } from '../rig/empty-cloud';
import { announceOpenStack, type OpenStackAddresses } from '../rig/openstack-addresses';
import { startOpenStack } from '../rig/start-openstack';

/** Tests and Nova wait for each other half of the time: three keep two processors busy. Each needs some 400 MB. */
const regions = ['RegionOne', 'RegionTwo', 'RegionThree'];

interface StartTestOpenStack {
  readonly folder: string;
  readonly workers: number;
}

const startTestOpenStack = async ({ folder, workers }: StartTestOpenStack): Promise<readonly OpenStackAddresses[]> => {
  const { stop, clouds } = await startOpenStack({
    folder: path.join(folder, 'openstack'),
    regions: regions.slice(0, workers),
    computes: usualComputes.length,
  });
  stopAtTheEnd(stop);
  return clouds;
};

/** The part of Jest's arguments that matters here. */
interface JestOptions {
  readonly maxWorkers: number;
}

// Jest wants the set-up as default export
export default ({ maxWorkers }: JestOptions): Promise<void> =>
  startForRun(async (folder) => {
    const started = await allStarted<[string, string, string, string, readonly OpenStackAddresses[]]>([
      startTestPostgres(folder),
      startTestTemporal(folder),
      startTestKafka(folder),
      bundleTestWorkflows(folder),
      startTestOpenStack({ folder, workers: maxWorkers }),
    ]);
    const [postgresUrl, temporalAddress, kafkaAddress, workflowBundle, clouds] = started;
    announceServices({ folder, postgresUrl, temporalAddress, kafkaBrokers: [kafkaAddress], workflowBundle });
    announceOpenStack(clouds);
  });
