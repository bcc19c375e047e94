/** A Temporal worker for workflows that packages have brought: it has their bundle, and no activities. */
import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { readWorkflowFiles } from '../downloads/workflow-files';
import { codeOf, withPackage } from './package-bundle';

export interface PackageWorkerParts {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly taskQueue: string;
  /** The service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
  /** The session's files. */
  readonly folder: string;
  /** The workflow's own module, by its path within the folder. */
  readonly module: string;
}

/** @throws DownloadRefused where the package cannot be bundled */
export const makePackageWorker = async (parts: PackageWorkerParts): Promise<Worker> => {
  const { connection, namespace, taskQueue, workflowBundle, folder, module } = parts;
  const entry = module.replace(/^workflow\//, '');
  const code = withPackage(await codeOf(workflowBundle), { entry, files: await readWorkflowFiles(folder) });
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { code },
    // One session, and seldom more than one task of it at a time.
    maxCachedWorkflows: 10,
    maxConcurrentWorkflowTaskExecutions: 10,
    // A killed worker's sticky tasks go to another one after this time.
    stickyQueueScheduleToStartTimeout: '5s',
    shutdownForceTime: '15s',
  });
};
