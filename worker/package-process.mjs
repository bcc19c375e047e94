/**
 * Runs the workflow of a session's package in a process apart from its worker (package-worker.ts), because an endless
 * loop in the package may end the whole process. The process serves one task queue with the workflows of its bundle,
 * until the worker tells it to end or is gone.
 */
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

const { DefaultLogger, NativeConnection, Runtime, Worker } = createRequire(import.meta.url)('@temporalio/worker');

/** Another worker takes over a task that does not end within this time. */
const graceMs = 15_000;

/**
 * Hides a warning that the SDK gives for every worker without activities. This worker has none on purpose: they run on
 * the main queue.
 */
const asIntended = 'No activities registered';

/** Writes one line for each message: the worker adds each line to its log, with the time. */
const logLine = ({ level, message, meta = {} }) => {
  if (message.startsWith(asIntended)) return;
  console.error(`${level} ${message} ${inspect(meta, { breakLength: Infinity })}`);
};

// The SDK's native part would otherwise write its own lines, with colours.
Runtime.install({ logger: new DefaultLogger('WARN', logLine), telemetryOptions: { logging: { forward: {} } } });

const stopping = new AbortController();
process.on('disconnect', () => {
  stopping.abort();
  // The thread of a task in an endless loop would keep the process running, and nobody would be left to end it.
  setTimeout(() => process.exit(1), graceMs).unref();
});

/** @param {{ endpoint: { address: string }, namespace: string, taskQueue: string, code: string }} order */
const serve = async ({ endpoint, namespace, taskQueue, code }) => {
  const connection = await NativeConnection.connect(endpoint);
  const worker = await Worker.create({
    connection,
    namespace,
    taskQueue,
    workflowBundle: { code },
    // The process serves one session, which seldom has more than one task at a time.
    maxCachedWorkflows: 10,
    maxConcurrentWorkflowTaskExecutions: 10,
    // The sticky tasks of a killed worker go to another one after this time.
    stickyQueueScheduleToStartTimeout: '5s',
  });
  // Certificates or the API key have changed. The old connection serves what is under way, until this process ends.
  process.on('message', ({ endpoint: changed }) => {
    NativeConnection.connect(changed).then(
      (next) => (worker.connection = next),
      (error) => console.error(error),
    );
  });
  const running = worker.run();
  const shutDown = () => worker.getState() === 'RUNNING' && worker.shutdown();
  if (stopping.signal.aborted) shutDown();
  stopping.signal.addEventListener('abort', shutDown);
  if (process.connected) process.send({ ready: true });
  await running;
  await worker.connection.close();
};

process.once('message', (order) => {
  // Exits explicitly: Temporal's runtime and the channel to the worker would keep the process running.
  serve(order).then(
    () => process.exit(),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
