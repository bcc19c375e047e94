/**
 * The activities as workflows call them, grouped by how long they may take. Every one of them may run twice. They name
 * the main task queue, since a session may run on one of its own, which has no activities.
 */
import { ActivityCancellationType, proxyActivities, type RetryPolicy } from '@temporalio/workflow';
import type { EventActivities } from '../activities';
import type { PlanningActivities } from '../activities/decisions/planning-activities';
import type { HostActivities } from '../activities/hosts/host-activities';
import type { PluginActivities } from '../activities/hosts/plugin-activities';
import type { ActionActivities } from '../activities/moves/action-activities';
import type { QuestionActivities } from '../activities/questions/question-activities';
import type { DownloadActivities } from '../activities/session/download-activities';
import type { SessionActivities } from '../activities/session/session-activities';
import type { SweepActivities } from '../activities/upkeep/sweep-activities';
import { taskQueue } from '../messages/workflow-messages';

/** A database, bus or cloud that is away is waited for; what cannot succeed says so by being non-retryable. */
const untilItWorks: RetryPolicy = { initialInterval: '500ms', backoffCoefficient: 2, maximumInterval: '10s' };

/** Workers heartbeat for every activity (worker/heartbeat.ts), so that a killed worker is noticed within this time. */
const heartbeatTimeout = '10s';

/** Reads, decisions and records: seconds. */
export const quick = proxyActivities<
  EventActivities & HostActivities & PlanningActivities & QuestionActivities & SessionActivities & SweepActivities
>({
  taskQueue,
  startToCloseTimeout: '2m',
  heartbeatTimeout,
  retry: untilItWorks,
  // An abort does not overtake what is being recorded.
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/**
 * Moves: hours at the worst; their own limits are the service's settings (docs/design/states.md). What has started in
 * the cloud is observed to its end, so these are not cancelled.
 */
export const slow = proxyActivities<ActionActivities>({
  taskQueue,
  startToCloseTimeout: '24h',
  heartbeatTimeout,
  retry: untilItWorks,
});

/** Action plug-ins: as long as the operator's own work takes; cancelled by an abort, which waits for their end. */
export const pluginRuns = proxyActivities<PluginActivities>({
  taskQueue,
  startToCloseTimeout: '7d',
  heartbeatTimeout,
  retry: untilItWorks,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});

/** Downloads: as long as the service's settings let them take; cancelled by an abort, which waits for their end. */
export const downloads = proxyActivities<DownloadActivities>({
  taskQueue,
  startToCloseTimeout: '7d',
  heartbeatTimeout,
  retry: untilItWorks,
  cancellationType: ActivityCancellationType.WAIT_CANCELLATION_COMPLETED,
});
