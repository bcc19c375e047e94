/** The tests of some seeds on a fleet: one run after the other, each a test. */
import type { FaultFleet } from './fault-fleet';
import { killable, planFaults } from './fault-plan';
import { runFaults } from './fault-run';

/**
 * The longest time for which work may stand still. It is less than the 60 s after which everything looks again by
 * itself, so a wake-up must have come, and many times the usual time.
 */
const mostSilenceMs = 55_000;

export const testFaults = (seeds: readonly number[], fleet: FaultFleet): void => {
  it.each(seeds.map((seed) => ({ seed, ...planFaults(seed) })))(
    'seed $seed, $workflow: the session ends well, nothing is lost or done twice, and work goes on soon',
    async ({ seed }) => {
      const outcome = await runFaults(seed, fleet);
      process.stdout.write(`seed ${seed}: ${JSON.stringify(outcome, null, 1)}\n`);
      expect(outcome.state).toBe('MAINTENANCE_DONE');
      expect(outcome.violations).toEqual([]);
      expect(outcome.killed.toSorted()).toEqual([...killable].sort());
      expect(outcome.slowestMs).toBeLessThan(mostSilenceMs);
      expect(outcome.longestIdleMs).toBeLessThan(mostSilenceMs);
    },
  );
};
