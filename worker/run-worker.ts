/**
 * Runs the worker process: prepares the database and the namespace, then serves the task queue until the process is
 * told to stop.
 */
import { bundleWorkflowCode, NativeConnection, Runtime, type WorkflowBundleOption } from '@temporalio/worker';
import { logMissingRights } from '../clouds/log-missing-rights';
import { openPreparedDatabase } from '../clouds/open-prepared-database';
import { createLogger, type Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import type { EventBus } from '../events/bus';
import { noBus, openBus } from '../events/open-bus';
import { type Database, placesOfTransactions } from '../prisma/database';
import { ownVersion } from '../startup/own-version';
import { stopOnSignals } from '../startup/stop-on-signals';
import { type ProgramStart, waitAtStart } from '../startup/wait-at-start';
import type { Measures } from '../telemetry/metrics/measures';
import { openTracing } from '../telemetry/tracing/tracing';
import { openPreparedTemporal } from '../temporal/connect';
import { accessOf, readEndpoint } from '../temporal/temporal-access';
import { taskQueue } from '../temporal/workflow-messages';
import { keepConnected } from './keep-connected';
import { makeServices } from './make-services';
import { makeWorker, type WorkerParts, workflowsPath } from './make-worker';
import { measuredBus } from './measured-bus';
import { openMetrics } from './open-metrics';
import { serveSessions } from './session-workers';
import { showSignsOfLife } from './sign-of-life';
import { scheduleSweeper } from './sweeper-schedule';
import { temporalLogger, temporalLogging } from './temporal-logs';
import { keepDownloadsTidy } from './tidy-downloads';

/** Activities share the connections; each holds one only for a transaction. */
const poolSize = 20;

export interface WorkerChoices extends Pick<WorkerParts, 'makeActivities'> {
  /** The bundle of the build. Left out: the workflows are bundled now. */
  readonly workflowBundle?: WorkflowBundleOption;
  /** Aborted when the process is to stop. Left out: by SIGINT or SIGTERM. */
  readonly stopping?: AbortSignal;
}

/** @returns after SIGINT or SIGTERM, when the worker has ended or handed over its work */
export const runWorker = async (settings: Settings, choices: WorkerChoices = {}): Promise<void> => {
  const { stopping = stopOnSignals() } = choices;
  const tracing = await openTracing(settings, 'parley-worker');
  const logger = createLogger(settings, 'worker', tracing.logFields);
  const metrics = await openMetrics(settings, logger);
  const { telemetryOptions, ...logging } = temporalLogging(logger);
  Runtime.install({
    ...logging,
    telemetryOptions: { ...telemetryOptions, ...metrics.telemetry },
    shutdownSignals: ['SIGINT', 'SIGTERM'],
  });
  const stopMetrics = await metrics.serve();
  const start = { stopping, tell: (line: string) => logger.info(line) };
  const db = await openPreparedDatabase(start, { ...settings, poolSize });
  const { client, close } = await openPreparedTemporal(start, settings);
  const { measures } = metrics;
  showTransactions(db, measures);
  const bus = openMeasuredBus(settings, measures, logger);
  const workflowBundle = choices.workflowBundle ?? (await bundleWorkflows(logger));
  const services = makeServices({ settings, db, client, bus, logger, workflowBundle, measures, tracing });
  void logMissingRights(services.cloud, logger);
  await serve(settings, start, { services, ...choices, workflowBundle, tracing });
  await bus.close();
  await close();
  await db.$disconnect();
  await stopMetrics();
  await tracing.stop();
};

const showTransactions = (db: Database, measures: Measures): void => {
  const places = placesOfTransactions(db);
  if (places === undefined) return;
  const { count, taken, waiting } = places;
  measures.watchPlaces({ kind: 'transactions', places: count, taken, waiting });
};

const openMeasuredBus = (settings: Settings, measures: Measures, logger: Logger): EventBus => {
  const bus = openBus(settings, logger);
  return bus === noBus ? bus : measuredBus(bus, 'kafka', measures);
};

type ServedParts = Omit<WorkerParts, 'connection' | 'namespace'>;

const serve = async (settings: Settings, start: ProgramStart, parts: ServedParts): Promise<void> => {
  const { temporalNamespace: namespace } = settings;
  const { connection, endpoint, worker } = await waitAtStart(
    start,
    { what: 'Temporal', limitSeconds: 60 },
    async () => {
      const endpoint = await readEndpoint(settings);
      const connection = await NativeConnection.connect(endpoint);
      const worker = await makeWorker({ connection, namespace, ...parts, bounds: settings });
      await scheduleSweeper(parts.services.client);
      return { connection, endpoint, worker };
    },
  );
  const stopTidying = keepDownloadsTidy(parts.services);
  const stopServing = serveSessions({ ...accessOf(settings), namespace, ...parts });
  const { logger } = parts.services;
  const { use } = worker;
  const keeping = keepConnected({ access: accessOf(settings), namespace, endpoint, connection, use, logger });
  const ended = Promise.race([worker.run(), keeping.lost]);
  const endSigns = showSignsOfLife(parts.services);
  tellReady(settings, logger);
  await ended.finally(endSigns); // until SIGINT or SIGTERM: running activities get a moment to end, and other workers attach to the rest
  await Promise.all([stopServing(), stopTidying()]);
  await keeping.stop();
};

const tellReady = (settings: Settings, logger: Logger): void => {
  const { temporalAddress, temporalNamespace: namespace, cloud } = settings;
  logger.info({ version: ownVersion(), temporalAddress, namespace, taskQueue, cloud }, 'worker ready');
};

/** Shows webpack's output only when it reports a problem. */
const bundleWorkflows = (logger: Logger): Promise<WorkflowBundleOption> =>
  bundleWorkflowCode({ workflowsPath, logger: temporalLogger(logger, 'WARN') });
