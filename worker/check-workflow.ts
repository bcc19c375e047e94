/**
 * Checks the workflow of a session's packages before they are accepted: a worker with their bundle runs one short
 * workflow, `<session_id>/check`, in the same sandbox in which the session will run.
 */
import { randomUUID } from 'node:crypto';
import { type Client, TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import type { CheckWorkflow, WorkflowCandidate } from '../activities/services';
import type { TemporalAccess } from '../temporal/temporal-access';
import { type CheckedWorkflow, type CheckInput, checkWorkflowId, workflowTypes } from '../temporal/workflow-messages';
import { findTaskFailure } from '../temporal/workflow-state';
import { startPackageWorker } from './package-worker';

export interface WorkflowCheckParts extends TemporalAccess {
  readonly client: Client;
  /** The bundle of the service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
  readonly logger: Logger;
  /** A module that has not loaded within this time never will. */
  readonly patienceSeconds?: number;
}

export const createWorkflowCheck =
  (parts: WorkflowCheckParts): CheckWorkflow =>
  async (candidate) => {
    const { client, logger, patienceSeconds = 30, ...given } = parts;
    const { sessionId, folder, module } = candidate;
    const { namespace } = client.options;
    // No other worker serves a queue with this name.
    const taskQueue = `parley-check-${randomUUID()}`;
    const ownLogger = logger.child({ sessionId });
    const worker = await startPackageWorker({ ...given, namespace, taskQueue, folder, module, logger: ownLogger });
    try {
      return await runCheck(client, candidate, { taskQueue, patienceSeconds });
    } finally {
      await worker.stop();
    }
  };

const runCheck = async (
  client: Client,
  { sessionId, workflow, signal }: WorkflowCandidate,
  { taskQueue, patienceSeconds }: { readonly taskQueue: string; readonly patienceSeconds: number },
): Promise<CheckedWorkflow> => {
  const handle = await client.workflow.start<(input: CheckInput) => Promise<CheckedWorkflow>>(workflowTypes.check, {
    workflowId: checkWorkflowId(sessionId),
    // Ends the workflow of an earlier attempt, whose result nobody needs.
    workflowIdConflictPolicy: 'TERMINATE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    workflowRunTimeout: `${patienceSeconds}s`,
    taskQueue,
    args: [{ workflow }],
  });
  const stop = () => void handle.terminate('the session is deleted').catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await handle.result();
  } catch (error) {
    const isTimeUp = error instanceof WorkflowFailedError && error.cause instanceof TimeoutFailure;
    if (!isTimeUp) throw error;
    const failure = await findTaskFailure(client, handle.workflowId);
    return { kind: 'unfit', because: failure ?? `its module did not load within ${patienceSeconds} s` };
  } finally {
    signal.removeEventListener('abort', stop);
  }
};
