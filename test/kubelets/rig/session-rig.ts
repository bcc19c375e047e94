/** The service on the nodes of the run, with those that judge it. */
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { type Rig, startRig } from '../../integration/rig/rig';
import { testKubernetes } from '../../kubernetes/rig/addresses';
import { serviceEnvironment } from '../../kubernetes/rig/driver-under-test';
import { clientOf } from '../../kubernetes/rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from '../../kubernetes/rig/watch-budgets';
import { jobNamespace } from './addresses';
import { applicationsReady } from './applications';
import { type BootWatch, watchBoots } from './watch-boots';

export interface SessionRig {
  readonly rig: Rig;
  readonly admin: KubernetesClient;
  readonly budgets: BudgetWatch;
  readonly boots: BootWatch;
  readonly stop: () => Promise<void>;
}

export const startSessionRig = async (): Promise<SessionRig> => {
  const { adminKubeconfig } = testKubernetes();
  const admin = clientOf(adminKubeconfig);
  await applicationsReady(admin);
  const [budgets, boots] = [await watchBudgets(adminKubeconfig), await watchBoots(adminKubeconfig)];
  // A node may be silent for longer than an eviction takes elsewhere in the tests.
  const own = { PARLEY_JOB_NAMESPACE: jobNamespace, PARLEY_MOVE_SECONDS: '1800' };
  const rig = await startRig({ environment: { ...serviceEnvironment(), ...own } });
  const stop = async (): Promise<void> => {
    await rig.stop();
    budgets.stop();
    boots.stop();
    await admin.close();
  };
  return { rig, admin, budgets, boots, stop };
};

export const hosts = [0, 1, 2, 3].map((number) => `node-${number}`);

/** The image of the applications, which has nsenter. */
export const image = 'parley.local/app:1';

/** Budgets that were not kept. */
export const brokenIn = (budgets: BudgetWatch) => budgets.seen().filter(({ fewest, needed }) => fewest < needed);
