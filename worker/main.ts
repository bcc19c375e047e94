/** The worker process: sees to database and namespace, then serves the task queue until it is told to stop. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { DefaultLogger, NativeConnection, Runtime } from '@temporalio/worker';
import type { Logger } from 'pino';
import { loadFleetOnce } from '../clouds/registry';
import { createLogger } from '../config/logger';
import { loadSettings, type Settings } from '../config/settings';
import { connectTemporal, prepareNamespace } from '../control/connect';
import { openBus } from '../events/open-bus';
import { openDatabase } from '../prisma/database';
import { migrate } from '../prisma/migrate';
import { makeServices } from './make-services';
import { makeWorker } from './make-worker';
import { scheduleSweeper } from './sweeper-schedule';

/** Activities share the connections; each holds one for a transaction only. */
const poolSize = 20;

const main = async (): Promise<void> => {
  const settings = loadSettings(process.env);
  const logger = createLogger(settings, 'worker');
  logToPino(logger);
  await migrate(settings.databaseUrl);
  const db = openDatabase({ url: settings.databaseUrl, poolSize });
  if (settings.fleetFile !== undefined) await loadFleetOnce(db, settings.fleetFile);
  const { client, close } = await connectTemporal(settings);
  await prepareNamespace(client);
  const bus = openBus(settings, logger);
  const services = makeServices({ settings, db, client, bus, logger });
  await serve(settings, services);
  await bus.close();
  await close();
  await db.$disconnect();
};

const serve = async (settings: Settings, services: ReturnType<typeof makeServices>): Promise<void> => {
  const connection = await NativeConnection.connect({ address: settings.temporalAddress });
  const bundle = bundleMadeByBuild();
  const worker = await makeWorker({
    connection,
    namespace: settings.temporalNamespace,
    services,
    ...(bundle && { workflowBundle: bundle }),
  });
  await scheduleSweeper(services.client);
  await worker.run(); // until SIGINT or SIGTERM: activities under way are given a moment, others will attach to them
  await connection.close();
};

/** `npm run build` bundles the workflows, so that a worker starts at once. */
const bundleMadeByBuild = (): { codePath: string } | undefined => {
  const codePath = path.join(__dirname, '..', 'workflow-bundle.js');
  return existsSync(codePath) ? { codePath } : undefined;
};

const logToPino = (logger: Logger): void => {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => logger[levels[level]](meta ?? {}, message)),
    shutdownSignals: ['SIGINT', 'SIGTERM'],
  });
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
