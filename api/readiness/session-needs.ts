/** The needs of a running session, as checks of readiness: the database, Temporal, a worker, the cloud. */
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { describeMissing } from '../../clouds/log-missing-rights';
import type { Database } from '../../prisma/database';
import { taskQueue } from '../../temporal/workflow-messages';
import type { ReadinessCheck } from './readiness';

/** A worker asks for work at least once a minute. */
const pollerAgeMs = 70_000;

const assertWorkerPolls = async (client: Client): Promise<void> => {
  const { pollers } = await client.workflowService.describeTaskQueue({
    namespace: client.options.namespace,
    taskQueue: { name: taskQueue },
    taskQueueType: temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW,
  });
  const newestMs = Math.max(0, ...pollers.map((poller) => Number(poller.lastAccessTime?.seconds ?? 0) * 1000));
  if (Date.now() - newestMs > pollerAgeMs) throw new Error('no worker asks for work');
};

export const sessionNeeds = ({
  db,
  client,
  cloud,
}: {
  readonly db: Database;
  readonly client: Client;
  readonly cloud: CloudDriver;
}): ReadinessCheck[] => [
  {
    name: 'the database',
    hint: 'check that PostgreSQL runs at DATABASE_URL',
    attempt: () => db.$queryRaw`SELECT 1`,
  },
  {
    name: 'Temporal',
    hint: 'check that its server runs at PARLEY_TEMPORAL_ADDRESS',
    attempt: () => client.workflowService.getSystemInfo({}),
  },
  {
    name: 'a worker',
    hint: 'start one; it must use the same Temporal namespace',
    attempt: () => assertWorkerPolls(client),
  },
  {
    name: `the ${cloud.name} cloud`,
    hint: "check that it can be reached and accepts the service's login",
    attempt: () => cloud.ping(),
  },
];

/** One line for each right that a session needs and the login to the cloud lacks. */
export const missingRightsOf = (cloud: CloudDriver) => async (): Promise<readonly string[]> =>
  (await cloud.missingRights()).filter(({ severity }) => severity === 'stops').map(describeMissing);
