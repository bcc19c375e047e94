/** Opens a span for each attempt of an activity, in the trace of the session whose workflow asked for it. */
import type { Context } from '@temporalio/activity';
import type { ActivityInboundCallsInterceptor, ActivityInterceptors } from '@temporalio/worker';
import { isUuid } from '../rules/cloud/id';
import type { Tracing } from '../telemetry/tracing/tracing';

/** IDs of workflows begin with that of their session; the sweeper's does not. */
const sessionOf = (workflowId: string): string | undefined => {
  const [first = ''] = workflowId.split('/');
  return isUuid(first) ? first : undefined;
};

export const traceActivities =
  (tracing: Tracing) =>
  ({ info }: Pick<Context, 'info'>): ActivityInterceptors => {
    const sessionId = sessionOf(info.workflowExecution?.workflowId ?? '');
    const attributes = { 'parley.attempt': String(info.attempt) };
    const inbound: ActivityInboundCallsInterceptor = {
      execute: (input, next) =>
        tracing.inSpan({ name: `activity ${info.activityType}`, sessionId, attributes }, () => next(input)),
    };
    return { inbound };
  };
