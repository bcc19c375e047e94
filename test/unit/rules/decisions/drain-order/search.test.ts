import fc from 'fast-check';
import { Forecaster } from '../../../../../rules/decisions/drain-order/forecast';
import { bestForecast } from '../../../../../rules/decisions/drain-order/search';
import type { ForecastFacts, Stay, Turn } from '../../../../../rules/decisions/drain-order/stay';

const stay = (seconds: number, vcpus = 1, turns: readonly Turn[] = []): Stay => ({
  size: [vcpus, vcpus],
  weight: vcpus,
  seconds,
  turns,
});
const factsWith = (fields: Partial<ForecastFacts>): ForecastFacts => ({
  waiting: [],
  running: [],
  free: [2, 2],
  slots: Infinity,
  bookedSeconds: [],
  ...fields,
});

const startsIn = (facts: ForecastFacts): readonly number[] => bestForecast(facts).starts;
const endOf = (facts: ForecastFacts): number =>
  Math.max(...startsIn(facts).map((start, at) => start + (facts.waiting[at]?.seconds ?? 0)));

it('costs less where fewer hosts are late, though the last one is as late', () => {
  const costOf = (seconds: number): number => {
    return new Forecaster(factsWith({ waiting: [stay(100), stay(seconds)] })).forecast([0, 1]).cost;
  };
  expect(costOf(99) - costOf(50)).toBeGreaterThan(0.5);
});

it('gives up an order as soon as it costs more than is asked for, and no other', () => {
  const forecaster = new Forecaster(factsWith({ waiting: [3, 3, 2, 2, 2].map((seconds) => stay(seconds)) }));
  const order = [0, 1, 2, 3, 4];
  const cost = forecaster.forecast(order).cost;
  expect(forecaster.forecast(order, 1).cost).toBe(Infinity);
  expect(forecaster.forecast(order, cost).cost).toBe(cost);
});

it('forecasts an order as if it had forecast no other before', () => {
  const turn: Turn = { queue: 0, seconds: 20, bearableSeconds: 0 };
  const waiting = [stay(5, 2, [turn]), stay(3, 1, [turn]), stay(4), stay(2)];
  const facts = factsWith({ waiting, running: [stay(7), stay(3)], bookedSeconds: [10] });
  const forecaster = new Forecaster(facts);
  forecaster.forecast([3, 2, 1, 0]);
  expect(forecaster.forecast([0, 1, 2, 3])).toEqual(new Forecaster(facts).forecast([0, 1, 2, 3]));
});

describe('bestForecast', () => {
  it('finds the order that fills the last round, which the longest first does not', () => {
    const waiting = [3, 3, 2, 2, 2].map((seconds) => stay(seconds));
    expect(endOf(factsWith({ waiting }))).toBe(6);
    expect(endOf(factsWith({ waiting: waiting.slice(0, 4) }))).toBe(5);
  });

  it.each([
    { seconds: [100, 100, 98], keeps: true },
    { seconds: [100, 50, 50], keeps: false },
  ])('keeps the order from before unless another one is much better: $seconds, $keeps', ({ seconds, keeps }) => {
    const facts = factsWith({ waiting: seconds.map((each) => stay(each)) });
    const before = [2, 1, 0];
    expect(String(bestForecast(facts, before).order) === String(before)).toBe(keeps);
  });

  it('is never worse than the order that was found before', () => {
    const waiting = Array.from({ length: 30 }, (_, at) => stay(1 + ((at * 7) % 11), 1 + (at % 2)));
    const before = waiting.map((_, at) => (at * 13) % 30);
    const facts = factsWith({ waiting });
    expect(bestForecast(facts, before).cost).toBeLessThanOrEqual(new Forecaster(facts).forecast(before).cost);
    expect(bestForecast(facts, before)).toEqual(bestForecast(facts, before));
  });

  it('puts small hosts beside each other into the capacity of a large one', () => {
    const waiting = [stay(10, 1), stay(10, 2), stay(10, 1)];
    expect(endOf(factsWith({ waiting }))).toBe(20);
  });

  it('waits for the capacity of hosts under work', () => {
    const ahead = factsWith({
      waiting: [stay(5), stay(5)],
      running: [stay(7), stay(8)],
      free: [0, 0],
    });
    expect(startsIn(ahead).toSorted()).toEqual([7, 8]);
  });

  it('starts no more hosts at once than there are slots', () => {
    expect(startsIn(factsWith({ waiting: [stay(5), stay(5)], slots: 1 })).toSorted()).toEqual([0, 5]);
  });

  it('lets a host that fits nowhere start when nothing else is under work', () => {
    const ahead = factsWith({ waiting: [stay(5, 9), stay(5)], running: [stay(3)] });
    expect(startsIn(ahead)).toEqual([5, 0]);
  });

  it('keeps hosts apart whose instances would queue for the same group', () => {
    const turn = (queue: number): Turn => ({ queue, seconds: 20, bearableSeconds: 0 });
    const waiting = [stay(10, 1, [turn(0)]), stay(10, 1, [turn(0)]), stay(10, 1, [turn(1)]), stay(10, 1, [turn(1)])];
    const [first, second, third, fourth] = startsIn(factsWith({ waiting, bookedSeconds: [0, 0] }));
    expect(first).not.toBe(second);
    expect(third).not.toBe(fourth);
  });

  it('lets those of whose group others wait already go later', () => {
    const turn = (queue: number): Turn => ({ queue, seconds: 20, bearableSeconds: 0 });
    const waiting = [stay(10, 2, [turn(0)]), stay(10, 2, [turn(1)])];
    expect(startsIn(factsWith({ waiting, bookedSeconds: [10, 0] }))).toEqual([10, 0]);
  });

  it.each([
    [0, 30],
    [20, 10],
  ])('expects the second of a group to wait when %d seconds are bearable: it ends after %d', (bearableSeconds, end) => {
    const turns: readonly Turn[] = [{ queue: 0, seconds: 20, bearableSeconds }];
    const ahead = factsWith({ waiting: [stay(10, 1, turns), stay(10, 1, turns)], bookedSeconds: [0] });
    expect(Math.round(new Forecaster(ahead).forecast([0, 1]).cost)).toBe(end);
  });

  const stays = (most: number) =>
    fc.array(fc.record({ vcpus: fc.integer({ min: 1, max: 4 }), seconds: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: most,
    });

  it('never puts more beside each other than fits', () => {
    fc.assert(
      fc.property(stays(12), stays(4), fc.integer({ min: 4, max: 9 }), (waiting, running, vcpus) => {
        const sized = (list: typeof waiting) => list.map((each) => stay(each.seconds, each.vcpus));
        const ahead = factsWith({ waiting: sized(waiting), running: sized(running), free: [vcpus, 99] });
        const starts = startsIn(ahead);
        expect(startsIn(ahead)).toEqual(starts);
        const inUse = (at: number): number =>
          ahead.waiting.reduce((sum, { weight: size, seconds }, index) => {
            const from = starts[index] ?? 0;
            return from <= at && at < from + seconds ? sum + size : sum;
          }, 0);
        const givenBack = (at: number): number =>
          ahead.running.reduce((sum, each) => (each.seconds <= at ? sum + each.weight : sum), 0);
        for (const at of starts) expect(inUse(at)).toBeLessThanOrEqual(vcpus + givenBack(at));
      }),
      { numRuns: 200 },
    );
  });
});
