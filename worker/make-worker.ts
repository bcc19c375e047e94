/** Wires a worker process: services in, a Temporal worker out. */
import path from 'node:path';
import { type NativeConnection, Worker, type WorkflowBundleOption } from '@temporalio/worker';
import { type Activities, createActivities } from '../activities';
import type { Services } from '../activities/services';
import { noTracing, type Tracing } from '../telemetry/tracing/tracing';
import { taskQueue } from '../temporal/workflow-messages';
import { countFailures } from './count-failures';
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
}

/** Moves and plug-ins occupy an activity slot each while they are watched. */
const mostActivities = 500;

export const makeWorker = (parts: WorkerParts): Promise<Worker> => {
  const {
    connection,
    namespace,
    services,
    makeActivities = createActivities,
    workflowBundle,
    tracing = noTracing,
  } = parts;
  return Worker.create({
    connection,
    namespace,
    taskQueue,
    activities: makeActivities(services),
    workflowBundle,
    interceptors: { activity: [heartbeatWhileRunning, traceActivities(tracing), countFailures(services.measures)] },
    maxConcurrentActivityTaskExecutions: mostActivities,
    // The sticky tasks of a killed worker go to another one after this time.
    stickyQueueScheduleToStartTimeout: '5s',
    shutdownGraceTime: '5s',
    // Another worker repeats activities that have not ended by then: everything may run twice.
    shutdownForceTime: '15s',
  });
};

export const workflowsPath = path.join(__dirname, '..', 'workflows');
