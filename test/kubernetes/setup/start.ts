/**
 * Jest's global set-up of the tests on a real Kubernetes control plane: PostgreSQL, Temporal and one cluster for all
 * files.
 */
import path from 'node:path';
import { allStarted } from '../../integration/setup/all-started';
import { stopAtTheEnd } from '../../integration/setup/running-services';
import { announceServices } from '../../integration/setup/services';
import {
  bundleTestWorkflows,
  startForRun,
  startTestPostgres,
  startTestTemporal,
} from '../../integration/setup/start-services';
import { announceKubernetes } from '../rig/addresses';
import { giveRights } from '../rig/rights';
import { type StartedKubernetes, startKubernetes } from '../rig/start-kubernetes';

const startCluster = async (folder: string): Promise<StartedKubernetes> => {
  const cluster = await startKubernetes(path.join(folder, 'kubernetes'), { hasPodGroups: true });
  stopAtTheEnd(cluster.stop);
  return cluster;
};

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const [postgresUrl, temporalAddress, workflowBundle, cluster] = await allStarted<
      [string, string, string, StartedKubernetes]
    >([startTestPostgres(folder), startTestTemporal(folder), bundleTestWorkflows(folder), startCluster(folder)]);
    await giveRights(cluster);
    announceServices({ folder, postgresUrl, temporalAddress, kafkaBrokers: [], workflowBundle });
    announceKubernetes(cluster);
  });
