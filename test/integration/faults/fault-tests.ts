/** The tests of some seeds: one run after the other, each a test. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { bundleWorkflowCode } from '@temporalio/worker';
import { workflowsPath } from '../../../worker/make-worker';
import { killable, planFaults } from './fault-plan';
import { runFaults } from './fault-run';

/** How soon work goes on when what was killed is up again. */
const mostSilenceMs = 30_000;
const longestRunMs = 480_000;

/** A bundle of the workflows as they are now, in a file that goes with the tests. */
export const bundleForTests = (): (() => string) => {
  let folder = '';
  const file = () => path.join(folder, 'workflow-bundle.js');
  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'parley-bundle-'));
    await writeFile(file(), (await bundleWorkflowCode({ workflowsPath })).code);
  }, 120_000);
  afterAll(() => rm(folder, { recursive: true, force: true }));
  return file;
};

export const testFaults = (seeds: readonly number[]): void => {
  const bundle = bundleForTests();
  it.each(seeds.map((seed) => ({ seed, ...planFaults(seed) })))(
    'seed $seed, $workflow: the session ends well, nothing is lost or done twice, and work goes on soon',
    async ({ seed }) => {
      const outcome = await runFaults(seed, bundle());
      process.stdout.write(`seed ${seed}: ${JSON.stringify(outcome, null, 1)}\n`);
      expect(outcome.state).toBe('MAINTENANCE_DONE');
      expect(outcome.violations).toEqual([]);
      expect(outcome.killed.toSorted()).toEqual([...killable].sort());
      expect(outcome.slowestMs).toBeLessThan(mostSilenceMs);
      expect(outcome.longestIdleMs).toBeLessThan(mostSilenceMs);
    },
    longestRunMs,
  );
};
