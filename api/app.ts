/**
 * The HTTP interface, put together from its parts: parse, call, reply. It keeps no state, so any number of processes
 * can serve it side by side. It takes its services as arguments, so a test needs no port.
 */
import compression from 'compression';
import express, { type Express, type Request, type RequestHandler, type Response, Router } from 'express';
import type { Logger } from 'pino';
import type { CloudDriver } from '../clouds/cloud-driver';
import { createEventDrafts, type EventDraftSettings } from '../events/drafts';
import { createReceiverPolicy, type ReceiverRules } from '../events/webhooks/receivers';
import type { AllowedSource } from '../plugins/addresses/allowed-source';
import { createPackagePolicy } from '../plugins/downloads/package-sources';
import type { Database } from '../prisma/database';
import type { Planner } from '../rules/simulation/plan/planner';
import type { ApiMetrics } from '../telemetry/metrics/api-metrics';
import { noTracing, type Tracing } from '../telemetry/tracing/tracing';
import type { WorkflowCalls } from '../temporal/workflow-calls';
import { createBrowserGuard } from './http/browser-guard';
import { createRequestCount } from './http/count-requests';
import { limitCalls } from './http/limit-calls';
import { createRequestLog } from './http/log-requests';
import { createAnyBodyReader, createBodyReader } from './http/read-body';
import { refuseOtherMethods } from './http/refuse-other-methods';
import { createProblemReplier, refuseUnknownEndpoint } from './http/reply-with-problem';
import { createRequestTracing } from './http/trace-requests';
import { createAuthenticator } from './identity/authorization';
import type { Identity } from './identity/identity';
import { createOpenApiDocument } from './openapi/document';
import { createAuditRoutes } from './routes/audit-routes';
import { createCalendarRoutes, createSecretCalendarRoutes } from './routes/calendar-routes';
import { createChoiceRoutes } from './routes/choice-routes';
import { createComingRoutes } from './routes/coming-routes';
import { createConstraintRoutes } from './routes/constraint-routes';
import { createEventRoutes } from './routes/event-routes';
import type { EventSource } from './routes/event-stream';
import { createFreezeRoutes } from './routes/freeze-routes';
import { createMetricsRoutes } from './routes/metrics-routes';
import { createPageRoutes } from './routes/page-routes';
import { createPlanRoutes } from './routes/plan-routes';
import { createProjectRoutes } from './routes/project-routes';
import { createPublicRoutes, type Readiness } from './routes/public-routes';
import { createQuestionRoutes } from './routes/question-routes';
import { createRecordRoutes } from './routes/record-routes';
import { createReplyRoutes } from './routes/reply-routes';
import { createScheduledEventRoutes, createSecretEventRoutes } from './routes/scheduled-event-routes';
import { createSessionRoutes } from './routes/session-routes';
import { createSignInRoutes, createWhoamiRoutes } from './routes/sign-in-routes';
import { createTermsRoutes } from './routes/terms-routes';
import { createVendordataRoutes } from './routes/vendordata-routes';
import { createWebhookRoutes } from './routes/webhook-routes';
import { type Audit, createAuditor, createStoredAudit } from './services/audit';
import type { KnownNames } from './services/check-names';
import { createComing } from './services/coming';
import { createConstraints } from './services/constraints';
import { createFreezes } from './services/freezes';
import { createMaintenance } from './services/maintenance';
import type { PlanSettings } from './services/plan-facts';
import { createPlannedEnds, type PlannedEnds } from './services/planned-ends';
import { createPlans, type Plans } from './services/plans';
import { createReplies } from './services/replies';
import { createScheduledEvents } from './services/scheduled-events';
import { createSecretAddresses } from './services/secret-addresses';
import { createSessionEvents, type SessionEvents } from './services/session-events';
import { createSessionMoves } from './services/session-moves';
import { createSessionRecord } from './services/session-record';
import { createSessionReport } from './services/session-report';
import { createSessionTenants } from './services/session-tenants';
import { createSessionTimeline } from './services/session-timeline';
import { createSummaries } from './services/summaries';
import { createTermsPreview } from './services/terms-preview';
import { createWebhooks } from './services/webhooks';

export interface ApiSettings extends PlanSettings, EventDraftSettings {
  /** The maximum number of unfinished sessions at once. */
  readonly maxSessions: number;
  readonly bodyLimitBytes: number;
  /** The maximum number of requests of a caller in a minute, beside replies. */
  readonly callsPerMinute: number;
  /** The maximum number of open event streams of a caller. */
  readonly streamsPerCaller: number;
  /** The largest `metadata` of a session, as JSON. */
  readonly metadataLimitBytes: number;
  /** The addresses from which packages may come; empty: nothing is downloaded. */
  readonly downloadAllow: readonly AllowedSource[];
  /** The addresses that webhooks may have; without sources: there are none. */
  readonly webhookAllow: ReceiverRules;
  /** How often a project that has refused is asked again, and how soon. */
  readonly nackRetries: number;
  readonly nackRetrySeconds: number;
  /** The name of the cloud for people; undefined: none was given. */
  readonly cloudName?: string | undefined;
  /** The address of Temporal's Web UI, as admins reach it. */
  readonly temporalUiUrl?: string | undefined;
  readonly temporalNamespace: string;
}

export interface ApiDeps extends KnownNames {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly cloud: CloudDriver;
  readonly events: EventSource & SessionEvents;
  readonly identity: Identity;
  readonly settings: ApiSettings;
  readonly logger: Logger;
  readonly planner: Planner;
  readonly metrics: ApiMetrics;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
  /** Left out: the table of the database. */
  readonly audit?: Audit;
  readonly readiness: () => Promise<Readiness>;
  /** Aborted when the service stops: ends the event streams. */
  readonly stopping?: AbortSignal;
  /** Left out: its own. */
  readonly foretelling?: Foretelling;
}

/** Foretells the course of sessions. Those who look at a session share it with those who tell its owners. */
export interface Foretelling {
  readonly plans: Plans;
  readonly ends: PlannedEnds;
}

type SessionParts = Omit<ApiDeps, 'foretelling'>;

const rulesOf = ({ settings: { maxSessions, downloadAllow, metadataLimitBytes } }: SessionParts) => ({
  maxSessions,
  metadataLimitBytes,
  downloadRules: { policy: createPackagePolicy(downloadAllow), isAllowed: downloadAllow.length > 0 },
});

export const createForetelling = (deps: SessionParts): Foretelling => {
  const ends = createPlannedEnds({ plan: (sessionId) => plans.foretell(sessionId) });
  const plans = createPlans({ ...deps, ...rulesOf(deps), ends });
  return { plans, ends };
};

/** The kinds of clouds, as people write them. */
const cloudKinds: Readonly<Record<string, string>> = {
  openstack: 'OpenStack',
  kubernetes: 'Kubernetes',
  simulated: 'Simulated cloud',
};

const cloudNameOf = ({ settings, cloud }: ApiDeps): string =>
  settings.cloudName ?? cloudKinds[cloud.name] ?? cloud.name;

const createV1Routes = (deps: ApiDeps): Router => {
  const { settings, events, logger, stopping = new AbortController().signal } = deps;
  const readBody = createBodyReader(settings.bodyLimitBytes);
  const maintenance = createMaintenance({ ...deps, ...rulesOf(deps) });
  const router = Router();
  const { plans, ends } = deps.foretelling ?? createForetelling(deps);
  const summaries = createSummaries({ ...deps, ends });
  const timeline = createSessionTimeline({ ...deps, summaries });
  router.use(createSessionRoutes({ maintenance, summaries, timeline, settings, readBody }));
  router.use(createPlanRoutes({ db: deps.db, plans, readBody }));
  router.use(createQuestionRoutes({ ...deps, baseUrl: settings.baseUrl }));
  router.use(createChoiceRoutes(deps));
  router.use(createProjectRoutes(deps.db));
  router.use(createComingRoutes(createComing({ ...deps, ends })));
  const secrets = createSecretAddresses(deps.db, settings.baseUrl);
  router.use(createCalendarRoutes({ db: deps.db, secrets }));
  const replies = createReplies(deps);
  const scheduled = { events: createScheduledEvents({ ...deps, replies }), secrets };
  router.use(createScheduledEventRoutes({ ...scheduled, readBody }));
  router.use(createVendordataRoutes({ db: deps.db, readBody }));
  router.use(createTermsRoutes({ ...deps, readBody, preview: createTermsPreview({ ...deps, plans }) }));
  router.use(
    createRecordRoutes({
      ...{ record: createSessionRecord(deps), report: createSessionReport(deps), tenants: createSessionTenants(deps) },
      moves: createSessionMoves(deps),
    }),
  );
  // Event routes come before the replies, whose path takes any word after a session.
  const { streamsPerCaller } = settings;
  router.use(createEventRoutes({ events, eventsOf: createSessionEvents(deps), logger, stopping, streamsPerCaller }));
  router.use(createReplyRoutes({ replies, readBody }));
  router.use(createConstraintRoutes({ constraints: createConstraints(deps), readBody }));
  router.use(createAuditRoutes(deps.db));
  router.use(createWhoamiRoutes(cloudNameOf(deps)));
  const webhooks = createWebhooks({ ...deps, policy: createReceiverPolicy(settings.webhookAllow) });
  router.use(createWebhookRoutes({ webhooks, readBody }));
  router.use(createFreezeRoutes({ freezes: createFreezes(deps), readBody }));
  return router;
};

/** Those that stand before the check of the token: who calls is told by the secret in the path. */
const createSecretRoutes = (deps: ApiDeps, auditor: RequestHandler): Router => {
  const { db, settings, identity } = deps;
  const secrets = createSecretAddresses(db, settings.baseUrl);
  const events = createScheduledEvents({ ...deps, replies: createReplies(deps) });
  const router = Router();
  router.use(['/calendars', '/scheduledevents'], limitCalls(identity, settings.callsPerMinute));
  router.use(createSecretCalendarRoutes({ db, secrets }));
  const readBody = createAnyBodyReader(settings.bodyLimitBytes);
  router.use(createSecretEventRoutes({ events, secrets, auditor, readBody }));
  return router;
};

/**
 * Answers are facts of this moment, so nobody may cache them or guess another content type. No page of others may show
 * one in a frame, where people would press what they do not see.
 */
const setHeaders: RequestHandler = (_req, res, next) => {
  res.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "frame-ancestors 'none'",
  });
  next();
};

/** Events are sent one by one, at once. */
const isCompressible = (req: Request, res: Response): boolean =>
  !String(res.getHeader('Content-Type')).startsWith('text/event-stream') && compression.filter(req, res);

/** Each workflow of a session has the session's ID, which follows this address. */
const workflowsUrlOf = ({ temporalUiUrl, temporalNamespace }: ApiSettings): string | undefined =>
  temporalUiUrl && `${temporalUiUrl}/namespaces/${temporalNamespace}/workflows`;

export const createApi = (deps: ApiDeps): Express => {
  const { settings, logger, identity, readiness, metrics, tracing = noTracing } = deps;
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  if (tracing !== noTracing) app.use(createRequestTracing(tracing));
  app.use(createRequestLog(logger));
  app.use(createRequestCount(metrics));
  app.use(setHeaders);
  if (identity.trustsEverybody) app.use(createBrowserGuard(settings.baseUrl));
  app.use(refuseOtherMethods);
  app.use(createPublicRoutes({ document: createOpenApiDocument(settings.baseUrl), readiness }));
  app.use('/metrics', createAuthenticator(identity), createMetricsRoutes(metrics));
  const auditor = createAuditor({
    audit: deps.audit ?? createStoredAudit(deps.db, createEventDrafts(settings)),
    logger,
  });
  app.use('/v1', createSignInRoutes({ identity, auditor, workflowsUrl: workflowsUrlOf(settings) }));
  const limiter = limitCalls(identity, settings.callsPerMinute);
  app.use('/v1', createSecretRoutes(deps, auditor));
  const compressor = compression({ filter: isCompressible });
  app.use('/v1', createAuthenticator(identity), limiter, auditor, compressor, createV1Routes(deps));
  // The page comes after the API, whose requests need no look for a file of that name.
  const tokenEndpoint = async () => (await identity.oidcClient?.())?.tokenEndpoint;
  app.use(createPageRoutes({ tokenEndpoint }));
  app.use(refuseUnknownEndpoint);
  app.use(createProblemReplier({ logger, bodyLimitBytes: settings.bodyLimitBytes }));
  return app;
};
