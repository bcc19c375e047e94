/** Ends all work on sessions in Temporal, including sessions that the database does not know. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import { workflowTypes } from './workflow-messages';

const { session, host, cleanup, check } = workflowTypes;
const types = [session, host, cleanup, check].map((type) => `'${type}'`).join(', ');
const openOnes = `ExecutionStatus = 'Running' AND WorkflowType IN (${types})`;

/** Temporal's list lags behind, so it is read again until it is empty. */
const betweenLooksMs = 500;
const mostLooks = 240;

/**
 * @param known IDs of workflows that may be open, whether the list has them or not
 * @returns the number of workflows that were open
 * @throws Error when the list still names some after two minutes
 */
export const endWorkflows = async (client: Client, known: readonly string[], why: string): Promise<number> => {
  const ended = new Set<string>();
  const end = async (workflowId: string): Promise<void> => {
    if (await terminate(client, workflowId, why)) ended.add(workflowId);
  };
  for (const workflowId of known) await end(workflowId);
  for (let look = 0; look < mostLooks; look += 1) {
    const open = await listOpen(client);
    if (open.length === 0) return ended.size;
    for (const workflowId of open) await end(workflowId);
    await pause(betweenLooksMs);
  }
  throw new Error('Temporal still lists open workflows of sessions that were terminated: see Temporal Web UI');
};

const listOpen = async (client: Client): Promise<string[]> => {
  const open: string[] = [];
  for await (const { workflowId } of client.workflow.list({ query: openOnes })) open.push(workflowId);
  return open;
};

/** @returns false when the workflow was not open */
const terminate = async (client: Client, workflowId: string, why: string): Promise<boolean> => {
  try {
    await client.workflow.getHandle(workflowId).terminate(why);
    return true;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
};
