/**
 * The whole service within a test file: its own database and namespace, the API listening on a free port, a worker, and
 * the simulated cloud unless the environment names another. What a test asks of it goes over HTTP, as an admin or a
 * VNFM would. What happens on the simulated cloud is recorded, and judged at the end.
 */
import type { Client } from '@temporalio/client';
import { NativeConnection, type WorkflowBundleOption } from '@temporalio/worker';
import type { Services } from '../../../activities/services';
import { openCloud } from '../../../clouds/registry';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { storeFleetConstraints } from '../../../clouds/simulated/store-fleet-constraints';
import type { Settings } from '../../../config/settings';
import { openBus } from '../../../events/open-bus';
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { type Database, inTransaction } from '../../../prisma/database';
import { connectTemporal } from '../../../temporal/connect';
import { makeServices } from '../../../worker/make-services';
import { makeWorker } from '../../../worker/make-worker';
import { serveSessions } from '../../../worker/session-workers';
import { scheduleSweeper } from '../../../worker/sweeper-schedule';
import { keepDownloadsTidy } from '../../../worker/tidy-downloads';
import { violationsIn } from '../../checker/check-trace';
import type { Violation } from '../../checker/trace';
import { watchMoves } from '../../checker/watch-moves';
import { allStarted } from '../setup/all-started';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';
import { closeNamespace, createNamespace } from './namespace';
import { openRigLog } from './rig-log';
import { rigEnvironment, rigSettings } from './rig-settings';
import { serveApi } from './serve-api';
import { type StartedParts, startedParts } from './started-parts';
import { installQuietRuntime } from './temporal-runtime';

export interface RigOptions {
  /** The speed of the simulated cloud. */
  readonly fleet?: WireFleet;
  /** The share of groups without constraints that may be impacted, for the judge; left out: as with `vnf`. */
  readonly impactShare?: number;
  /** Constraints of the fleet file are stored unless this is false. */
  readonly storeConstraints?: boolean;
  /** Changes to the environment of rig-settings.ts. */
  readonly environment?: Readonly<Record<string, string>>;
  /** The time that pause, resume and abort wait for the session's workflow; left out: as in the service. */
  readonly answerWithinMs?: number;
  /** Action plug-ins beside the built-in ones. */
  readonly actionPlugins?: readonly ActionPlugin[];
  /** The log lines at info and above, each as JSON. */
  readonly log?: (line: string) => void;
  /** Another Temporal server than the one that all test files share. */
  readonly temporalAddress?: string;
  /**
   * Database of the service on a server of its own. The simulated cloud then keeps another one, as a real cloud does,
   * and nobody judges the trace.
   */
  readonly serviceDatabase?: Pick<TestDatabase, 'url' | 'db'>;
  /** Places that another service has left behind; their test ends them. Left out: the rig makes its own. */
  readonly takenOver?: { readonly database: TestDatabase; readonly namespace: string };
}

export interface Rig {
  /** The API's address, with /v1. */
  readonly url: string;
  readonly db: Database;
  /** Database of the simulated cloud, the same as `db` unless the service has a server of its own. */
  readonly cloudDb: Database;
  readonly client: Client;
  readonly services: Services;
  readonly settings: Settings;
  /** Ends the worker as if its host went away, and starts another, which may be on another machine. */
  restartWorker(changes?: Partial<Services>): Promise<void>;
  /** Ends the worker; until `restartWorker` there is none. */
  stopWorker(): Promise<void>;
  /** Replaces the fleet by another one. */
  loadFleet(fleet: WireFleet, storeConstraints?: boolean): Promise<void>;
  /** The violations until now; nothing is known without a fleet. */
  violations(): Promise<readonly Violation[]>;
  /** @throws Error where the trace breaks a rule, unless `violations` was asked before */
  stop(): Promise<void>;
}

/** A rig that fails half-way ends what had started. */
export const startRig = async (options: RigOptions): Promise<Rig> => {
  const parts = startedParts();
  try {
    return await startParts(options, parts);
  } catch (error) {
    await parts.endAll();
    throw error;
  }
};

type Place = NonNullable<RigOptions['takenOver']>;

const ownPlace = async (temporalAddress: string, parts: StartedParts): Promise<Place> => {
  const [database, namespace] = await allStarted<[TestDatabase, string]>([
    createTestDatabase().then((made) => {
      parts.endsBy(made.drop);
      return made;
    }),
    createNamespace(temporalAddress),
  ]);
  return { database, namespace };
};

const placeOf = async (takenOver: Place | undefined, temporalAddress: string, parts: StartedParts): Promise<Place> =>
  takenOver ?? (await ownPlace(temporalAddress, parts));

const startParts = async (
  { fleet, storeConstraints = true, impactShare, answerWithinMs, takenOver, ...given }: RigOptions,
  parts: StartedParts,
): Promise<Rig> => {
  let isToBeJudged = false;
  const { temporalAddress, environment, actionPlugins = [], log, serviceDatabase } = { ...testServices(), ...given };
  const { database: cloudDatabase, namespace } = await placeOf(takenOver, temporalAddress, parts);
  const cloudDb = cloudDatabase.db;
  const { db, url: databaseUrl } = serviceDatabase ?? cloudDatabase;
  parts.endsBy(async () => expect(isToBeJudged ? await violations() : []).toEqual([]));
  const settings = rigSettings(rigEnvironment({ databaseUrl, temporalAddress, namespace }, environment));
  const logger = openRigLog(settings, log);
  const { client, close } = await connectTemporal(settings);
  parts.endsBy(close);
  parts.endsBy(() => closeNamespace(client));
  const bus = openBus(settings, logger);
  parts.endsBy(() => bus.close());
  const built = makeServices({ settings, db, client, bus, logger, answerWithinMs, workflowBundle: workflowBundle() });
  parts.endsBy(async () => built.cloud.close?.());
  const ownPlugins = actionPlugins.map((plugin) => [plugin.name, plugin] as const);
  const services = {
    ...built,
    actionPlugins: new Map([...built.actionPlugins, ...ownPlugins]),
    ...(db === cloudDb ? {} : { cloud: openCloud({ settings, db: cloudDb }) }),
  };
  if (fleet !== undefined) {
    await loadFleet(cloudDb, parseFleet(fleet), { storeConstraints });
    if (db !== cloudDb) await inTransaction(db, (tx) => storeFleetConstraints(tx, parseFleet(fleet)));
  }
  const share = impactShare ?? services.limits.defaultImpactShare;
  const isRecorded = fleet !== undefined && db === cloudDb;
  const trace = isRecorded ? await watchMoves(db, { impactShare: share }) : undefined;
  const violations = async () => (trace === undefined ? [] : violationsIn(await trace.read()));
  const api = await serveApi({ settings, services });
  parts.endsBy(() => api.stop());
  let worker: RunningWorker | undefined = await startWorker(settings, services);
  parts.endsBy(async () => worker?.stop());
  await scheduleSweeper(client);
  isToBeJudged = true;
  return {
    url: `${api.address}/v1`,
    db,
    cloudDb,
    client,
    services,
    settings,
    async restartWorker(changes = {}) {
      await worker?.stop();
      worker = await startWorker(settings, { ...services, ...changes });
    },
    async stopWorker() {
      await worker?.stop();
      worker = undefined;
    },
    loadFleet: (other, store = true) => loadFleet(cloudDb, parseFleet(other), { storeConstraints: store, force: true }),
    violations() {
      isToBeJudged = false;
      return violations();
    },
    stop: () => parts.endAll(),
  };
};

installQuietRuntime();

/** The bundle is the same for all test files. */
const workflowBundle = (): WorkflowBundleOption => ({ codePath: testServices().workflowBundle });

interface RunningWorker {
  stop(): Promise<void>;
}

const startWorker = async (settings: Settings, services: Services): Promise<RunningWorker> => {
  const connection = await NativeConnection.connect({ address: settings.temporalAddress });
  const { temporalAddress, temporalNamespace: namespace } = settings;
  const served = { namespace, services, workflowBundle: workflowBundle() };
  const worker = await makeWorker({ connection, ...served });
  const stopTidying = keepDownloadsTidy(services);
  const stopServing = serveSessions({ temporalAddress, ...served });
  const running = worker.run();
  return {
    async stop() {
      worker.shutdown();
      try {
        await running;
      } finally {
        await Promise.all([stopServing(), stopTidying()]);
      }
      await connection.close();
    },
  };
};
