/**
 * Runs that shipped versions began go on after an update: every recorded history replays on the workflows as they are
 * now. A failure here means a missing `patched`, not an outdated history (docs/design/versions.md).
 */
import { type BundleCode, bundleWorkflows, historyNames, replay } from './recorded-histories';

let workflowBundle: BundleCode;
beforeAll(async () => {
  workflowBundle = await bundleWorkflows();
});

it.each(historyNames)('the workflows of now replay %s', async (name) => {
  await expect(replay(workflowBundle, name)).resolves.toBeUndefined();
});

it('there is a history of every workflow', () => {
  expect(historyNames).toEqual(expect.arrayContaining(['session', 'host', 'cleanup', 'sweep', 'webhook-deliveries']));
});
