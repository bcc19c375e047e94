/**
 * The process in which the workflow of a session's package runs, apart from the worker that has started it
 * (package-worker.ts): a loop without end there may end the whole process. It serves one task queue, with the workflows
 * of the bundle that it is given, until it is told to end, or until the worker is gone.
 */
import { createRequire } from 'node:module';
import { inspect } from 'node:util';

const { DefaultLogger, NativeConnection, Runtime, Worker } = createRequire(import.meta.url)('@temporalio/worker');

/** A task that does not end meanwhile is taken over by another worker. */
const graceMs = 15_000;

/** The SDK warns of every worker without activities; this one has none on purpose: they run on the main queue. */
const asIntended = 'No activities registered';

/** A line for each thing that is said: the worker logs line by line, with the time. */
const logLine = ({ level, message, meta = {} }) => {
  if (message.startsWith(asIntended)) return;
  console.error(`${level} ${message} ${inspect(meta, { breakLength: Infinity })}`);
};

// Else its native part writes lines of its own, with colours.
Runtime.install({ logger: new DefaultLogger('WARN', logLine), telemetryOptions: { logging: { forward: {} } } });

const stopping = new AbortController();
process.on('disconnect', () => {
  stopping.abort();
  // A task in an endless loop's thread would keep the process for ever, and nobody is left to end it.
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
    // One session, and seldom more than one task of it at a time.
    maxCachedWorkflows: 10,
    maxConcurrentWorkflowTaskExecutions: 10,
    // A killed worker's sticky tasks go to another one after this time.
    stickyQueueScheduleToStartTimeout: '5s',
  });
  const running = worker.run();
  const shutDown = () => worker.getState() === 'RUNNING' && worker.shutdown();
  if (stopping.signal.aborted) shutDown();
  stopping.signal.addEventListener('abort', shutDown);
  if (process.connected) process.send({ ready: true });
  await running;
  await connection.close();
};

process.once('message', (order) => {
  // Ended by hand: Temporal's runtime and the channel to the worker would keep the process.
  serve(order).then(
    () => process.exit(),
    (error) => {
      console.error(error);
      process.exit(1);
    },
  );
});
