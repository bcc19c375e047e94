/** Jest's global set-up of the tests on real guests: that on a real OpenStack, with one Nova on hosts with libvirt. */
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
import { announceOpenStack } from '../../openstack/rig/openstack-addresses';
import { startOpenStack } from '../../openstack/rig/start-openstack';
import { startGuestHosts } from '../rig/guest-hosts';

export const guestComputes = ['compute-1', 'compute-2', 'compute-3'] as const;

const startNovaWithGuests = async (folder: string): Promise<void> => {
  const hosts = await startGuestHosts(path.join(folder, 'guests'), guestComputes.length);
  stopAtTheEnd(hosts.stop);
  Object.assign(process.env, hosts.environment);
  const openstack = { folder: path.join(folder, 'openstack'), regions: ['RegionOne'], computes: guestComputes.length };
  const { stop, clouds } = await startOpenStack(openstack);
  stopAtTheEnd(stop);
  announceOpenStack(clouds);
};

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const started = await allStarted<[string, string, string, string, undefined]>([
      startTestPostgres(folder),
      startTestTemporal(folder),
      startTestKafka(folder),
      bundleTestWorkflows(folder),
      startNovaWithGuests(folder).then(() => undefined),
    ]);
    const [postgresUrl, temporalAddress, kafkaAddress, workflowBundle] = started;
    announceServices({ folder, postgresUrl, temporalAddress, kafkaBrokers: [kafkaAddress], workflowBundle });
  });
