/** A Temporal namespace of its own for a test file, so that workflows of several do not meet. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type Client, ScheduleNotFoundError, WorkflowNotFoundError } from '@temporalio/client';
import Long from 'long';
import { connectTemporal } from '../../../temporal/connect';
import { prepareNamespace } from '../../../temporal/prepare-namespace';
import { sweeperScheduleId } from '../../../worker/sweeper-schedule';

const day = { seconds: Long.fromNumber(86_400) };

export const createNamespace = (temporalAddress: string): Promise<string> =>
  register(temporalAddress, prepareNamespace);

/** One that nobody has prepared: its histories are kept for a day, and it has no search attributes. */
export const createBareNamespace = (temporalAddress: string): Promise<string> =>
  register(temporalAddress, () => Promise.resolve());

const register = async (temporalAddress: string, prepare: (client: Client) => Promise<void>): Promise<string> => {
  const namespace = `test-${randomUUID()}`;
  const { client, close } = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  await untilKnown(client, prepare);
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
const untilKnown = async (client: Client, prepare: (client: Client) => Promise<void>): Promise<void> => {
  for (let attempt = 0; attempt < 150; attempt += 1) {
    try {
      await prepare(client);
      await client.workflow.count();
      return;
    } catch {
      await pause(200);
    }
  }
  throw new Error('the namespace did not become known to the server');
};
