import { playCost } from '../../../../planning/opening/play-cost';
import type { Played } from '../../../../planning/opening/play-cost';

const played: Played = { returnsSeconds: [1000, 500], stuckSeconds: 0, waitingHosts: 2, movesAgain: 0 };

const costOf = (what: Partial<Played>): number => playCost({ ...played, ...what });

describe('what a play costs', () => {
  it('is about when the last host is back', () => {
    expect(costOf({}) / 1000).toBeCloseTo(1, 1);
  });

  it.each<{ what: string; better: Partial<Played>; worse: Partial<Played> }>([
    { what: 'the last host is back later', better: {}, worse: { returnsSeconds: [1020, 500] } },
    { what: 'others are back later', better: {}, worse: { returnsSeconds: [1000, 600] } },
    { what: 'hosts could not be opened', better: {}, worse: { stuckSeconds: 100 } },
    { what: 'more is moved again', better: { movesAgain: 0.2 }, worse: { movesAgain: 0.21 } },
    {
      what: 'it ends later with as many moves',
      better: { movesAgain: 0.3 },
      worse: { movesAgain: 0.3, returnsSeconds: [1020, 500] },
    },
  ])('is more where $what', ({ better, worse }) => {
    expect(costOf(worse)).toBeGreaterThan(costOf(better));
  });

  it('makes good usual moves by a slightly earlier end, and many by a much earlier one alone', () => {
    const slightlyEarlier = { returnsSeconds: [990, 495] };
    expect(costOf({ ...slightlyEarlier, movesAgain: 0.33 })).toBeLessThan(costOf({ movesAgain: 0 }));
    expect(costOf({ ...slightlyEarlier, movesAgain: 0.45 })).toBeGreaterThan(costOf({ movesAgain: 0.4 }));
    expect(costOf({ returnsSeconds: [900, 450], movesAgain: 0.45 })).toBeLessThan(costOf({ movesAgain: 0.4 }));
  });
});
