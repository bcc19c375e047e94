import fc from 'fast-check';
import { parseFleet } from '../../clouds/simulated/fleet-file';
import type { WireFleet, WireInstance } from '../../clouds/simulated/fleet-schema';
import { simulate, type SimulationResult, type TraceEvent } from '../../rules/simulation/simulate';
import { limitsOfStrategy, strategies, type Strategy } from '../../rules/simulation/strategy';
import { aRandomFleetFile, type FleetFileShape } from '../builders/a-random-fleet-file';
import { randomFrom } from '../builders/random';
import { violationsIn } from '../checker/check-trace';
import { simulatedTrace } from '../checker/simulated-trace';
import type { Violation } from '../checker/trace';

const someShape: fc.Arbitrary<FleetFileShape> = fc.record({
  computes: fc.integer({ min: 2, max: 9 }),
  controllers: fc.integer({ min: 0, max: 3 }),
  groups: fc.integer({ min: 1, max: 6 }),
  used: fc.constantFrom(0.2, 0.5, 0.7, 0.9),
  silent: fc.constantFrom(0, 0.2, 1),
});

const runOf = (file: WireFleet, strategy: Strategy = 'vnf', actual = file): SimulationResult => {
  const fleet = parseFleet(file);
  return simulate(fleet, { limits: limitsOfStrategy(strategy, fleet), actual: parseFleet(actual) });
};

/** The broken rules; for a session that gave up, those until then. */
const violationsOf = (file: WireFleet, { trace, failure }: SimulationResult): readonly Violation[] => {
  const { defaultImpactShare: impactShare } = limitsOfStrategy('vnf', parseFleet(file));
  return violationsIn(simulatedTrace(parseFleet(file), { events: trace, isDone: failure === undefined, impactShare }));
};

/** Hosts that are disabled, from the beginning of a drain to the end of a maintenance, at most at once. */
const mostAway = ({ trace }: SimulationResult): number => {
  let [away, most] = [0, 0];
  for (const { event } of trace) {
    if (event === 'disable') away += 1;
    else if (event === 'enable') away -= 1;
    most = Math.max(most, away);
  }
  return most;
};

/** Facts that decisions do not know before they happen: each counts from its event on. */
interface Untold {
  readonly what: string;
  readonly begins: string;
  /** Decisions expect what the file says of it; they are not told what really happens. */
  readonly isExpected?: true;
  readonly change: (file: WireFleet, id: string) => WireFleet;
}

const changeInstance = (
  file: WireFleet,
  id: string,
  change: (one: WireInstance) => Partial<WireInstance>,
): WireFleet => ({
  ...file,
  instances: file.instances.map((one) => (one.instance_id === id ? { ...one, ...change(one) } : one)),
});

const untold: readonly Untold[] = [
  {
    what: 'a move that has not begun takes longer',
    begins: 'move_start',
    change: (file, id) => changeInstance(file, id, ({ move_s: seconds }) => ({ move_s: seconds * 3 + 1 })),
  },
  {
    what: 'a manager that was not asked never answers',
    begins: 'notify',
    change: (file, id) => changeInstance(file, id, () => ({ ready_s: null })),
  },
  {
    what: 'a maintenance that has not begun takes longer than expected',
    begins: 'maintenance_start',
    isExpected: true,
    change: (file, id) => ({
      ...file,
      hosts: file.hosts.map((host) =>
        host.name === id ? { ...host, maintenance_s: (host.maintenance_s ?? 0) * 2 + 1 } : host,
      ),
    }),
  },
];

const isAboutSame = (one: TraceEvent, other: TraceEvent): boolean =>
  one['instance'] === other['instance'] && one['host'] === other['host'];

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

  it.each([undefined, 20])('ends so for a session of hundreds of hosts, with max_parallel_hosts %p', (most) => {
    const shape = { computes: 700, controllers: 3, groups: 280, used: 0.6, silent: 0.2 };
    const file = aRandomFleetFile(shape, randomFrom(1));
    const fleet = parseFleet(file);
    const limits = { ...limitsOfStrategy('vnf', fleet), ...(most !== undefined && { maxParallelHosts: most }) };
    const run = simulate(fleet, { limits });
    expect(run.failure).toBeUndefined();
    expect(violationsOf(file, run)).toEqual([]);
    expect(mostAway(run)).toBeLessThanOrEqual(most ?? Infinity);
    expect(mostAway(run)).toBeGreaterThan(10);
  });

  it('maintains everything where there is capacity', () => {
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

  it('decides the same again', () => {
    fc.assert(
      fc.property(someShape, fc.integer(), (shape, seed) => {
        const file = aRandomFleetFile(shape, randomFrom(seed));
        expect(runOf(file).trace).toEqual(runOf(file).trace);
      }),
      { numRuns: 20 },
    );
  });

  it.each(untold)('decides nothing earlier otherwise where $what', ({ begins, isExpected, change }) => {
    fc.assert(
      fc.property(someShape, fc.integer(), fc.nat(), (shape, seed, which) => {
        const file = aRandomFleetFile(shape, randomFrom(seed));
        const { trace } = runOf(file);
        const begun = trace.filter(({ event }) => event === begins);
        fc.pre(begun.length > 0);
        const subject = begun[which % begun.length]!;
        const first = trace.findIndex((one) => one.event === begins && isAboutSame(one, subject));
        const actual = change(file, String(subject['instance'] ?? subject['host']));
        const changed = runOf(isExpected ? file : actual, 'vnf', actual);
        expect(changed.trace.slice(0, first + 1)).toEqual(trace.slice(0, first + 1));
      }),
      { numRuns: 40 },
    );
  });
});
