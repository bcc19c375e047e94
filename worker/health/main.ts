/**
 * The worker's health check: `node dist/worker/health/main.js` ends with 0 when a worker of this machine, or container,
 * asks for work.
 */
import { hostname } from 'node:os';
import { runTool } from '../../config/run-program';
import { loadSettings } from '../../config/settings';
import { openDatabase } from '../../prisma/database';
import { findWorkerSigns } from '../../prisma/upkeep/worker-signs';
import { waitAtStart } from '../../startup/wait-at-start';
import { connectTemporal } from '../../temporal/connect';
import { type AskingWorker, findAskingWorkers, workersAtWork } from '../../temporal/workers-at-work';
import { taskQueue } from '../../temporal/workflow-messages';

/** A busy worker may miss some signs, and a probe is to end none. */
const mostSilentSeconds = 60;

/** Whoever probes waits less than half a minute. */
const limitSeconds = 15;

const limits = { connectionMs: 5_000, transactionMs: 5_000 };

const findWorkers = async (): Promise<AskingWorker[]> => {
  const settings = loadSettings(process.env);
  const { client, close } = await connectTemporal(settings);
  const db = openDatabase({ url: settings.databaseUrl, poolSize: 1, limits });
  const asking = await findAskingWorkers(client);
  const signs = await findWorkerSigns(db).catch(() => undefined); // that the database is away is told by others
  await db.$disconnect();
  await close();
  return workersAtWork(asking, signs, mostSilentSeconds);
};

const main = async (stopping: AbortSignal): Promise<void> => {
  const start = { stopping, tell: (line: string) => console.error(line) };
  const workers = await waitAtStart(start, { what: 'Temporal and the database', limitSeconds }, findWorkers);
  const isHere = workers.some(({ identity }) => identity.endsWith(`@${hostname()}`));
  if (!isHere) throw new Error(`no worker of ${hostname()} asks for work on the task queue ${taskQueue}`);
};

runTool('worker health', main);
