import fc from 'fast-check';
import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { type SimulationResult, simulate } from '../../../simulation/simulate';
import { type Strategy, limitsOf, strategies } from '../../../simulation/strategy';
import { type FleetFileShape, aRandomFleetFile } from '../../builders/a-random-fleet-file';
import { violationsIn } from '../../checker/check-trace';
import { simulatedTrace } from '../../checker/simulated-trace';
import type { Violation } from '../../checker/trace';
import { randomFrom } from '../planning/simulated-rolling';

const someShape: fc.Arbitrary<FleetFileShape> = fc.record({
  computes: fc.integer({ min: 2, max: 9 }),
  controllers: fc.integer({ min: 0, max: 3 }),
  groups: fc.integer({ min: 1, max: 6 }),
  used: fc.constantFrom(0.2, 0.5, 0.7, 0.9),
  silent: fc.constantFrom(0, 0.2, 1),
});

const runOf = (file: WireFleet, strategy: Strategy = 'vnf'): SimulationResult => {
  const fleet = parseFleet(file);
  return simulate(fleet, { limits: limitsOf(strategy, fleet) });
};

/** What breaks a rule; of a session that gave up, what broke one until then. */
const violationsOf = (file: WireFleet, { trace, failure }: SimulationResult): readonly Violation[] => {
  const { defaultImpactShare: impactShare } = limitsOf('vnf', parseFleet(file));
  return violationsIn(simulatedTrace(parseFleet(file), { events: trace, isDone: failure === undefined, impactShare }));
};

describe('a run of the workflow vnf in virtual time', () => {
  it('ends without breaking a rule, whatever the fleet and however managers answer', () => {
    fc.assert(
      fc.property(someShape, fc.integer(), fc.constantFrom(...strategies), (shape, seed, strategy) => {
        const file = aRandomFleetFile(shape, randomFrom(seed));
        expect(violationsOf(file, runOf(file, strategy))).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });

  it('maintains everything where there is room', () => {
    fc.assert(
      fc.property(someShape, fc.integer(), (shape, seed) => {
        const file = aRandomFleetFile({ ...shape, computes: 8, groups: 6, used: 0.3 }, randomFrom(seed));
        const loose = {
          ...file,
          groups: (file.groups ?? []).map((group) => ({ ...group, anti_affinity_group: false })),
        };
        expect(runOf(loose).failure).toBeUndefined();
      }),
      { numRuns: 40 },
    );
  });

  it('decides the same again, and nothing earlier differs when a move that has not begun takes another time', () => {
    fc.assert(
      fc.property(someShape, fc.integer(), fc.nat(), (shape, seed, which) => {
        const file = aRandomFleetFile(shape, randomFrom(seed));
        const { trace } = runOf(file);
        expect(runOf(file).trace).toEqual(trace);
        const begun = trace.flatMap(({ event }, position) => (event === 'move_start' ? [position] : []));
        const position = begun[which % Math.max(1, begun.length)] ?? 0;
        const id = trace[position]?.['instance'];
        const first = trace.findIndex((one) => one.event === 'move_start' && one['instance'] === id);
        const instances = file.instances.map((one) =>
          one.instance_id === id ? { ...one, move_s: one.move_s * 3 + 1 } : one,
        );
        expect(runOf({ ...file, instances }).trace.slice(0, first + 1)).toEqual(trace.slice(0, first + 1));
      }),
      { numRuns: 100 },
    );
  });
});
