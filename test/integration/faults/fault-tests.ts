/** The tests of runs in which processes are killed: one run after the other, each a test. */
import type { FaultFleet } from './fault-fleet';
import { killable, planFaults } from './fault-plan';
import { type FaultRun, runFaults } from './fault-run';

/**
 * The longest time for which work may stand still. It is less than the 60 s after which everything looks again by
 * itself, so a wake-up must have come, and many times the usual time.
 */
const mostSilenceMs = 55_000;

const expectToEndWell = async (name: string, run: FaultRun): Promise<void> => {
  const outcome = await runFaults(run);
  process.stdout.write(`${name}: ${JSON.stringify(outcome, null, 1)}\n`);
  expect(outcome.states).toEqual(run.sessions.map(() => 'MAINTENANCE_DONE'));
  expect(outcome.violations).toEqual([]);
  expect(outcome.killed.toSorted()).toEqual([...killable].sort());
  expect(outcome.slowestMs).toBeLessThan(mostSilenceMs);
  expect(outcome.longestIdleMs).toBeLessThan(mostSilenceMs);
};

/** One session over the whole fleet for each seed. */
export const testFaults = (seeds: readonly number[], fleet: FaultFleet): void => {
  it.each(seeds.map((seed) => ({ seed, ...planFaults(seed) })))(
    'seed $seed, $workflow: the session ends well, nothing is lost or done twice, and work goes on soon',
    ({ seed, workflow, kills }) => expectToEndWell(`seed ${seed}`, { fleet, sessions: [{ workflow }], kills }),
  );
};

/** Sessions of both workflows at once, killed as the seed says. */
export const testBothWorkflows = (
  seed: number,
  {
    fleet,
    hosts,
  }: { readonly fleet: FaultFleet; readonly hosts: Readonly<Record<'default' | 'vnf', readonly string[]>> },
): void => {
  it(`seed ${seed}, both workflows: the sessions end well, nothing is lost or done twice, and work goes on soon`, () => {
    const sessions = (['default', 'vnf'] as const).map((workflow) => ({ workflow, hosts: hosts[workflow] }));
    return expectToEndWell(`seed ${seed}`, { fleet, sessions, kills: planFaults(seed).kills });
  });
};
