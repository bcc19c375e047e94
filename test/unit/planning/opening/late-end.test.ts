import fc from 'fast-check';
import { lateEnd } from '../../../../planning/opening/late-end';

const someEnds = fc.array(fc.integer({ min: 1, max: 100_000 }), { minLength: 1, maxLength: 60 });

describe('lateEnd', () => {
  it.each([
    { what: 'the only end there is', ends: [100], seconds: 100 },
    { what: 'the last end, where all others are much earlier', ends: [20, 100, 50], seconds: 100 },
    { what: '0 where nothing ends', ends: [], seconds: 0 },
    { what: '0 where everything has ended', ends: [0, 0], seconds: 0 },
  ])('is $what', ({ ends, seconds }) => {
    expect(lateEnd(ends)).toBe(seconds);
  });

  it('is later where more are as late', () => {
    const counts = [1, 2, 3, 10].map((count) => lateEnd(Array<number>(count).fill(100)));
    expect(counts).toEqual([...counts].sort((one, other) => one - other));
    expect(counts[1]).toBeGreaterThan(101);
    expect(counts[3]).toBeLessThan(104);
  });

  it('is less where any of the ends is earlier, unless that one is early anyway', () => {
    expect(lateEnd([100, 95, 90])).toBeLessThan(lateEnd([100, 95, 99]));
    expect(lateEnd([100, 10])).toBe(lateEnd([100, 20]));
  });

  it('is never before the last end, nor more than the 64th root of their number beyond it', () => {
    fc.assert(
      fc.property(someEnds, (ends) => {
        const last = Math.max(...ends);
        expect(lateEnd(ends)).toBeGreaterThanOrEqual(last);
        expect(lateEnd(ends)).toBeLessThanOrEqual(last * ends.length ** (1 / 64) * (1 + 1e-12));
      }),
    );
  });

  it('is in the unit of the ends', () => {
    fc.assert(
      fc.property(someEnds, (ends) => {
        expect(lateEnd(ends.map((end) => end * 1_000)) / lateEnd(ends)).toBeCloseTo(1_000, 6);
      }),
    );
  });
});
