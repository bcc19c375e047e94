/** Has Temporal forget a closed workflow, as when the retention of the namespace is over. */
import type { Rig } from '../rig/rig';
import { until } from './resumed-session';

export const forgetWorkflow = async ({ client }: Rig, workflowId: string): Promise<void> => {
  const { namespace } = client.options;
  await client.workflowService.deleteWorkflowExecution({ namespace, workflowExecution: { workflowId } });
  // The server deletes when its queues have let go of the workflow, and tries again ever more slowly until then.
  await until('Temporal has forgotten the workflow', 150_000, async () => {
    const known = await client.workflow
      .getHandle(workflowId)
      .describe()
      .catch(() => undefined);
    return known === undefined ? true : undefined;
  });
};
