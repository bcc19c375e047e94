/** Runs the api process: connects to database, Temporal and cloud, and serves until it is told to stop. */
import type { RequestListener } from 'node:http';
import type { Client } from '@temporalio/client';
import type { Logger } from 'pino';
import { createRecent } from '../calls/recent';
import { logMissingRights } from '../clouds/log-missing-rights';
import { observedCloud } from '../clouds/observed-cloud';
import { openPreparedDatabase } from '../clouds/open-prepared-database';
import { openCloud } from '../clouds/registry';
import { createLogger } from '../config/logger';
import type { Settings } from '../config/settings';
import { createEventDrafts } from '../events/drafts';
import { openStream } from '../events/stream';
import type { Database } from '../prisma/database';
import { countService, type ServiceCounts } from '../prisma/upkeep/service-counts';
import { createPlanner } from '../rules/simulation/plan/planner';
import { stopOnSignals } from '../startup/stop-on-signals';
import { waitAtStart } from '../startup/wait-at-start';
import { createApiMetrics } from '../telemetry/metrics/api-metrics';
import { serveMetrics } from '../telemetry/metrics/metrics-listener';
import { openTracing, traceCalls, type Tracing } from '../telemetry/tracing/tracing';
import { createWorkflowCalls } from '../temporal/call-workflows';
import { openPreparedTemporal } from '../temporal/connect';
import { type ApiDeps, createApi, createForetelling } from './app';
import { serve } from './http/serve';
import { openIdentity } from './identity/open-identity';
import { createReadiness, loggedReadiness } from './readiness/readiness';
import { missingRightsOf, sessionNeeds } from './readiness/session-needs';
import { builtInNames } from './services/check-names';
import { createReplies } from './services/replies';
import { answerAcknowledged } from './services/scheduled-events';
import { tellInRounds } from './tell-in-rounds';
import { wakeAfterStart } from './wake-after-start';

interface Connections {
  readonly settings: Settings;
  readonly db: Database;
  readonly client: Client;
  readonly logger: Logger;
  readonly tracing: Tracing;
}

/** A caller is told with 503 that the database has no connection left, while it still waits for its answer. */
const databaseLimits = { connectionMs: 10_000, poolMs: 10_000, transactionMs: 30_000 };

/** Whoever asks again within this time gets the same answer. */
const readinessHoldsMs = 1_500;

const createDeps = async ({ settings, db, client, logger, tracing }: Connections): Promise<ApiDeps> => {
  const cloud = observedCloud(openCloud({ settings, db }), traceCalls(tracing));
  const { identity, needs } = await openIdentity(settings, { logger });
  const ready = createReadiness([...sessionNeeds({ db, client, cloud }), ...needs], missingRightsOf(cloud));
  // A need that is silent is asked once at a time, and an older answer never comes after a newer one.
  const recent = createRecent({
    read: loggedReadiness(ready, logger),
    keepMs: readinessHoldsMs,
    isCountedFromEnd: true,
    nowMs: () => performance.now(),
  });
  return {
    ...builtInNames(settings),
    db,
    workflowCalls: createWorkflowCalls({ client, db, logger }),
    cloud,
    events: openStream(db, settings),
    identity,
    settings,
    logger,
    planner: createPlanner({ atOnce: settings.plansAtOnce, limitSeconds: settings.planSeconds }),
    tracing,
    metrics: createApiMetrics({ count: () => countOrLog(db, logger), pageUrl: settings.baseUrl }),
    readiness: () => recent.get(),
  };
};

/** The metrics tell that the database did not answer, and the log why. */
const countOrLog = (db: Database, logger: Logger): Promise<ServiceCounts> =>
  countService(db).catch((error: unknown) => {
    logger.warn({ err: error }, 'the numbers for the metrics could not be read');
    throw error;
  });

const tellOfComing = (deps: TellingParts, settings: Settings): Promise<void> | undefined => {
  const { db, logger, stopping, foretelling } = deps;
  const replies = createReplies(deps);
  return settings.comingSeconds === 0
    ? undefined
    : tellInRounds({
        ...{ db, logger, stopping, settings, ends: foretelling.ends },
        // An owner may have acknowledged before it is asked.
        afterRound: () => answerAcknowledged({ db, logger, replies }),
        drafts: createEventDrafts(settings),
        everySeconds: settings.comingSeconds,
      });
};

type TellingParts = Pick<ApiDeps, 'db' | 'logger' | 'cloud' | 'workflowCalls'> &
  Required<Pick<ApiDeps, 'stopping' | 'foretelling'>>;

export interface ApiParts {
  /** Makes the parts that serve the requests from the settings. */
  readonly makeApi?: (deps: ApiDeps) => RequestListener;
  /** Aborted when the process is to stop. Left out: by SIGINT or SIGTERM. */
  readonly stopping?: AbortSignal;
}

/** @returns after SIGINT or SIGTERM, when the running requests have ended */
export const runApi = async (
  settings: Settings,
  { makeApi = createApi, stopping = stopOnSignals() }: ApiParts = {},
): Promise<void> => {
  const tracing = await openTracing(settings, 'parley-api');
  const logger = createLogger(settings, 'api', tracing.logFields);
  const start = { stopping, tell: (line: string) => logger.info(line) };
  const db = await openPreparedDatabase(start, { ...settings, limits: databaseLimits });
  // Sessions are started with search attributes, perhaps before there is a worker.
  const { client, close } = await openPreparedTemporal(start, settings);
  const identified = { what: 'what identifies callers', limitSeconds: 60 };
  const parts = {
    ...(await waitAtStart(start, identified, () => createDeps({ settings, db, client, logger, tracing }))),
    stopping,
  };
  const deps = { ...parts, foretelling: createForetelling(parts) };
  let telling: Promise<void> | undefined;
  const { host, port, baseUrl, keepAliveSeconds, metricsHost, apiMetricsPort } = settings;
  const stopMetrics = await serveMetrics(deps.metrics, {
    host: metricsHost,
    port: apiMetricsPort,
    settings: 'PARLEY_METRICS_HOST and PARLEY_API_METRICS_PORT',
  });
  const onListening = (): void => {
    logger.info({ host, port, baseUrl }, 'listening');
    void logMissingRights(deps.cloud, logger);
    void wakeAfterStart(deps).catch((error: unknown) => logger.warn({ err: error }, 'no session was woken'));
    telling = tellOfComing(deps, settings);
  };
  await serve(makeApi(deps), { host, port, keepAliveSeconds, stopping, onListening });
  await telling;
  await stopMetrics();
  await close();
  await db.$disconnect();
  await tracing.stop();
  logger.info('stopped');
};
