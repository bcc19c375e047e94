/** Reads the histories that a session's workflows left in Temporal, and every activity in them with its times. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import type { temporal } from '@temporalio/proto';

type HistoryEvent = temporal.api.history.v1.IHistoryEvent;

export interface ActivityTimes {
  readonly type: string;
  /** The time from its scheduling until a worker took it. */
  readonly waitMs: number;
  /** The time from then until it was done. */
  readonly runMs: number;
  /** 1, unless earlier attempts failed. */
  readonly attempt: number;
}

export interface WorkflowHistory {
  /** The number of events of each run; more than one run when the workflow continued as new. */
  readonly runEvents: readonly number[];
  readonly activities: readonly ActivityTimes[];
}

const patienceMs = 30_000;
const pollMs = 200;

/** No event is added to the histories any more. */
const untilClosed = async (client: Client, workflowId: string): Promise<void> => {
  const deadline = Date.now() + patienceMs;
  while ((await client.workflow.getHandle(workflowId).describe()).status.name === 'RUNNING') {
    if (Date.now() > deadline) throw new Error(`workflow ${workflowId} is still running`);
    await sleep(pollMs);
  }
};

const timeMs = ({ eventTime }: HistoryEvent): number =>
  Number(eventTime?.seconds ?? 0) * 1000 + (eventTime?.nanos ?? 0) / 1e6;

/** Activities that were completed. Activities that were cancelled or failed for good have no duration. */
export const activitiesIn = (events: readonly HistoryEvent[]): ActivityTimes[] => {
  const byId = new Map(events.map((event) => [Number(event.eventId), event]));
  return events.flatMap((event) => {
    const completed = event.activityTaskCompletedEventAttributes;
    const scheduled = byId.get(Number(completed?.scheduledEventId));
    const started = byId.get(Number(completed?.startedEventId));
    if (scheduled === undefined || started === undefined) return [];
    return [
      {
        type: scheduled.activityTaskScheduledEventAttributes?.activityType?.name ?? '',
        waitMs: timeMs(started) - timeMs(scheduled),
        runMs: timeMs(event) - timeMs(started),
        attempt: started.activityTaskStartedEventAttributes?.attempt ?? 1,
      },
    ];
  });
};

/** Waits until the workflow is closed, then reads its last run and the runs before it. */
export const readHistory = async (client: Client, workflowId: string): Promise<WorkflowHistory> => {
  await untilClosed(client, workflowId);
  const runs: (readonly HistoryEvent[])[] = [];
  let runId: string | undefined;
  do {
    const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
    runs.push(events ?? []);
    runId = events?.[0]?.workflowExecutionStartedEventAttributes?.continuedExecutionRunId ?? '';
  } while (runId !== '');
  return { runEvents: runs.map((events) => events.length), activities: runs.flatMap(activitiesIn) };
};
