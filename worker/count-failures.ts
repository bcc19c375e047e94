/** Counts the attempts of activities that fail. One that was cancelled has not failed. */
import { ApplicationFailure, CancelledFailure, CompleteAsyncError, type Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import type { Measures } from '../telemetry/metrics/measures';

const isFailure = (error: unknown): boolean =>
  !(error instanceof CancelledFailure) && !(error instanceof CompleteAsyncError);

const isRetried = (error: unknown): boolean => !(error instanceof ApplicationFailure && error.nonRetryable === true);

export const countFailures =
  (measures: Measures) =>
  ({ info }: Pick<Context, 'info'>): ActivityInterceptors => {
    const inbound: ActivityInboundCallsInterceptor = {
      async execute(input, next) {
        try {
          return await next(input);
        } catch (error) {
          if (isFailure(error)) measures.activityFailed(info.activityType, isRetried(error));
          throw error;
        }
      },
    };
    return { inbound };
  };
