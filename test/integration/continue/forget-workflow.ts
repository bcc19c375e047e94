/** Has Temporal forget a closed workflow, as when the retention of the namespace is over. */
import { eventually } from '../../waiting/eventually';
import type { Rig } from '../rig/rig';

export const forgetWorkflow = async ({ client }: Rig, workflowId: string): Promise<void> => {
  const { namespace } = client.options;
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  // The server deletes when its queues have let go of the workflow, and tries again ever more slowly until then.
  await eventually('Temporal has forgotten the workflow', async () => {
    const known = await client.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => undefined);
    return known === undefined ? true : undefined;
  });
};
