/** Part of the build: bundles the workflows once, so that workers start at once and all of them run the same code. */
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowsPath } from './make-worker';

const main = async (): Promise<void> => {
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('WARN') });
  await writeFile(path.join(__dirname, '..', 'workflow-bundle.js'), code);
};

void main();
