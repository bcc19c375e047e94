/** A Temporal namespace of its own for a test file, so that workflows of several do not meet. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import Long from 'long';
import { connectTemporal, prepareNamespace } from '../../../temporal/connect';
import { sweeperScheduleId } from '../../../worker/sweeper-schedule';

const day = { seconds: Long.fromNumber(86_400) };

export const createNamespace = async (temporalAddress: string): Promise<string> => {
  const namespace = `test-${randomUUID()}`;
  const { client, close } = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  await untilKnown(client);
  await close();
  return namespace;
};

/**
 * Ends what still runs in the namespace: the sweeper's schedule and open workflows would keep the server busy while
 * other files are tested.
 */
export const closeNamespace = async (client: Client): Promise<void> => {
  await client.schedule.getHandle(sweeperScheduleId).delete().catch(ignoreEnded);
  for await (const { workflowId } of client.workflow.list({ query: "ExecutionStatus = 'Running'" })) {
    await client.workflow.getHandle(workflowId).terminate('its test is over').catch(ignoreEnded);
  }
};

const ignoreEnded = (error: unknown): void => {
  if (!(error instanceof WorkflowNotFoundError || error instanceof ScheduleNotFoundError)) throw error;
};

/** The server's parts learn of a namespace one after the other. */
const untilKnown = async (client: Client): Promise<void> => {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      await prepareNamespace(client);
      await client.workflow.count();
      return;
    } catch {
      await pause(200);
    }
  }
  throw new Error('the namespace did not become known to the server');
};
