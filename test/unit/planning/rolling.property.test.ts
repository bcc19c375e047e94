import fc from 'fast-check';
import { type FleetShape, randomFleet } from './random-fleet';
import { type Outcome, SimulatedRolling, randomFrom } from './simulated-rolling';

const someShape: fc.Arbitrary<FleetShape> = fc.record({
  seed: fc.integer(),
  computes: fc.integer({ min: 0, max: 7 }),
  controllers: fc.integer({ min: 0, max: 3 }),
  mixed: fc.integer({ min: 0, max: 2 }),
  outside: fc.integer({ min: 0, max: 2 }),
  disabledBefore: fc.integer({ min: 0, max: 1 }),
  groups: fc.integer({ min: 1, max: 5 }),
  apart: fc.constantFrom(0, 0.4),
  used: fc.constantFrom(0.1, 0.4, 0.6, 0.8, 0.95),
  sessions: fc.constantFrom<1 | 2>(1, 2),
});

const runOf = (shape: FleetShape, disturbances = { vanishing: 0, appearing: 0 }): Outcome => {
  const random = randomFrom(shape.seed);
  return new SimulatedRolling(randomFleet(shape, random), random).run(disturbances);
};

const unmaintained = ({ hosts, sessions }: Outcome): string[] =>
  hosts
    .filter(({ work }) => sessions.some(({ id, state }) => id === work?.sessionId && state === 'MAINTENANCE_COMPLETE'))
    .filter(({ work }) => work?.phase !== 'maintained')
    .map(({ name }) => name);

const unexplained = ({ sessions }: Outcome): string[] =>
  sessions.filter(({ state, failure }) => state === 'MAINTENANCE_FAILED' && !failure).map(({ id }) => id);

describe('a run of the workflow default', () => {
  it('ends without breaking a rule, whatever the fleet and the order of answers', () => {
    fc.assert(
      fc.property(someShape, (shape) => {
        const outcome = runOf(shape);
        expect(outcome.violations).toEqual([]);
        expect(unmaintained(outcome)).toEqual([]);
        expect(unexplained(outcome)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('ends without breaking a rule while instances vanish and appear', () => {
    fc.assert(
      fc.property(someShape, fc.nat(5), fc.nat(5), (shape, vanishing, appearing) => {
        const outcome = runOf(shape, { vanishing, appearing });
        expect(outcome.violations).toEqual([]);
        expect(unmaintained(outcome)).toEqual([]);
        expect(unexplained(outcome)).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  it('maintains no host twice, and moves each admitted instance once', () => {
    fc.assert(
      fc.property(someShape, (shape) => {
        const { maintenances, moves, movesGranted, movesUnderWay } = runOf(shape);
        expect([...maintenances.values()].filter((count) => count !== 1)).toEqual([]);
        expect(moves + movesUnderWay).toBe(movesGranted);
      }),
      { numRuns: 100 },
    );
  });

  it('completes where there is room for one host at a time, and moves little more than it must', () => {
    fc.assert(
      fc.property(someShape, (shape) => {
        const roomy = {
          ...shape,
          computes: 6,
          used: 0.4,
          apart: 0,
          outside: 1,
          sessions: 1,
          disabledBefore: 0,
        } as const;
        const { sessions, moves, leastMoves } = runOf(roomy);
        expect(sessions.map(({ state }) => state)).toEqual(['MAINTENANCE_COMPLETE']);
        expect(moves).toBeLessThanOrEqual(2 * leastMoves);
      }),
      { numRuns: 100 },
    );
  });
});
