/** Jest's global set-up of the tests on a real Kubernetes control plane: PostgreSQL and one cluster for all files. */
import path from 'node:path';
import { allStarted } from '../../integration/setup/all-started';
import { stopAtTheEnd } from '../../integration/setup/running-services';
import { announceServices } from '../../integration/setup/services';
import { startForRun, startTestPostgres } from '../../integration/setup/start-services';
import { announceKubernetes } from '../rig/addresses';
import { giveRights } from '../rig/rights';
import { startKubernetes } from '../rig/start-kubernetes';

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const [postgresUrl, cluster] = await allStarted([
      startTestPostgres(folder),
      startKubernetes(path.join(folder, 'kubernetes')),
    ]);
    stopAtTheEnd(cluster.stop);
    await giveRights(cluster);
    announceServices({ folder, postgresUrl, temporalAddress: '', kafkaBrokers: [], workflowBundle: '' });
    announceKubernetes(cluster);
  });
