/**
 * The workflow `vnf`: it has the states of `default`, and its rolling states work on many hosts at once. Every instance
 * has its own question, within the constraints that its project stored (rules/steps/decide-all-vnf.ts).
 */
import { defaultWorkflow } from './default';
import type { WorkflowPlugin } from './workflow-plugin';

export const vnfWorkflow: WorkflowPlugin = {
  name: 'vnf',
  states: defaultWorkflow.states,
};
