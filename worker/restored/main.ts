/**
 * `node dist/worker/restored/main.js` runs after PostgreSQL or Temporal was restored from a backup and before any
 * worker runs. It holds every session, and compares every host and move with the cloud (docs/operations.md). It ends
 * with 0 when you may start workers.
 */
import { holdSessions } from '../../activities/upkeep/hold-sessions';
import { openCloud } from '../../clouds/registry';
import { createLogger } from '../../config/logger';
import { runTool } from '../../config/run-program';
import { loadSettings, type Settings } from '../../config/settings';
import { createEventDrafts } from '../../events/drafts';
import { openDatabase } from '../../prisma/database';
import { migrate } from '../../prisma/migrate';
import { noMeasures } from '../../telemetry/metrics/measures';
import { connectTemporal, prepareNamespace } from '../../temporal/connect';
import { findAskingWorkers } from '../../temporal/workers-at-work';
import { type Told, toldAfterHolding } from './told';

/** A worker that waits for work asks each minute. */
const longestSilenceMs = 75_000;

const holdAll = async (settings: Settings): Promise<Told> => {
  const { client, close } = await connectTemporal(settings);
  await prepareNamespace(client);
  const [worker] = await findAskingWorkers(client, longestSilenceMs);
  if (worker !== undefined) throw new Error(stillAtWork(worker.identity, worker.silenceMs));
  await migrate(settings.databaseUrl);
  const db = openDatabase({ url: settings.databaseUrl, poolSize: 2 });
  const cloud = openCloud({ settings, db });
  const logger = createLogger(settings, 'restored');
  const drafts = createEventDrafts(settings);
  const held = await holdSessions({ db, client, cloud, drafts, logger, measures: noMeasures });
  await db.$disconnect();
  await close();
  return toldAfterHolding(held);
};

const stillAtWork = (identity: string, silenceMs: number): string =>
  `worker ${identity} asked Temporal for work ${String(Math.round(silenceMs / 1_000))} s ago: stop all workers and ` +
  'APIs, and run this again a minute later';

const main = async (): Promise<void> => {
  const { lines, mayStart } = await holdAll(loadSettings(process.env));
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
  process.exitCode = mayStart ? 0 : 1;
};

runTool('restored', main);
