/**
 * Wires a worker process: services in, Temporal workers out, one for each task queue. So decisions, questions and
 * requests never wait for a place behind drains and plug-ins, which take hours.
 */
import path from 'node:path';
import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { type Activities, createActivities } from '../activities';
import type { Services } from '../activities/services';
import { noTracing, type Tracing } from '../telemetry/tracing/tracing';
import { taskQueue, taskQueueOfHosts, taskQueueOfPlugins } from '../temporal/workflow-messages';
import { countFailures } from './count-failures';
import { createInFlight } from './count-in-flight';
import { heartbeatWhileRunning } from './heartbeat';
import { traceActivities } from './trace-activities';

export interface WorkerParts {
  readonly connection: NativeConnection;
  readonly namespace: string;
  readonly services: Services;
  readonly makeActivities?: (services: Services) => Activities;
  readonly workflowBundle: WorkflowBundleOption;
  /** Left out: nothing is traced. */
  readonly tracing?: Tracing;
  /** Left out: as in the service. */
  readonly bounds?: WorkerBounds;
}

/** How much a worker process does at a time. What is beyond waits in Temporal. */
export interface WorkerBounds {
  /** Hosts that are drained, each with all its moves. */
  readonly hostsAtOnce: number;
  readonly pluginsAtOnce: number;
}

const usualBounds: WorkerBounds = { hostsAtOnce: 2_000, pluginsAtOnce: 500 };

/**
 * Activities that take seconds. Several times as many as there are connections, because some wait for a cloud or a bus.
 */
const quickAtOnce = 100;
/** The pollers of a task queue on which little comes. */
const fewPolls = 2;

/** The Temporal workers of a process, which begin and end together. */
export interface ProcessWorker {
  /** Resolves when they have been told to end, and have ended. */
  run(): Promise<void>;
  shutdown(): void;
  /** Makes all of them use this connection from now on. */
  readonly use: (connection: NativeConnection) => void;
}

export const makeWorker = async (parts: WorkerParts): Promise<ProcessWorker> => {
  const { services, makeActivities = createActivities, workflowBundle, bounds = usualBounds } = parts;
  const activities = makeActivities(services);
  const slowQueue = (queue: string, mostAtOnce: number): Promise<Worker> =>
    Worker.create({
      ...optionsOf(parts, queue, mostAtOnce),
      activities,
      maxConcurrentActivityTaskPolls: fewPolls,
    });
  const workers = await Promise.all([
    Worker.create({
      ...optionsOf(parts, taskQueue, quickAtOnce),
      activities,
      workflowBundle,
      // The sticky tasks of a killed worker go to another one after this time.
      stickyQueueScheduleToStartTimeout: '5s',
    }),
    slowQueue(taskQueueOfHosts, bounds.hostsAtOnce),
    slowQueue(taskQueueOfPlugins, bounds.pluginsAtOnce),
  ]);
  return together(workers);
};

const optionsOf = (
  { connection, namespace, services: { measures }, tracing = noTracing }: WorkerParts,
  queue: string,
  mostAtOnce: number,
) => {
  const inFlight = createInFlight();
  measures.watchPlaces({ kind: queue, places: mostAtOnce, taken: inFlight.count });
  const activity = [heartbeatWhileRunning, traceActivities(tracing), countFailures(measures), inFlight.interceptor];
  return {
    connection,
    namespace,
    taskQueue: queue,
    interceptors: { activity },
    maxConcurrentActivityTaskExecutions: mostAtOnce,
    shutdownGraceTime: '5s' as const,
    // Another worker repeats activities that have not ended by then: everything may run twice.
    shutdownForceTime: '15s' as const,
  };
};

/** When one of them fails, the others end too. */
const together = (workers: readonly Worker[]): ProcessWorker => {
  const shutdown = (): void => {
    for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
  };
  return {
    shutdown,
    use: (connection) => {
      for (const worker of workers) worker.connection = connection;
    },
    run: async () => {
      await Promise.all(workers.map((worker) => worker.run().finally(shutdown)));
    },
  };
};

export const workflowsPath = path.join(__dirname, '..', 'workflows');
