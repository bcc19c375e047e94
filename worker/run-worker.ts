/**
 * What the worker process does: sees to database and namespace, then serves the task queue until it is told to stop.
 */
import {
  bundleWorkflowCode,
  DefaultLogger,
  NativeConnection,
  Runtime,
  type WorkflowBundleOption,
} from '@temporalio/worker';
import type { Logger } from 'pino';
import { loadFleetOnce } from '../clouds/registry';
import { createLogger } from '../config/logger';
import type { Settings } from '../config/settings';
import { connectTemporal, prepareNamespace } from '../control/connect';
import { openBus } from '../events/open-bus';
import { openDatabase } from '../prisma/database';
import { migrate } from '../prisma/migrate';
import { makeServices } from './make-services';
import { makeWorker, type WorkerParts, workflowsPath } from './make-worker';
import { serveSessions } from './session-workers';
import { scheduleSweeper } from './sweeper-schedule';
import { keepDownloadsTidy } from './tidy-downloads';

/** Activities share the connections; each holds one for a transaction only. */
const poolSize = 20;

export interface WorkerChoices extends Pick<WorkerParts, 'makeActivities'> {
  /** Made beforehand; else the workflows are bundled now. */
  readonly workflowBundle?: WorkflowBundleOption;
}

/** @returns when it was told to stop by SIGINT or SIGTERM and has let go of its work */
export const runWorker = async (settings: Settings, choices: WorkerChoices = {}): Promise<void> => {
  const logger = createLogger(settings, 'worker');
  logToPino(logger);
  await migrate(settings.databaseUrl);
  const db = openDatabase({ url: settings.databaseUrl, poolSize });
  if (settings.fleetFile !== undefined) await loadFleetOnce(db, settings.fleetFile);
  const { client, close } = await connectTemporal(settings);
  await prepareNamespace(client);
  const bus = openBus(settings, logger);
  const workflowBundle = choices.workflowBundle ?? (await bundleWorkflowCode({ workflowsPath }));
  const services = makeServices({ settings, db, client, bus, logger, workflowBundle });
  await serve(settings, { services, ...choices, workflowBundle });
  await bus.close();
  await close();
  await db.$disconnect();
};

const serve = async (settings: Settings, parts: Omit<WorkerParts, 'connection' | 'namespace'>): Promise<void> => {
  const connection = await NativeConnection.connect({ address: settings.temporalAddress });
  const { temporalAddress, temporalNamespace: namespace } = settings;
  const worker = await makeWorker({ connection, namespace, ...parts });
  await scheduleSweeper(parts.services.client);
  const stopTidying = keepDownloadsTidy(parts.services);
  const stopServing = serveSessions({ temporalAddress, namespace, ...parts });
  await worker.run(); // until SIGINT or SIGTERM: activities under way are given a moment, others will attach to them
  await Promise.all([stopServing(), stopTidying()]);
  await connection.close();
};

const logToPino = (logger: Logger): void => {
  const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;
  Runtime.install({
    logger: new DefaultLogger('INFO', ({ level, message, meta }) => logger[levels[level]](meta ?? {}, message)),
    shutdownSignals: ['SIGINT', 'SIGTERM'],
  });
};
