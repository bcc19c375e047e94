/** Counts the attempts of activities that are in flight on a task queue. */
import type { ActivityInterceptorsFactory } from '@temporalio/worker';

export interface AttemptsInFlight {
  readonly count: () => number;
  readonly interceptor: ActivityInterceptorsFactory;
}

export const createInFlight = (): AttemptsInFlight => {
  let count = 0;
  return {
    count: () => count,
    interceptor: () => ({
      inbound: {
        async execute(input, next) {
          count += 1;
          try {
            return await next(input);
          } finally {
            count -= 1;
          }
        },
      },
    }),
  };
};
