/** Makes the failure of a workflow that fails on purpose. */
import { ApplicationFailure } from '@temporalio/workflow';

/** Leaves out the stack: readers of Temporal Web UI need only the message, not the place in the code. */
export const toldFailure = (message: string, type: string): ApplicationFailure => {
  const failure = ApplicationFailure.nonRetryable(message, type);
  delete failure.stack;
  return failure;
};
