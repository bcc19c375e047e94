/** The worker process. Its modules are loaded when its environment is hidden, which begins the process anew. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { hideEnvironment } from '../startup/hide-environment';

/** `npm run build` bundles the workflows, so that a worker starts at once. */
const bundleMadeByBuild = (): { codePath: string } | undefined => {
  const codePath = path.join(__dirname, '..', 'workflow-bundle.js');
  return existsSync(codePath) ? { codePath } : undefined;
};

const main = async (stopping: AbortSignal): Promise<void> => {
  const [{ loadSettings }, { keepHeapSmall }, { runWorker }] = await Promise.all([
    import('../config/settings.js'),
    import('./keep-heap-small.js'),
    import('./run-worker.js'),
  ]);
  keepHeapSmall();
  const workflowBundle = bundleMadeByBuild();
  return runWorker(loadSettings(process.env), { stopping, ...(workflowBundle !== undefined && { workflowBundle }) });
};

hideEnvironment(process.env);
void import('../config/run-program.js').then(({ runService }) => runService('worker', main));
