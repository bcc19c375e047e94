/**
 * Runs that shipped versions began go on after an update: every recorded history replays on the workflows as they are
 * now. A failure here means a missing `patched`, not an outdated history (CONTRIBUTING.md; recorded by
 * `npm run histories:record`).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger, Runtime, Worker, type WorkflowBundle } from '@temporalio/worker';

const folder = path.join(__dirname, '..', '..', 'histories');
const workflowsPath = path.join(__dirname, '..', '..', '..', 'workflows');
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.json'))
  .map((file) => path.basename(file, '.json'));

const logger = new DefaultLogger('ERROR');
Runtime.install({ logger });

let workflowBundle: WorkflowBundle;
beforeAll(async () => {
  workflowBundle = await bundleWorkflowCode({ workflowsPath, logger });
}, 60_000);

it.each(names)(
  'the workflows of now replay %s',
  async (name) => {
    const history: unknown = JSON.parse(readFileSync(path.join(folder, `${name}.json`), 'utf8'));
    await expect(Worker.runReplayHistory({ workflowBundle }, history, name)).resolves.toBeUndefined();
  },
  30_000,
);

it('there is a history of every workflow', () => {
  expect(names).toEqual(expect.arrayContaining(['session-done', 'host-failed', 'cleanup-failed', 'sweep']));
});
