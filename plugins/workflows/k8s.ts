/**
 * The workflow `k8s`: it has the states of `default`, and its rolling states decide as those of `vnf` do. Only projects
 * that want to be asked are asked (rules/decisions/both-workflows/without-a-word.ts).
 */
import { defaultWorkflow } from './default';
import type { WorkflowPlugin } from './workflow-plugin';

export const k8sWorkflow: WorkflowPlugin = {
  name: 'k8s',
  states: defaultWorkflow.states,
};
