/** PostgreSQL with the rows of a large session, and the API on it in this process: no Temporal, no worker. */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { pino } from 'pino';
import { createApi } from '../../api/app';
import { createNoIdentity } from '../../api/identity/no-identity';
import { builtInNames } from '../../api/services/check-names';
import { anyFreePort } from '../../cli/stack/ports';
import { startPostgres } from '../../cli/stack/postgres';
import { loadFleetOnce, openCloud } from '../../clouds/registry';
import type { WireFleet } from '../../clouds/simulated/fleet-schema';
import { loadSettings } from '../../config/settings';
import { openStream } from '../../events/stream';
import { type Database, openDatabase } from '../../prisma/database';
import { migrate } from '../../prisma/migrate';
import { countService } from '../../prisma/upkeep/service-counts';
import { createPlanner } from '../../rules/simulation/plan/planner';
import { createApiMetrics } from '../../telemetry/metrics/api-metrics';
import type { WorkflowCalls } from '../../temporal/workflow-calls';

export interface StoredService {
  /** The API's base address. */
  readonly api: string;
  readonly db: Database;
  readonly postgresPid: number;
}

const noWorkflows = (): never => {
  throw new Error('no session runs here');
};

const workflowCalls: WorkflowCalls = {
  start: noWorkflows,
  wakeSession: noWorkflows,
  wakeHost: noWorkflows,
  request: noWorkflows,
  abort: noWorkflows,
  startHost: noWorkflows,
  startCleanup: noWorkflows,
  continueFailed: noWorkflows,
  deliverEvents: noWorkflows,
};

const apiOn = (db: Database, databaseUrl: string): Server => {
  const settings = loadSettings({ DATABASE_URL: databaseUrl });
  return createServer(
    createApi({
      ...builtInNames(settings),
      db,
      workflowCalls,
      settings,
      cloud: openCloud({ settings, db }),
      identity: createNoIdentity(),
      events: openStream(db, settings),
      logger: pino({ level: 'silent' }),
      planner: createPlanner({ atOnce: 1, limitSeconds: settings.planSeconds }),
      metrics: createApiMetrics({ count: () => countService(db) }),
      readiness: () => Promise.resolve({ ready: true, problems: [] }),
    }),
  );
};

const listening = (server: Server): Promise<string> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });

const pidOf = async (db: Database): Promise<number> => {
  const [postmaster] = await db.$queryRaw<{ pid: number }[]>`
    SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int AS pid`;
  if (postmaster === undefined) throw new Error('PostgreSQL does not tell its process');
  return postmaster.pid;
};

/** Removes everything at the end, also when the measurement fails. */
export const withStoredService = async <T>(
  fleet: WireFleet,
  measure: (on: StoredService) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'));
  await chmod(folder, 0o755); // PostgreSQL may run as another user
  const fleetFile = path.join(folder, 'fleet.json');
  await writeFile(fleetFile, JSON.stringify(fleet));
  const dataFolder = path.join(folder, 'postgres');
  const logFile = path.join(folder, 'postgres.log');
  const postgres = await startPostgres({ dataFolder, port: await anyFreePort(), logFile });
  const url = postgres.urlOf('parley');
  try {
    await migrate(url);
    const db = openDatabase({ url });
    await loadFleetOnce(db, fleetFile);
    const server = apiOn(db, url);
    try {
      return await measure({ api: await listening(server), db, postgresPid: await pidOf(db) });
    } finally {
      server.closeAllConnections();
      server.close();
      await db.$disconnect();
    }
  } finally {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
};
