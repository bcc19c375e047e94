/**
 * The worker's health check: `node dist/worker/health/main.js` ends with 0 when a worker of this machine, or container,
 * asks for work.
 */
import { hostname } from 'node:os';
import { runTool } from '../../config/run-program';
import { loadSettings } from '../../config/settings';
import { connectTemporal } from '../../temporal/connect';
import { findAskingWorkers } from '../../temporal/workers-at-work';
import { taskQueue } from '../../temporal/workflow-messages';

const longestSilenceMs = 150_000;

const main = async (): Promise<void> => {
  const { client, close } = await connectTemporal(loadSettings(process.env));
  const workers = await findAskingWorkers(client, longestSilenceMs);
  await close();
  const isHere = workers.some(({ identity }) => identity.endsWith(`@${hostname()}`));
  if (!isHere) throw new Error(`no worker of ${hostname()} asks for work on the task queue ${taskQueue}`);
};

runTool('worker health', main);
