/** A Temporal namespace of its own for a test file, so that workflows of several do not meet. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import Long from 'long';
import { connectTemporal, prepareNamespace } from '../../../control/connect';

const day = { seconds: Long.fromNumber(86_400) };

export const createNamespace = async (temporalAddress: string): Promise<string> => {
  const namespace = `test-${randomUUID()}`;
  const { client, close } = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  await client.workflowService.registerNamespace({ namespace, workflowExecutionRetentionPeriod: day });
  await untilKnown(client);
  await close();
  return namespace;
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
