/**
 * A worker process that a test kills (killed-worker.ts). Argument: the bundle of the workflows. Its action plug-in
 * `holds` runs until it is cancelled.
 */
import { once } from 'node:events';
import { createActivities } from '../../../activities';
import { loadSettings } from '../../../config/settings';
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { runWorker } from '../../../worker/run-worker';

const [codePath = ''] = process.argv.slice(2);

const holds: ActionPlugin = {
  name: 'holds',
  async run({ signal }) {
    if (!signal.aborted) await once(signal, 'abort');
    throw signal.reason;
  },
};

void runWorker(loadSettings(process.env), {
  makeActivities: (services) =>
    createActivities({ ...services, actionPlugins: new Map([...services.actionPlugins, [holds.name, holds]]) }),
  workflowBundle: { codePath },
});
