/**
 * Every patch in the workflows is needed by a recorded history, and the replay notices where it is missing. A patch
 * that fails here may go, or lacks the history of the version before it (docs/design/versions.md).
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BundleCode, bundleWorkflows, replay, withoutPatch, workflowsPath } from './recorded-histories';

const patchesIn = (file: string): string[] =>
  [...readFileSync(path.join(workflowsPath, file), 'utf8').matchAll(/\bpatched\('([^']+)'\)/g)].map(
    ([, name]) => name!,
  );

const found = readdirSync(workflowsPath).flatMap(patchesIn);

/** Each patch, with a history of the version before it. */
const neededBy: Readonly<Record<string, string>> = {
  'abort-as-the-row-says': 'session-deleted',
  'failed-host-fails-its-workflow': 'host-failed',
  'show-failed-in-cleanup': 'cleanup-failed',
};

let workflowBundle: BundleCode;
beforeAll(async () => {
  workflowBundle = await bundleWorkflows();
});

it('every patch is known here with a history from before it', () => {
  expect(Object.keys(neededBy).sort()).toEqual([...found].sort());
});

it.each(Object.entries(neededBy))('without the patch %s, the recorded %s cannot go on', async (patch, history) => {
  await expect(replay(withoutPatch(workflowBundle, patch), history)).rejects.toThrow(/nondeterminism/i);
});
