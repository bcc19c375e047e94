/** A reset as an operator does it in Temporal Web UI. */
import { randomUUID } from 'node:crypto';
import type { temporal } from '@temporalio/proto';
import Long from 'long';
import { eventually } from '../../waiting/eventually';
import type { Rig } from '../rig/rig';

/**
 * The workflow task that is picked: the current run's first or last one that was completed, or that of a started event.
 */
export type Task = 'first' | 'last' | { readonly runId: string; readonly startedEventId: number };

const completedTasks = ({ events }: temporal.api.history.v1.IHistory): number[] =>
  (events ?? []).flatMap(({ eventId, workflowTaskCompletedEventAttributes }) =>
    workflowTaskCompletedEventAttributes ? [Number(eventId)] : [],
  );

const pickTask = (completed: readonly number[], task: Task): number => {
  if (task === 'first') return completed[0]!;
  if (task === 'last') return completed.at(-1)!;
  return completed.find((eventId) => eventId > task.startedEventId)!;
};

/** Once the run has completed a task; signals and updates since then are applied again. */
export const resetByHand = async ({ client }: Rig, sessionId: string, task: Task): Promise<void> => {
  const runId = typeof task === 'object' ? task.runId : (await client.workflow.getHandle(sessionId).describe()).runId;
  const handle = client.workflow.getHandle(sessionId, runId);
  const completed = await eventually('a workflow task is completed', async () => {
    const tasks = completedTasks(await handle.fetchHistory());
    return tasks.length === 0 ? undefined : tasks;
  });
  await client.workflowService.resetWorkflowExecution({
    namespace: client.options.namespace,
    workflowExecution: { workflowId: sessionId, runId },
    reason: 'reset by hand',
    workflowTaskFinishEventId: Long.fromNumber(pickTask(completed, task)),
    requestId: randomUUID(),
  });
};

/** One after the other, each once the run that the one before has begun has looked around and waits. */
export const resetOneByOne = async (rig: Rig, sessionId: string, tasks: readonly Task[]): Promise<void> => {
  for (const [position, task] of tasks.entries()) {
    if (position > 0) await untilResetRunWaits(rig, sessionId);
    await resetByHand(rig, sessionId, task);
  }
};

/** It has completed a task, and nothing is left to be done. It may wait by a timer that began before the reset. */
const untilResetRunWaits = ({ client }: Rig, sessionId: string): Promise<true> =>
  eventually({ what: 'the run of the reset waits', isLasting: true }, async () => {
    const handle = client.workflow.getHandle(sessionId);
    const { pendingWorkflowTask, pendingActivities } = (await handle.describe()).raw;
    if (pendingWorkflowTask != null || pendingActivities?.length !== 0) return undefined;
    const { events } = await handle.fetchHistory();
    const sinceReset = events?.slice(events.findLastIndex(isReset) + 1) ?? [];
    return completedTasks({ events: sinceReset }).length > 0 || undefined;
  });

/** This event tells the run of a reset from the run that it begins with. */
const isReset = ({ workflowTaskFailedEventAttributes: failed }: temporal.api.history.v1.IHistoryEvent): boolean =>
  failed != null;

/** The task in which the session entered the state, which may be of an earlier run of its chain. */
export const entryOf = async ({ db }: Rig, sessionId: string, state: string): Promise<Task> => {
  const point = await db.entryPoint.findUniqueOrThrow({ where: { sessionId_state: { sessionId, state } } });
  return { runId: point.runId, startedEventId: point.eventId };
};
