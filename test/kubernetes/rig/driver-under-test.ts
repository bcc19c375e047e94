/** The kubernetes driver on the test cluster, with the rights of the service, as a process would open it. */
import type { KubernetesCloud } from '../../../clouds/kubernetes/kubernetes-cloud';
import { openKubernetes } from '../../../clouds/kubernetes/open-kubernetes';
import { loadSettings } from '../../../config/settings';
import type { Database } from '../../../prisma/database';
import { testKubernetes } from './addresses';

/** A test calls the driver itself, and nobody repeats a call that a busy machine did not answer in time. */
const patience = { PARLEY_KUBERNETES_TIMEOUT_SECONDS: '60' };

/** The service of a test may be slow to answer as well. */
export const serviceEnvironment = (): Record<string, string> => ({
  PARLEY_CLOUD: 'kubernetes',
  KUBECONFIG: testKubernetes().serviceKubeconfig,
  ...patience,
});

export const openDriver = (db: Database, environment: Readonly<Record<string, string>> = {}): KubernetesCloud => {
  const env = { DATABASE_URL: 'postgresql://set@by-the-test:1/none', ...serviceEnvironment() };
  return openKubernetes({ settings: loadSettings({ ...env, ...environment }), db });
};
