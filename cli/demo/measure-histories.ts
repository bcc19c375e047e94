/** Measures the histories of a session's workflows: its own and those of its hosts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';

export interface HistoryMeasures {
  /** The number of events of the longest history. */
  readonly longest: number;
  /** The number of events of all histories together. */
  readonly total: number;
}

const patienceMs = 10_000;
const pollMs = 200;

const untilClosed = async (client: Client, workflowId: string): Promise<number> => {
  const deadline = Date.now() + patienceMs;
  for (;;) {
    const { status, historyLength } = await client.workflow.getHandle(workflowId).describe();
    if (status.name !== 'RUNNING' || Date.now() > deadline) return historyLength;
    await sleep(pollMs);
  }
};

/** Waits until the workflows are closed, so that their histories do not grow any more. */
export const measureHistories = async (
  client: Client,
  sessionId: string,
  hostnames: readonly string[],
): Promise<HistoryMeasures> => {
  const ids = [sessionWorkflowId(sessionId), ...hostnames.map((name) => hostWorkflowId(sessionId, name))];
  const lengths = await Promise.all(ids.map((id) => untilClosed(client, id)));
  return { longest: Math.max(...lengths), total: lengths.reduce((sum, length) => sum + length, 0) };
};
