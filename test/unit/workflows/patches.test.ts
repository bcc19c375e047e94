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

/** Each patch, with a history of the version before it. None since 0.2.0. */
const neededBy: Readonly<Record<string, string>> = {};

let workflowBundle: BundleCode;
beforeAll(async () => {
  workflowBundle = await bundleWorkflows();
});

it('every patch is known here with a history from before it', () => {
  expect(Object.keys(neededBy).sort()).toEqual([...found].sort());
});

for (const [patch, history] of Object.entries(neededBy)) {
  it(`without the patch ${patch}, the recorded ${history} cannot go on`, async () => {
    await expect(replay(withoutPatch(workflowBundle, patch), history)).rejects.toThrow(/nondeterminism/i);
  });
}
