/** The Kubernetes cluster of a test run, which the global set-up starts (../setup/start.ts). */
import type { KubernetesAddresses } from './start-kubernetes';

const variable = 'PARLEY_TEST_KUBERNETES';

/** Passes the addresses on to the test files. */
export const announceKubernetes = ({ adminKubeconfig, serviceKubeconfig }: KubernetesAddresses): void => {
  process.env[variable] = JSON.stringify({ adminKubeconfig, serviceKubeconfig });
};

export const testKubernetes = (): KubernetesAddresses => {
  const announced = process.env[variable];
  if (announced === undefined) throw new Error('no Kubernetes is started: run `npm run test:kubernetes`');
  return JSON.parse(announced) as KubernetesAddresses;
};
