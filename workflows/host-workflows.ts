/**
 * Starts and wakes the workflows of a session's hosts: one child per host under work. A workflow that is open already
 * is adopted.
 */
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  CancellationScope,
  ChildWorkflowCancellationType,
  getExternalWorkflowHandle,
  ParentClosePolicy,
  startChild,
} from '@temporalio/workflow';
import {
  type abort,
  type HostInput,
  hostWorkflowId,
  searchAttributes,
  taskQueue,
  type wakeUp,
  workflowTypes,
} from '../temporal/workflow-messages';

type HostMessage = typeof wakeUp | typeof abort;

/** Makes sure that the host's workflow is open and has been told to look at its row. */
export type TellHost = (hostname: string, message: HostMessage) => Promise<void>;

export const hostTeller = (sessionId: string): TellHost => {
  const adopted = new Set<string>();
  return async (hostname, message) => {
    if (adopted.has(hostname) && (await signalled(sessionId, hostname, message))) return;
    const isNew = await unlessCancelled(startHost({ sessionId, hostname }));
    adopted.add(hostname);
    if (!isNew) await signalled(sessionId, hostname, message);
  };
};

/** A start that is cancelled before Temporal answers may never be answered: an aborted session would wait for ever. */
const unlessCancelled = <T>(start: Promise<T>): Promise<T> =>
  Promise.race([start, CancellationScope.current().cancelRequested]);

/** False when the host's workflow is not open, or not any more. */
const signalled = async (sessionId: string, hostname: string, message: HostMessage): Promise<boolean> => {
  try {
    await getExternalWorkflowHandle(hostWorkflowId(sessionId, hostname)).signal(message.name);
    return true;
  } catch {
    return false;
  }
};

/** False when the workflow is open already: an earlier run of the session started it. */
const startHost = async (input: HostInput): Promise<boolean> => {
  try {
    await startChild(workflowTypes.host, {
      workflowId: hostWorkflowId(input.sessionId, input.hostname),
      args: [input],
      // The main task queue, because the session may run on one of its own.
      taskQueue,
      // A host's work continues over resets and new runs of its session. Its row ends it.
      parentClosePolicy: ParentClosePolicy.ABANDON,
      cancellationType: ChildWorkflowCancellationType.ABANDON,
      typedSearchAttributes: [{ key: searchAttributes.host, value: input.hostname }],
    });
    return true;
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return false;
    throw error;
  }
};
