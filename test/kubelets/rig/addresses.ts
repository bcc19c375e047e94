/** The nodes of a test run, which the global set-up starts (../setup/start.ts). */
import { type NodePower, nodePower } from './node-power';

const variable = 'PARLEY_TEST_KUBELETS';

/** The namespace of the service's own Jobs. */
export const jobNamespace = 'maintenance';

/** Passes the folder of the rig on to the test files. */
export const announceKubelets = (folder: string): void => {
  process.env[variable] = folder;
};

export const testNodes = (): NodePower => {
  const folder = process.env[variable];
  if (folder === undefined) throw new Error('no kubelets are started: run `npm run test:kubelets`');
  return nodePower(folder);
};
