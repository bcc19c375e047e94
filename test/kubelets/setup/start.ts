/** Jest's global set-up of the tests on real kubelets: PostgreSQL, Temporal, and one cluster of four nodes. */
import path from 'node:path';
import { rightsTable } from '../../../clouds/kubernetes/rights/table';
import { allStarted } from '../../integration/setup/all-started';
import { stopAtTheEnd } from '../../integration/setup/running-services';
import { announceServices } from '../../integration/setup/services';
import {
  bundleTestWorkflows,
  startForRun,
  startTestPostgres,
  startTestTemporal,
} from '../../integration/setup/start-services';
import { announceKubernetes } from '../../kubernetes/rig/addresses';
import { giveRights, rbac, serviceUser } from '../../kubernetes/rig/rights';
import { clientOf } from '../../kubernetes/rig/start-kubernetes';
import { announceKubelets, jobNamespace } from '../rig/addresses';
import { makeApplications } from '../rig/applications';
import { whyNoKubelets } from '../rig/can-run';
import { type StartedKubelets, startKubelets } from '../rig/start-kubelets';

const nodeCount = 4;

const startNodes = async (folder: string): Promise<StartedKubelets> => {
  const cluster = await startKubelets(path.join(folder, 'kubelets'), nodeCount);
  stopAtTheEnd(cluster.stop);
  return cluster;
};

/** The rights of the action plug-ins `job` and `reboot`. */
const giveRightsOfJobs = async ({ adminKubeconfig }: StartedKubelets): Promise<void> => {
  const admin = clientOf(adminKubeconfig);
  const [metadata, namespaced] = [{ name: 'parley-jobs' }, `${rbac}/namespaces/${jobNamespace}`];
  const rules = rightsTable
    .filter(({ role }) => role === 'jobs')
    .map(({ group, resource, verbs }) => ({ apiGroups: [group], resources: [resource], verbs }));
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'parley-jobs' };
  const binding = { metadata, roleRef, subjects: [serviceUser] };
  const namespace = { metadata: { name: jobNamespace } };
  await admin.call({ method: 'POST', path: '/api/v1/namespaces', body: namespace });
  await admin.call({ method: 'POST', path: `${namespaced}/roles`, body: { metadata, rules } });
  await admin.call({ method: 'POST', path: `${namespaced}/rolebindings`, body: binding });
  await admin.close();
};

const startApplications = async ({ adminKubeconfig }: StartedKubelets): Promise<void> => {
  const admin = clientOf(adminKubeconfig);
  await makeApplications(admin);
  await admin.close();
};

// Jest wants the set-up as default export
export default (): Promise<void> =>
  startForRun(async (folder) => {
    const missing = whyNoKubelets();
    if (missing !== undefined) throw new Error(missing);
    const [postgresUrl, temporalAddress, workflowBundle, cluster] = await allStarted<
      [string, string, string, StartedKubelets]
    >([startTestPostgres(folder), startTestTemporal(folder), bundleTestWorkflows(folder), startNodes(folder)]);
    await giveRights(cluster);
    await giveRightsOfJobs(cluster);
    await startApplications(cluster);
    announceServices({ folder, postgresUrl, temporalAddress, kafkaBrokers: [], workflowBundle });
    announceKubernetes(cluster);
    announceKubelets(cluster.folder);
  });
