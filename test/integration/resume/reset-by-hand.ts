/** A reset as an operator does it in Temporal Web UI. */
import { randomUUID } from 'node:crypto';
import type { temporal } from '@temporalio/proto';
import Long from 'long';
import type { Rig } from '../rig/rig';

/** The workflow task that is picked: the first or the last one that was completed, or that of a started event. */
export type Task = 'first' | 'last' | { readonly startedEventId: number };

const pickTask = (events: readonly temporal.api.history.v1.IHistoryEvent[], task: Task): number => {
  const completed = events.flatMap(({ eventId, workflowTaskCompletedEventAttributes }) =>
    workflowTaskCompletedEventAttributes ? [Number(eventId)] : [],
  );
  if (task === 'first') return completed[0]!;
  if (task === 'last') return completed.at(-1)!;
  return completed.find((eventId) => eventId > task.startedEventId)!;
};

/** Of the current run; signals since then are applied again. */
export const resetByHand = async ({ client }: Rig, sessionId: string, task: Task): Promise<void> => {
  const handle = client.workflow.getHandle(sessionId);
  const [{ runId }, { events }] = await Promise.all([handle.describe(), handle.fetchHistory()]);
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: sessionId, runId },
    reason: 'reset by hand',
    workflowTaskFinishEventId: Long.fromNumber(pickTask(events ?? [], task)),
    requestId: randomUUID(),
  });
};

/** The task in which the session entered the state. */
export const entryOf = async ({ db }: Rig, sessionId: string, state: string): Promise<Task> => {
  const point = await db.entryPoint.findUniqueOrThrow({ where: { sessionId_state: { sessionId, state } } });
  return { startedEventId: point.eventId };
};
