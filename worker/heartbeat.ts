/** Every activity heartbeats while it runs, so that the server notices a killed worker within the heartbeat timeout. */
import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';

const everyMs = 2_000;

export const heartbeatWhileRunning = (context: Context): ActivityInterceptors => {
  const inbound: ActivityInboundCallsInterceptor = {
    async execute(input, next) {
      const beat = setInterval(() => context.heartbeat(), everyMs);
      try {
        return await next(input);
      } finally {
        clearInterval(beat);
      }
    },
  };
  return { inbound };
};
