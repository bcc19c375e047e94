/** The present state of a workflow in Temporal. */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

export type WorkflowState =
  | { readonly isOpen: false; readonly task?: undefined }
  | {
      readonly isOpen: true;
      readonly runId: string;
      /**
       * The workflow task that is due, if there is one: the number of attempts, and the time since which no worker
       * takes it.
       */
      readonly task?: { readonly attempt: number; readonly waitsSince?: Date };
    };

type Task = Pick<WorkflowState & { readonly isOpen: true }, 'task'>;

export const findWorkflowState = async (client: Client, workflowId: string): Promise<WorkflowState> => {
  try {
    const description = await client.workflow.getHandle(workflowId).describe();
    const { status, runId } = description;
    return status.name === 'RUNNING' ? { isOpen: true, runId, ...taskOf(description) } : { isOpen: false };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return { isOpen: false };
    throw error;
  }
};

export const isWorkflowOpen = async (client: Client, workflowId: string): Promise<boolean> =>
  (await findWorkflowState(client, workflowId)).isOpen;

const taskOf = ({ raw }: WorkflowExecutionDescription): Task => {
  const { pendingWorkflowTask: pending } = raw;
  if (!pending) return {};
  const { startedTime, scheduledTime } = pending;
  const isTaken = startedTime?.seconds !== undefined && Number(startedTime.seconds) > 0;
  const waitsSince = !isTaken && scheduledTime ? { waitsSince: new Date(Number(scheduledTime.seconds) * 1000) } : {};
  return { task: { attempt: pending.attempt ?? 1, ...waitsSince } };
};

/**
 * The failure of the last task is among this many events at a history's end, since further attempts leave no events.
 */
const lastEvents = 10;

/** The reason for which the workflow's last task failed; undefined when it did not fail. */
export const findTaskFailure = async (client: Client, workflowId: string): Promise<string | undefined> => {
  const { history } = await client.workflowService.getWorkflowExecutionHistoryReverse({
    namespace: client.options.namespace,
    execution: { workflowId },
    maximumPageSize: lastEvents,
  });
  const failed = (history?.events ?? []).find(
    ({ workflowTaskFailedEventAttributes }) => workflowTaskFailedEventAttributes,
  );
  return failed?.workflowTaskFailedEventAttributes?.failure?.message ?? undefined;
};
