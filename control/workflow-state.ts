/** How a workflow is just now, as Temporal tells. */
import { type Client, type WorkflowExecutionDescription, WorkflowNotFoundError } from '@temporalio/client';

export type WorkflowState =
  | { readonly isOpen: false; readonly task?: undefined }
  | {
      readonly isOpen: true;
      readonly runId: string;
      /** Of the workflow task that is due, where one is: how often it was tried, and since when nobody takes it. */
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

/** Events at a history's end among which the failure of its last task is: the further attempts leave none. */
const lastEvents = 10;

/** Why the workflow's last task failed; undefined where it did not. */
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
