/** The API on a real database; Temporal and the cloud are recorded at their interfaces. */
import { createHash } from 'node:crypto';
import pino from 'pino';
import supertest from 'supertest';
import { type ApiDeps, createApi, createForetelling } from '../../../api/app';
import type { Identity } from '../../../api/identity/identity';
import { createNoIdentity } from '../../../api/identity/no-identity';
import { parseTokens } from '../../../api/identity/token-file';
import { createTokenIdentity } from '../../../api/identity/token-identity';
import type { Audit } from '../../../api/services/audit';
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { openStream } from '../../../events/stream';
import type { AllowedSource } from '../../../plugins/addresses/allowed-source';
import type { Database } from '../../../prisma/database';
import { countService } from '../../../prisma/upkeep/service-counts';
import type { CloudGroup, CloudHost, CloudInstance } from '../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../rules/cloud/departure';
import type { HostLabels } from '../../../rules/selectors/labels';
import { simulatedActions } from '../../../rules/simulation/simulated-actions';
import { createApiMetrics } from '../../../telemetry/metrics/api-metrics';
import type { Tracing } from '../../../telemetry/tracing/tracing';
import type { RequestAnswer, WorkflowCalls } from '../../../temporal/workflow-calls';
import { specifiedNames } from '../../builders/wire-names';
import { eventually } from '../../waiting/eventually';
import { createTestDatabase } from '../setup/test-database';
import { createTestPlanner } from '../setup/test-planner';

export const ownProject = '11111111-1111-4111-8111-111111111111';
export const otherProject = '22222222-2222-4222-8222-222222222222';
/** An instance that the cloud knows as the own project's, and one that it does not know. */
export const ownInstance = 'aaaaaaaa-0000-4000-8000-000000000001';
export const ownInstance2 = 'aaaaaaaa-0000-4000-8000-000000000002';
export const strayInstance = 'aaaaaaaa-0000-4000-8000-00000000000f';
export const group = 'bbbbbbbb-0000-4000-8000-000000000001';
/** A group that the cloud knows as the other project's. */
export const otherGroup = 'bbbbbbbb-0000-4000-8000-000000000002';
export const nobody = 'ffffffff-0000-4000-8000-000000000000';

const host = (name: string, type: CloudHost['type'] = 'compute'): CloudHost => ({
  name,
  type,
  isCompute: type === 'compute',
  amounts: { VCPU: 8, MEMORY_MB: 16_384 },
  enabled: true,
  isUp: true,
});

const instance = (instanceId: string): CloudInstance => ({
  instanceId,
  instanceName: 'vm',
  projectId: ownProject,
  host: 'compute-1',
  flavor: 'small',
  amounts: { VCPU: 1, MEMORY_MB: 1024 },
  state: 'ACTIVE',
  departure: movesElsewhere,
});

const notAsked = (): never => {
  throw new Error('the API does not ask this of a cloud');
};

/** A cloud whose calls all fail with this error. */
const awayCloud = (error: Error): CloudDriver => {
  const fail = () => Promise.reject(error);
  return { ...createCloud(0), listHosts: fail, findHost: fail, listGroups: fail, findInstance: fail, ping: fail };
};

/** This many computes, and one controller. @param labels of hosts, by their names */
export const createCloud = (computes: number, labels: Readonly<Record<string, HostLabels>> = {}): CloudDriver => {
  const computesThere = Array.from({ length: computes }, (_, index) => host(`compute-${index + 1}`));
  const hosts = [...computesThere, host('controller-1', 'controller')].map((one) => ({
    ...one,
    labels: labels[one.name] ?? {},
  }));
  const instances = [instance(ownInstance), instance(ownInstance2)];
  const group = { groupId: otherGroup, projectId: otherProject, antiAffinity: false, maxInstancesPerHost: 1 };
  const groups: CloudGroup[] = [{ ...group, instanceIds: [] }];
  return {
    name: 'recorded',
    actions: { ...simulatedActions, migrationTypes: simulatedActions.offered },
    choosesTarget: () => Promise.resolve(true),
    pollPace: { leastMs: 100, mostMs: 1_000, shareOfElapsed: 1 },
    listHosts: () => Promise.resolve([...hosts]),
    findHost: (name) => Promise.resolve(hosts.find((one) => one.name === name)),
    listHostsLately: notAsked,
    listInstances: () => Promise.resolve(instances),
    listInstancesLately: () => Promise.resolve(instances),
    findInstance: (id) => Promise.resolve(instances.find(({ instanceId }) => instanceId === id)),
    whatIsOn: (name) => Promise.resolve({ instances: instances.filter((one) => one.host === name), doubts: [] }),
    listMoving: notAsked,
    listGroups: () => Promise.resolve(groups),
    listGroupsLately: () => Promise.resolve(groups),
    ping: () => Promise.resolve(),
    whyNot: () => undefined,
    missingRights: () => Promise.resolve([]),
    disableHost: notAsked,
    enableHost: notAsked,
    startMove: notAsked,
    observeMove: notAsked,
    forceMove: notAsked,
    abortMove: notAsked,
  };
};

const aCloud = ({ cloud, computes = 3, cloudError }: ApiOptions): CloudDriver =>
  cloud ?? (cloudError === undefined ? createCloud(computes) : awayCloud(cloudError));

interface RecordedCalls extends WorkflowCalls {
  readonly calls: string[];
}

interface CallOptions {
  readonly reachable: boolean | 'neverAnswers';
  /** To pause, resume and abort. */
  readonly workflowAnswer: RequestAnswer;
}

const createCalls = ({ reachable, workflowAnswer }: CallOptions): RecordedCalls => {
  const calls: string[] = [];
  const record =
    (name: string) =>
    (...ids: string[]): Promise<void> => {
      calls.push([name, ...ids].join(' '));
      if (reachable === 'neverAnswers') return new Promise(() => undefined);
      return reachable ? Promise.resolve() : Promise.reject(new Error('Temporal is away'));
    };
  return {
    calls,
    start: record('start'),
    wakeSession: record('wakeSession'),
    wakeHost: record('wakeHost'),
    async request(sessionId, request) {
      calls.push(`${request} ${sessionId}`);
      return Promise.resolve(reachable ? workflowAnswer : { kind: 'unanswered' });
    },
    abort: record('abort'),
    startHost: record('startHost'),
    startCleanup: record('startCleanup'),
    continueFailed: record('continueFailed'),
    deliverEvents: ({ webhookId, sessionId }) => record('deliverEvents')(webhookId, sessionId),
  };
};

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Tokens are the words admin, own and other. */
export const tokenIdentity = (): Identity =>
  createTokenIdentity(
    parseTokens(
      JSON.stringify([
        { sha256: sha256('admin'), role: 'admin' },
        { sha256: sha256('own'), role: 'project', project_id: ownProject },
        { sha256: sha256('other'), role: 'project', project_id: otherProject },
      ]),
    ),
  );

const planSettings = {
  projectReplySeconds: 20,
  scaleInReplySeconds: 60,
  scaleInRounds: 3,
  hostStartSeconds: 600,
  defaultImpactShare: 0.25,
  expectedMaintenanceSeconds: 900,
  expectedMoveSeconds: 30,
  expectedAnswerSeconds: 10,
  kubernetesReadySeconds: 300,
};

export interface ApiOptions {
  /** Plans that are made at once at most. */
  readonly plansAtOnce?: number;
  /** Settings that replace the usual ones. */
  readonly planSettings?: Partial<typeof planSettings>;
  readonly identity?: Identity;
  readonly maxSessions?: number;
  readonly computes?: number;
  /** The cloud that replaces the recorded one. */
  readonly cloud?: CloudDriver;
  /** The error with which every call of the cloud fails. */
  readonly cloudError?: Error;
  readonly bodyLimitBytes?: number;
  readonly callsPerMinute?: number;
  readonly metadataLimitBytes?: number;
  readonly downloadAllow?: readonly AllowedSource[];
  readonly webhookAllow?: readonly AllowedSource[];
  readonly temporalReachable?: boolean | 'neverAnswers';
  readonly workflowAnswer?: RequestAnswer;
  readonly ready?: boolean;
  /** Left out: warn. */
  readonly logLevel?: string;
  readonly stopping?: AbortSignal;
  /** The audit that replaces the table. */
  readonly audit?: Audit;
  readonly tracing?: Tracing;
}

const partsGiven = ({ audit, stopping, tracing }: ApiOptions) => ({
  ...(tracing && { tracing }),
  ...(audit && { audit }),
  ...(stopping && { stopping }),
});

const limitsGiven = (options: ApiOptions) => {
  const { maxSessions = 10, bodyLimitBytes = 1_048_576, metadataLimitBytes = 262_144 } = options;
  return { maxSessions, bodyLimitBytes, metadataLimitBytes, callsPerMinute: options.callsPerMinute ?? 12_000 };
};

export const apiOn = (db: Database, options: ApiOptions = {}) => {
  const { temporalReachable: reachable = true, workflowAnswer = { kind: 'takenUp' } } = options;
  const workflowCalls = createCalls({ reachable, workflowAnswer });
  const logged: string[] = [];
  const deps: ApiDeps = {
    db,
    workflowCalls,
    cloud: aCloud(options),
    events: openStream(db, specifiedNames),
    identity: options.identity ?? createNoIdentity(),
    settings: {
      baseUrl: 'http://parley.example:12347',
      serviceName: 'parley',
      adminProjectId: '0a4d1e7c5d0b4b529a3e7061726c6579',
      temporalUiUrl: 'http://temporal.example:8233',
      temporalNamespace: 'default',
      nackRetries: 2,
      nackRetrySeconds: 10,
      streamsPerCaller: 1000,
      ...planSettings,
      ...options.planSettings,
      ...limitsGiven(options),
      downloadAllow: options.downloadAllow ?? [],
      webhookAllow: { sources: options.webhookAllow ?? [], networks: [] },
    },
    metrics: createApiMetrics({ count: () => countService(db) }),
    planner: createTestPlanner({ atOnce: options.plansAtOnce ?? 2 }),
    logger: pino({ level: options.logLevel ?? 'warn' }, { write: (line: string) => logged.push(line) }),
    readiness: () =>
      Promise.resolve({ ready: options.ready ?? true, problems: (options.ready ?? true) ? [] : ['no worker'] }),
    workflows: new Map(['default', 'vnf'].map((name) => [name, ['MAINTENANCE', 'SCALE_IN', 'PLANNED_MAINTENANCE']])),
    actionPlugins: new Set(['dummy', 'script']),
    ...partsGiven(options),
  };
  const foretelling = createForetelling(deps);
  const app = createApi({ ...deps, foretelling });
  return { app, http: supertest(app), workflowCalls, logged, foretelling, logger: deps.logger };
};

/** A database for a test file; every test begins with empty tables. */
export const useDatabase = (): { readonly db: () => Database; readonly url: () => string } => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  // Where a page or a stream of the test before is still being answered, the database may end this as a deadlock.
  beforeEach(() =>
    eventually(
      'the tables are empty',
      () => database.db.$executeRaw`
        TRUNCATE session, session_freeze, claim, event, webhook, webhook_secret, instance_constraint, group_constraint, secret_address RESTART IDENTITY CASCADE`,
    ),
  );
  afterAll(() => database.drop());
  return { db: () => database.db, url: () => database.url };
};

export const aSessionRequest = (fields: Readonly<Record<string, unknown>> = {}) => ({
  hosts: ['compute-1'],
  state: 'MAINTENANCE',
  maintenance_at: '2026-04-15 11:43:28',
  workflow: 'default',
  metadata: { openstack: 'upgrade' },
  ...fields,
});

export const instanceConstraints = (fields: Readonly<Record<string, unknown>> = {}) => ({
  instance_id: ownInstance,
  project_id: ownProject,
  group_id: group,
  instance_name: 'vm-1',
  max_interruption_time: 120,
  migration_type: 'LIVE_MIGRATE',
  resource_mitigation: false,
  lead_time: 30,
  ...fields,
});

export const groupConstraints = (fields: Readonly<Record<string, unknown>> = {}) => ({
  group_id: group,
  project_id: ownProject,
  group_name: 'vms',
  anti_affinity_group: false,
  max_instances_per_host: 0,
  max_impacted_members: 1,
  recovery_time: 10,
  resource_mitigation: false,
  ...fields,
});
