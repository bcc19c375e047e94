/** Workers that run the service's workflows on Temporal, with activities in memory. */
import type { Client } from '@temporalio/client';
import { NativeConnection, Worker } from '@temporalio/worker';
import { connectTemporal } from '../../../temporal/connect';
import { taskQueue, taskQueueOfHosts } from '../../../temporal/workflow-messages';
import { createNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';

export interface WorkersInMemory {
  readonly client: Client;
  readonly stop: () => Promise<void>;
}

export const startWorkersInMemory = async (activities: object): Promise<WorkersInMemory> => {
  const { temporalAddress, workflowBundle } = testServices();
  const namespace = await createNamespace(temporalAddress);
  const temporal = await connectTemporal({ temporalAddress, temporalNamespace: namespace });
  const connection = await NativeConnection.connect({ address: temporalAddress });
  const ofAll = { connection, namespace, activities };
  const workers = [
    await Worker.create({ ...ofAll, taskQueue, workflowBundle: { codePath: workflowBundle } }),
    await Worker.create({ ...ofAll, taskQueue: taskQueueOfHosts }),
  ];
  const running = Promise.all(workers.map((worker) => worker.run()));
  return {
    client: temporal.client,
    stop: async () => {
      for (const worker of workers) worker.shutdown();
      await running;
      await Promise.all([connection.close(), temporal.close()]);
    },
  };
};
