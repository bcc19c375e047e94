/**
 * `node dist/worker/restored/main.js` runs after PostgreSQL or Temporal was restored from a backup and before any
 * worker runs. It holds every session, and compares every host and move with the cloud (docs/operations.md). It ends
 * with 0 when you may start workers.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@temporalio/client';
import { holdSessions } from '../../activities/upkeep/hold-sessions';
import { openPreparedDatabase } from '../../clouds/open-prepared-database';
import { openCloud } from '../../clouds/registry';
import { createLogger } from '../../config/logger';
import { runTool } from '../../config/run-program';
import { loadSettings, type Settings } from '../../config/settings';
import { createEventDrafts } from '../../events/drafts';
import type { Database } from '../../prisma/database';
import { findWorkerSigns } from '../../prisma/upkeep/worker-signs';
import { type ProgramStart, waitAtStart } from '../../startup/wait-at-start';
import { noMeasures } from '../../telemetry/metrics/measures';
import { openPreparedTemporal } from '../../temporal/connect';
import { findAskingWorkers, findWorkerAtWork } from '../../temporal/workers-at-work';
import { type Told, toldAfterHolding } from './told';

/** A worker that waits for work asks each minute. */
const longestSilenceSeconds = 75;

const findWorker = async (start: ProgramStart, client: Client, db: Database): Promise<string | undefined> =>
  findWorkerAtWork({
    signs: await findWorkerSigns(db),
    withinSeconds: longestSilenceSeconds,
    look: () => findAskingWorkers(client),
    wait: () => waitAtStart(start, askingAgain, () => sleep(longestSilenceSeconds * 1_000)),
  });

const askingAgain = {
  what: 'workers that are not on record, which ask for work again if they still run',
  limitSeconds: 2 * longestSilenceSeconds,
};

/** Every host and every move is looked at in the cloud. */
const holdSeconds = 4 * 3_600;

const holdAll = async (settings: Settings, start: ProgramStart): Promise<Told> => {
  const { client, close } = await openPreparedTemporal(start, settings);
  const { databaseUrl } = settings;
  const db = await openPreparedDatabase(start, { databaseUrl, poolSize: 2 });
  const worker = await findWorker(start, client, db);
  if (worker !== undefined) throw new Error(stillAtWork(worker));
  const cloud = openCloud({ settings, db });
  const logger = createLogger(settings, 'restored');
  const drafts = createEventDrafts(settings);
  const compared = { what: `the ${cloud.name} cloud to be compared with the records`, limitSeconds: holdSeconds };
  const services = { db, client, cloud, drafts, logger, measures: noMeasures };
  const held = await waitAtStart(start, compared, () => holdSessions(services));
  await db.$disconnect();
  await close();
  return toldAfterHolding(held);
};

const stillAtWork = (identity: string): string =>
  `worker ${identity} was at work a moment ago: stop all workers and APIs, and run this again a minute later`;

const tell = (line: string): void => console.error(`restored: ${line}`);

const main = async (stopping: AbortSignal): Promise<void> => {
  const { lines, mayStart } = await holdAll(loadSettings(process.env), { stopping, tell });
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  process.exitCode = mayStart ? 0 : 1;
};

runTool('restored', main);
