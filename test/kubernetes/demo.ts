/**
 * `make demo-kubernetes`: a real control plane of Kubernetes on this machine, with kwok in the place of kubelets, ten
 * nodes and applications with budgets. `kubectl drain` takes them node after node, and then one session does, with a
 * manager that answers for the application that wants to be asked. Nothing of it touches any other cluster.
 */
import path from 'node:path';
import { clearDataFolder } from '../../cli/demo/clear-data-folder';
import { freePortFrom } from '../../cli/stack/ports';
import { startStack } from '../../cli/stack/supervise';
import { stopSignal } from '../../cli/stop-signal';
import { namespaces } from '../../clouds/kubernetes/objects/others';
import { type ClusterSize, fillCluster, nodeNames, respread } from './compare/applications';
import { drainWithKubectl } from './compare/kubectl-drain';
import { maintainNodes } from './compare/session-over-nodes';
import { kubectlProgram } from './rig/programs';
import { giveRights } from './rig/rights';
import { clientOf, endLeftOverKubernetes, type KubernetesAddresses, startKubernetes } from './rig/start-kubernetes';
import { watchBudgets } from './rig/watch-budgets';

const size: ClusterSize = { nodes: 10, applications: 5, replicas: 10, away: 2 };
const maintenanceSeconds = 5;
const dataDir = path.resolve('.parley', 'demo-kubernetes');

const tell = (line: string): void => {
  process.stdout.write(`${line}\n`);
};

const environment = async ({ serviceKubeconfig: KUBECONFIG }: KubernetesAddresses): Promise<NodeJS.ProcessEnv> => ({
  ...process.env,
  PARLEY_CLOUD: 'kubernetes',
  KUBECONFIG,
  PARLEY_DATA_DIR: dataDir,
  PARLEY_PORT: String(await freePortFrom(12_347)),
});

const bySession = async (cluster: KubernetesAddresses, signal: AbortSignal): Promise<number> => {
  const stack = await startStack({ env: await environment(cluster), tell, signal });
  try {
    tell(`API  ${stack.addresses.api}`);
    const session = { hosts: nodeNames(size), workflow: 'k8s', maintenanceSeconds };
    return await maintainNodes(stack.addresses.api, { ...session, signal, tell });
  } finally {
    await stack.stop();
  }
};

const compare = async (cluster: KubernetesAddresses, signal: AbortSignal): Promise<void> => {
  const { adminKubeconfig: kubeconfig } = cluster;
  const admin = clientOf(kubeconfig);
  await giveRights(cluster);
  await fillCluster(admin, size);
  const patch = { metadata: { annotations: { 'parley.maintenance/ask': 'true' } } };
  await admin.patch(namespaces, { name: 'app-1' }, { patch, type: 'merge' });
  const kubectl = await kubectlProgram();
  tell(
    `${size.nodes} nodes, ${size.applications * size.replicas} pods; app-1 wants to be asked. kubectl drain begins.`,
  );
  const before = await drainWithKubectl({ kubectl, kubeconfig, maintenanceSeconds }, nodeNames(size));
  tell(
    `kubectl drain, node after node: ${before.toFixed(0)} s, ${maintenanceSeconds} s of maintenance a node included.`,
  );
  await respread(admin, size);
  const judge = await watchBudgets(kubeconfig);
  const seconds = await bySession(cluster, signal);
  tell(
    `One session: ${seconds.toFixed(0)} s. The fewest healthy pods of each application, and those its budget wants:`,
  );
  for (const { name, fewest, needed } of judge.seen()) tell(`  ${name}  ${fewest}  (${needed})`);
  judge.stop();
  await admin.close();
};

const demo = async (): Promise<void> => {
  const signal = stopSignal();
  const folder = path.join(dataDir, 'kubernetes');
  await endLeftOverKubernetes(folder);
  await clearDataFolder(dataDir);
  tell('Starting a control plane of Kubernetes (the first time it is downloaded, or built in some minutes).');
  const cluster = await startKubernetes(folder);
  try {
    await compare(cluster, signal);
  } finally {
    tell('Stopping.');
    await cluster.stop();
  }
};

demo().catch((error: unknown) => {
  tell(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
});
