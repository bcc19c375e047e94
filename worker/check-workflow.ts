/**
 * Looks at the workflow of a session's packages before they are accepted: a worker with their bundle runs one short
 * workflow, `<session_id>/check`, in the very sandbox that the session will run in.
 */
import { randomUUID } from 'node:crypto';
import { type Client, TimeoutFailure, WorkflowFailedError } from '@temporalio/client';
import { NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import type { CheckWorkflow, WorkflowCandidate } from '../activities/services';
import { findTaskFailure } from '../control/workflow-state';
import { type CheckedWorkflow, type CheckInput, checkWorkflowId, workflowTypes } from '../workflows/messages';
import { makePackageWorker } from './package-worker';

export interface WorkflowCheckParts {
  readonly temporalAddress: string;
  readonly client: Client;
  readonly workflowBundle: WorkflowBundleOption;
}

/** A module that has not loaded by then never will. */
const patienceSeconds = 30;

export const createWorkflowCheck =
  (parts: WorkflowCheckParts): CheckWorkflow =>
  async (candidate) => {
    const { client, workflowBundle, temporalAddress } = parts;
    const { folder, module } = candidate;
    const connection = await NativeConnection.connect({ address: temporalAddress });
    try {
      // Nobody else can answer on a queue with this name.
      const taskQueue = `parley-check-${randomUUID()}`;
      const { namespace } = client.options;
      const worker = await makePackageWorker({ connection, namespace, taskQueue, workflowBundle, folder, module });
      return await worker.runUntil(runCheck(client, candidate, taskQueue));
    } finally {
      await connection.close();
    }
  };

const runCheck = async (
  client: Client,
  { sessionId, workflow, signal }: WorkflowCandidate,
  taskQueue: string,
): Promise<CheckedWorkflow> => {
  const handle = await client.workflow.start<(input: CheckInput) => Promise<CheckedWorkflow>>(workflowTypes.check, {
    workflowId: checkWorkflowId(sessionId),
    // What an earlier attempt has left is of no interest.
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
