/** Whether a workflow is open just now, as Temporal tells. */
import { type Client, WorkflowNotFoundError } from '@temporalio/client';

export const isWorkflowOpen = async (client: Client, workflowId: string): Promise<boolean> => {
  try {
    return (await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
