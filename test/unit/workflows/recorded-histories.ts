/** The histories of runs that shipped versions began, and a bundle of the workflows that go on with them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, Worker } from '@temporalio/worker';
import { withPackage } from '../../../worker/package-bundle';
import { installOnce } from '../../integration/rig/temporal-runtime';
import { keptBundle } from '../../run/workflow-bundle';

const folder = path.join(__dirname, '..', '..', 'histories');
export const workflowsPath = path.join(__dirname, '..', '..', '..', 'workflows');

/** Without `.json`. */
export const historyNames = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

installOnce({ logger: new DefaultLogger('ERROR') });

/** The downloads of the session in session-packaged.json. */
const ownWorkflow = 'own-workflow.cjs';

export interface BundleCode {
  readonly code: string;
}

/** The workflows as they are now, with the package of session-packaged.json. */
export const bundleWorkflows = async (): Promise<BundleCode> => {
  const code = await keptBundle();
  const text = readFileSync(path.join(folder, ownWorkflow), 'utf8');
  return { code: withPackage(code, { entry: ownWorkflow, files: [{ path: ownWorkflow, text }] }) };
};

/**
 * The bundle as it would be if the patch had been left out from the beginning: its new path is taken always.
 * @throws Error where the patch is not in it
 */
export const withoutPatch = ({ code }: BundleCode, patch: string): BundleCode => {
  const without = code.replaceAll(new RegExp(`\\([^()]*\\.patched\\)\\('${patch}'\\)`, 'g'), 'true');
  if (without === code) throw new Error(`the bundle does not ask for the patch ${patch}`);
  return { code: without };
};

/** @throws Error where the workflows of the bundle would have gone another way */
export const replay = (workflowBundle: BundleCode, name: string): Promise<void> => {
  const history: unknown = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  return Worker.runReplayHistory({ workflowBundle }, history, name);
};
