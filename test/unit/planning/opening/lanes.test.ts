import fc from 'fast-check';
import { staysInFreeLanes } from '../../../../planning/opening/lanes';

const times = (count: number, seconds: number): number[] => Array<number>(count).fill(seconds);

describe('the stays that free lanes are planned to take', () => {
  it.each([
    {
      what: 'one of two short pairs, and long ones',
      free: 1,
      taken: [4],
      stays: [4, 4, 4, 4, 6, 6],
      expected: [4, 6, 6],
    },
    {
      what: 'two where a lane that is taken has room for one',
      free: 1,
      taken: [8],
      stays: [5, 5, 5],
      expected: [5, 5],
    },
    {
      what: 'the longest, where all others are taken for long',
      free: 1,
      taken: [5, 5],
      stays: [4, 4, 9],
      expected: [9],
    },
    { what: 'everything, where nothing is under work', free: 2, taken: [], stays: [1, 2, 3], expected: [1, 2, 3] },
    { what: 'nothing, where nothing waits', free: 1, taken: [3], stays: [], expected: [] },
  ])('are $what', ({ free, taken, stays, expected }) => {
    expect(staysInFreeLanes({ freeInSeconds: [...times(free, 0), ...taken], staySeconds: stays })).toEqual(expected);
  });

  it('are the shortest, where this lane takes four hosts and the others three each', () => {
    const staySeconds = [7, 7, 7, 7, 9, 9, 9, 9, 9, 9];
    expect(staysInFreeLanes({ freeInSeconds: [0, 1, 1], staySeconds })).toEqual([7, 7, 7, 7]);
  });

  it('are no more than their share of very many, however few lanes there are', () => {
    const staySeconds = Array.from({ length: 3_000 }, (_, second) => 1_000 + second);
    expect(staysInFreeLanes({ freeInSeconds: [0, ...times(9, 1)], staySeconds })).toHaveLength(300);
    expect(staysInFreeLanes({ freeInSeconds: [0, ...times(59, 1)], staySeconds })).toHaveLength(50);
  });

  it('are planned on a sample of very many', () => {
    const stays = Array.from({ length: 3_000 }, (_, second) => second);
    const planned = staysInFreeLanes({ freeInSeconds: times(1_000, 0), staySeconds: stays });
    expect(planned).toHaveLength(300);
    expect(Math.min(...planned)).toBeLessThan(10);
    expect(Math.max(...planned)).toBeGreaterThan(2_989);
  });

  const seconds = fc.integer({ min: 1, max: 1_000 });
  const ascending = (numbers: readonly number[]): number[] => numbers.toSorted((one, other) => one - other);

  it('are hosts that wait, each once, and come in ascending order', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.array(seconds), fc.array(seconds), (free, taken, waiting) => {
        const staySeconds = ascending(waiting);
        const planned = staysInFreeLanes({ freeInSeconds: [...times(free, 0), ...ascending(taken)], staySeconds });
        expect(planned).toEqual(ascending(planned));
        const left = [...staySeconds];
        for (const stay of planned) {
          expect(left).toContain(stay);
          left.splice(left.indexOf(stay), 1);
        }
      }),
    );
  });
});
