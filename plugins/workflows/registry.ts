/** The built-in workflow plug-ins. Pure data: the API reads the names and states, the workflow bundle the handlers. */
import { defaultWorkflow } from './default';
import { k8sWorkflow } from './k8s';
import { vnfWorkflow } from './vnf';
import type { WorkflowPlugin } from './workflow-plugin';

export const workflowPlugins: ReadonlyMap<string, WorkflowPlugin> = new Map(
  [defaultWorkflow, vnfWorkflow, k8sWorkflow].map((plugin) => [plugin.name, plugin]),
);

/** The states that a session of each workflow may start in. */
export const startStates: ReadonlyMap<string, readonly string[]> = new Map(
  [...workflowPlugins].map(([name, plugin]) => [name, Object.keys(plugin.states)]),
);
