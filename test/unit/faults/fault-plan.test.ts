import fc from 'fast-check';
import { killable, planFaults } from '../../integration/faults/fault-plan';

it('kills every process once, and the same seed gives the same plan', () => {
  fc.assert(
    fc.property(fc.integer(), (seed) => {
      const plan = planFaults(seed);
      expect(plan.kills.map(({ victim }) => victim).sort()).toEqual([...killable].sort());
      expect(planFaults(seed)).toEqual(plan);
    }),
  );
});

it('begins with each process for some of the seeds from 1 to 20', () => {
  const first = Array.from({ length: 20 }, (_, index) => planFaults(index + 1).kills[0]?.victim);
  expect(new Set(first)).toEqual(new Set(killable));
});
