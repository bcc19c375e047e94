/**
 * The activities for workflows, grouped by their time limits and by what they wait for. Each activity may run twice.
 * Their task queues are named, since a session may have a task queue of its own, where no activities run. A replay does
 * not compare task queues.
 */
import { ActivityCancellationType, proxyActivities, type RetryPolicy } from '@temporalio/workflow';
import type { EventActivities } from '../activities';
import type { DecisionActivities } from '../activities/decisions/decision-activities';
import type { DrainActivities, HostActivities } from '../activities/hosts/host-activities';
import type { PluginActivities } from '../activities/hosts/plugin-activities';
import type { QuestionActivities } from '../activities/questions/question-activities';
import type { DownloadActivities } from '../activities/session/download-activities';
import type { SessionActivities } from '../activities/session/session-activities';
import type { SweepActivities } from '../activities/upkeep/sweep-activities';
import type { WebhookActivities } from '../activities/webhooks/webhook-activities';
import { taskQueue, taskQueueOfHosts, taskQueueOfPlugins } from '../temporal/workflow-messages';

/**
 * Retries wait for a database, bus or cloud that is down. An activity that cannot succeed throws a non-retryable
 * failure.
 */
const untilItWorks: RetryPolicy = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' };

/**
 * Workers heartbeat for every activity (worker/heartbeat.ts), so that Temporal notices a killed worker within this
 * time.
 */
const heartbeatTimeout = '10s';

/** Reads, decisions and records: seconds. */
export const quick = proxyActivities<
  EventActivities & HostActivities & DecisionActivities & QuestionActivities & SessionActivities & SweepActivities
>({
  taskQueue,
  startToCloseTimeout: '2m',
  heartbeatTimeout,
  retry: untilItWorks,
  // An abort waits for an activity that is recording a fact.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/**
 * Drains and moves: hours at worst. The service's settings have the limits (docs/design/states.md). These activities
 * are not cancelled: they watch every action that they started in the cloud until it ends.
 */
export const drains = proxyActivities<DrainActivities>({
  taskQueue: taskQueueOfHosts,
  startToCloseTimeout: '24h',
  heartbeatTimeout,
  retry: untilItWorks,
});

/** Action plug-ins: as long as the operator's own work takes. An abort cancels them and waits for their end. */
export const pluginRuns = proxyActivities<PluginActivities>({
  taskQueue: taskQueueOfPlugins,
  startToCloseTimeout: '7d',
  heartbeatTimeout,
  retry: untilItWorks,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Downloads: as long as the service's settings allow. An abort cancels them and waits for their end. */
export const downloads = proxyActivities<DownloadActivities>({
  taskQueue,
  startToCloseTimeout: '7d',
  heartbeatTimeout,
  retry: untilItWorks,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Deliveries to webhooks: as many as are due, each within its own time limit. */
export const deliveries = proxyActivities<WebhookActivities>({
  taskQueue,
  startToCloseTimeout: '2m',
  heartbeatTimeout,
  retry: untilItWorks,
});
