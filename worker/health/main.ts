/**
 * The worker's health check: `node dist/worker/health/main.js` ends with 0 when a worker of this machine, or container,
 * asks for work.
 */
import { hostname } from 'node:os';
import { runTool } from '../../config/run-program';
import { loadSettings } from '../../config/settings';
import { waitAtStart } from '../../startup/wait-at-start';
import { connectTemporal } from '../../temporal/connect';
import { type AskingWorker, findAskingWorkers } from '../../temporal/workers-at-work';
import { taskQueue } from '../../temporal/workflow-messages';

const longestSilenceMs = 150_000;

/** Whoever probes waits less than half a minute. */
const limitSeconds = 15;

const askTemporal = async (): Promise<AskingWorker[]> => {
  const { client, close } = await connectTemporal(loadSettings(process.env));
  const workers = await findAskingWorkers(client, longestSilenceMs);
  await close();
  return workers;
};

const main = async (stopping: AbortSignal): Promise<void> => {
  const start = { stopping, tell: (line: string) => console.error(line) };
  const workers = await waitAtStart(start, { what: 'Temporal', limitSeconds }, askTemporal);
  const isHere = workers.some(({ identity }) => identity.endsWith(`@${hostname()}`));
  if (!isHere) throw new Error(`no worker of ${hostname()} asks for work on the task queue ${taskQueue}`);
};

runTool('worker health', main);
