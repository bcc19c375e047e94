/**
 * The workflow `vnf`: the states are those of `default`, the rolling ones go through many hosts at once. Every instance
 * is asked its own question, within the constraints that its project stored (planning/vnf/vnf-plan.ts).
 */
import { defaultWorkflow } from './default';
import type { WorkflowPlugin } from './workflow-plugin';

export const vnfWorkflow: WorkflowPlugin = {
  name: 'vnf',
  states: defaultWorkflow.states,
};
