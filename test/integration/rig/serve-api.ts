/** The API of a rig, listening on loopback. A test may serve another one, with a way of its own to identify callers. */
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Services } from '../../../activities/services';
import { type ApiDeps, createApi, createForetelling, type Foretelling } from '../../../api/app';
import type { Identity } from '../../../api/identity/identity';
import { createNoIdentity } from '../../../api/identity/no-identity';
import { builtInNames } from '../../../api/services/check-names';
import { tellInRounds } from '../../../api/tell-in-rounds';
import type { Settings } from '../../../config/settings';
import { openStream } from '../../../events/stream';
import { countService } from '../../../prisma/upkeep/service-counts';
import { nameOfHold } from '../../../rules/holds/hold';
import { createApiMetrics } from '../../../telemetry/metrics/api-metrics';
import { createTestPlanner } from '../setup/test-planner';

export interface ApiParts {
  readonly settings: Settings;
  readonly services: Services;
  readonly identity?: Identity;
  /** Left out: it is ready. */
  readonly readiness?: ApiDeps['readiness'];
  /** Left out: a free one. */
  readonly port?: number;
}

export interface ServedApi {
  /** Without /v1. */
  readonly address: string;
  readonly port: number;
  /** Ends its connections too, as when its process ends. */
  stop(): Promise<void>;
}

export const serveApi = async (parts: ApiParts): Promise<ServedApi> => {
  const deps = depsOf(parts);
  const foretelling = createForetelling(deps);
  const telling = tellOfComing(parts, foretelling);
  const server = createApi({ ...deps, foretelling }).listen(parts.port ?? 0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${port}`,
    port,
    stop: () => Promise.all([closeServer(server), telling.stop()]).then(() => undefined),
  };
};

const tellOfComing = (
  { settings, services }: ApiParts,
  { ends }: Foretelling,
): { readonly stop: () => Promise<void> } => {
  if (settings.comingSeconds === 0) return { stop: () => Promise.resolve() };
  const stopping = new AbortController();
  const { db, drafts, logger } = services;
  const everySeconds = settings.comingSeconds;
  const told = tellInRounds({ db, drafts, logger, settings, ends, everySeconds, stopping: stopping.signal });
  return {
    stop: () => {
      stopping.abort();
      return told;
    },
  };
};

const isReady = () => Promise.resolve({ ready: true, problems: [] });

const depsOf = ({ settings, services, identity = createNoIdentity(), readiness = isReady }: ApiParts): ApiDeps => {
  const { db, workflowCalls, cloud, logger } = services;
  return {
    ...builtInNames(settings),
    actionPlugins: new Set([...services.actionPlugins.keys(), nameOfHold]),
    db,
    workflowCalls,
    cloud,
    events: openStream(db, settings),
    identity,
    settings,
    logger,
    metrics: createApiMetrics({ count: () => countService(db) }),
    planner: createTestPlanner(),
    readiness,
  };
};

const closeServer = async (server: Server): Promise<void> => {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
};
