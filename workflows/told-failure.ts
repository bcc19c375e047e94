/** How a workflow fails on purpose. */
import { ApplicationFailure } from '@temporalio/workflow';

/**
 * Its words are all there is to say: where in the code it was thrown is of no use to who reads it in Temporal Web UI.
 */
export const toldFailure = (message: string, type: string): ApplicationFailure => {
  const failure = ApplicationFailure.nonRetryable(message, type);
  delete failure.stack;
  return failure;
};
