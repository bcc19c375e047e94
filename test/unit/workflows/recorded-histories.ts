/** The histories of runs that shipped versions began, and a bundle of the workflows that go on with them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import {
  bundleWorkflowCode,
  DefaultLogger,
  Runtime,
  Worker,
  type WorkflowBundle,
  type WorkflowBundleWithSourceMap,
} from '@temporalio/worker';
import { withPackage } from '../../../worker/package-bundle';

const folder = path.join(__dirname, '..', '..', 'histories');
export const workflowsPath = path.join(__dirname, '..', '..', '..', 'workflows');

/** Without `.json`. */
export const historyNames = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

const loader = path.join(__dirname, 'without-patch.cjs');

/** What the session in session-packaged.json has downloaded. */
const ownWorkflow = 'own-workflow.cjs';

/** @param without a patch that is taken out: its new path is taken always */
export const bundleWorkflows = async (without?: string): Promise<WorkflowBundle> => {
  const { code } = await bundleServiceWorkflows(without);
  const text = readFileSync(path.join(folder, ownWorkflow), 'utf8');
  return { code: withPackage(code, { entry: ownWorkflow, files: [{ path: ownWorkflow, text }] }) };
};

const bundleServiceWorkflows = (without?: string): Promise<WorkflowBundleWithSourceMap> =>
  bundleWorkflowCode({
    workflowsPath,
    logger,
    ...(without !== undefined && {
      webpackConfigHook: (config) => {
        const rule = {
          test: /\.ts$/,
          include: workflowsPath,
          enforce: 'pre' as const,
          loader,
          options: { patch: without },
        };
        return { ...config, module: { ...config.module, rules: [...(config.module?.rules ?? []), rule] } };
      },
    }),
  });

/** @throws Error where the workflows of the bundle would have gone another way */
export const replay = (workflowBundle: WorkflowBundle, name: string): Promise<void> => {
  const history: unknown = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
  return Worker.runReplayHistory({ workflowBundle }, history, name);
};
