/**
 * Checks the workflow of a session's packages in the same sandbox in which it will run, and returns its name and
 * states, or its fault. Runs before the packages are accepted (worker/check-workflow.ts).
 */
import type { CheckedWorkflow, CheckInput } from '../temporal/workflow-messages';
import { inWords, loadPackagedWorkflow } from './packaged-workflow';

export const checkWorkflow = ({ workflow }: CheckInput): Promise<CheckedWorkflow> => Promise.resolve(look(workflow));

const look = (workflow: string): CheckedWorkflow => {
  try {
    const { states, rolling = 'default' } = loadPackagedWorkflow({ name: workflow, cancelGraceSeconds: 0 });
    return { kind: 'fits', states: Object.keys(states), rolling };
  } catch (error) {
    return { kind: 'unfit', because: inWords(error) };
  }
};
