import fc from 'fast-check';
import { Timeline } from '../../../../planning/opening/timeline';

it('gives what was added in the order of time, everything of a time at once', () => {
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 20 })), (times) => {
      const timeline = new Timeline<{ atSeconds: number }>();
      for (const atSeconds of times) timeline.add({ atSeconds });
      const taken: number[][] = [];
      for (let next = timeline.takeNext(); next.length > 0; next = timeline.takeNext()) {
        taken.push(next.map(({ atSeconds }) => atSeconds));
      }
      expect(taken.flat()).toEqual(times.toSorted((one, other) => one - other));
      expect(taken.map(([first]) => first)).toEqual([...new Set(taken.flat())]);
    }),
  );
});

it('is empty once it was cleared', () => {
  const timeline = new Timeline<{ atSeconds: number }>();
  timeline.add({ atSeconds: 1 });
  timeline.clear();
  expect(timeline.takeNext()).toEqual([]);
});
