import { peakOf } from '../../../cli/demo/peak';

describe('peakOf', () => {
  it.each([
    { situation: 'nobody was impacted', impacts: [], peak: 0 },
    {
      situation: 'one begins as another ends',
      impacts: [
        [0, 5],
        [5, 9],
      ] as const,
      peak: 1,
    },
    {
      situation: 'two overlap',
      impacts: [
        [0, 5],
        [4, 9],
        [20, 21],
      ] as const,
      peak: 2,
    },
  ])('is $peak when $situation', ({ impacts, peak }) => {
    expect(peakOf(impacts.map(([fromMs, untilMs]) => ({ fromMs, untilMs })))).toBe(peak);
  });
});
