/** The needs of a running session, as checks of readiness: the database, Temporal, a worker, the cloud. */
import type { Client } from '@temporalio/client';
import type { CloudDriver } from '../../clouds/cloud-driver';
import { describeMissing } from '../../clouds/log-missing-rights';
import type { Database } from '../../prisma/database';
import { troubleOf } from '../../prisma/database-trouble';
import { findWorkerSigns } from '../../prisma/upkeep/worker-signs';
import { findAskingWorkers, workersAtWork } from '../../temporal/workers-at-work';
import type { ReadinessCheck } from './readiness';

/** A database that is away is a problem of its own: then it counts that a worker has asked in the last minutes. */
const signsOf = (db: Database) => findWorkerSigns(db).catch(() => undefined);

const assertWorkerPolls = async (db: Database, client: Client): Promise<void> => {
  const [asking, signs] = await Promise.all([findAskingWorkers(client), signsOf(db)]);
  if (workersAtWork(asking, signs).length === 0) throw new Error('no worker is at work');
};

/** Locks no row; but a server that only reads, as a standby does, refuses a lock. */
const assertDatabaseWrites = (db: Database) => db.$queryRaw`SELECT 1 FROM session LIMIT 0 FOR KEY SHARE`;

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
    attempt: () => assertDatabaseWrites(db),
    troubleOf,
  },
  {
    name: 'Temporal',
    hint: 'check that its server runs at PARLEY_TEMPORAL_ADDRESS',
    attempt: () => client.workflowService.getSystemInfo({}),
  },
  {
    name: 'a worker',
    hint: 'nothing goes on until one is started, with the same Temporal namespace',
    attempt: () => assertWorkerPolls(db, client),
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
