/** The worker process. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { runService } from '../config/run-program';
import { loadSettings } from '../config/settings';
import { keepHeapSmall } from './keep-heap-small';
import { runWorker } from './run-worker';

/** `npm run build` bundles the workflows, so that a worker starts at once. */
const bundleMadeByBuild = (): { codePath: string } | undefined => {
  const codePath = path.join(__dirname, '..', 'workflow-bundle.js');
  return existsSync(codePath) ? { codePath } : undefined;
};

const main = (stopping: AbortSignal): Promise<void> => {
  keepHeapSmall();
  const workflowBundle = bundleMadeByBuild();
  return runWorker(loadSettings(process.env), { stopping, ...(workflowBundle !== undefined && { workflowBundle }) });
};

runService('worker', main);
