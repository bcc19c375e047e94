import fc from 'fast-check';
import { type StartsRequest, plannedStarts } from '../../../../planning/opening/planned-starts';
import { type ForecastFacts, RoomForecast, type Stay, type Turn } from '../../../../planning/opening/room-forecast';

const lookAhead = { mostSteps: 60_000 };
const stay = (seconds: number, vcpus = 1, turns: readonly Turn[] = []): Stay => ({
  vcpus,
  memoryMb: vcpus,
  seconds,
  turns,
});
const factsWith = (fields: Partial<ForecastFacts>): ForecastFacts => ({
  waiting: [],
  running: [],
  room: { vcpus: 2, memoryMb: 2 },
  slots: Infinity,
  bookedSeconds: [],
  ...fields,
});

const endOf = (ahead: ForecastFacts, how: StartsRequest = lookAhead): number =>
  Math.max(...plannedStarts(ahead, how).map((start, at) => start + (ahead.waiting[at]?.seconds ?? 0)));

it('costs less where fewer hosts are late, though the last one is as late', () => {
  const costOf = (seconds: number): number => {
    return new RoomForecast(factsWith({ waiting: [stay(100), stay(seconds)] })).run([0, 1]);
  };
  expect(costOf(99) - costOf(50)).toBeGreaterThan(0.5);
});

describe('plannedStarts', () => {
  it('finds the order that fills the last round, which the longest first does not', () => {
    const waiting = [3, 3, 2, 2, 2].map((seconds) => stay(seconds));
    expect(endOf(factsWith({ waiting }))).toBe(6);
    expect(endOf(factsWith({ waiting: waiting.slice(0, 4) }))).toBe(5);
  });

  it('goes on from what was found before where that is better than what it finds itself', () => {
    const waiting = [3, 3, 2, 2, 2].map((seconds) => stay(seconds));
    const ahead = factsWith({ waiting });
    const withoutSearch = { mostSteps: 0 };
    expect(endOf(ahead, withoutSearch)).toBe(7);
    expect(endOf(ahead, { ...withoutSearch, before: [0, 2, 3, 1, 4] })).toBe(6);
  });

  it('puts small hosts beside each other into the room of a large one', () => {
    const waiting = [stay(10, 1), stay(10, 2), stay(10, 1)];
    expect(endOf(factsWith({ waiting }))).toBe(20);
  });

  it('waits for the room of hosts under work', () => {
    const ahead = factsWith({
      waiting: [stay(5), stay(5)],
      running: [stay(7), stay(8)],
      room: { vcpus: 0, memoryMb: 0 },
    });
    expect(plannedStarts(ahead, lookAhead).toSorted()).toEqual([7, 8]);
  });

  it('starts no more hosts at once than there are slots', () => {
    expect(plannedStarts(factsWith({ waiting: [stay(5), stay(5)], slots: 1 }), lookAhead).toSorted()).toEqual([0, 5]);
  });

  it('lets a host that fits nowhere start when nothing else is under work', () => {
    const ahead = factsWith({ waiting: [stay(5, 9), stay(5)], running: [stay(3)] });
    expect(plannedStarts(ahead, lookAhead)).toEqual([5, 0]);
  });

  it('keeps hosts apart whose instances would queue for the same group', () => {
    const turn = (queue: number): Turn => ({ queue, seconds: 20, bearableSeconds: 0 });
    const waiting = [stay(10, 1, [turn(0)]), stay(10, 1, [turn(0)]), stay(10, 1, [turn(1)]), stay(10, 1, [turn(1)])];
    const [first, second, third, fourth] = plannedStarts(factsWith({ waiting, bookedSeconds: [0, 0] }), lookAhead);
    expect(first).not.toBe(second);
    expect(third).not.toBe(fourth);
  });

  it('lets those of whose group others wait already go later', () => {
    const turn = (queue: number): Turn => ({ queue, seconds: 20, bearableSeconds: 0 });
    const waiting = [stay(10, 2, [turn(0)]), stay(10, 2, [turn(1)])];
    expect(plannedStarts(factsWith({ waiting, bookedSeconds: [10, 0] }), lookAhead)).toEqual([10, 0]);
  });

  it.each([
    [0, 30],
    [20, 10],
  ])('expects the second of a group to wait when %d seconds are bearable: it ends after %d', (bearableSeconds, end) => {
    const turns: readonly Turn[] = [{ queue: 0, seconds: 20, bearableSeconds }];
    const ahead = factsWith({ waiting: [stay(10, 1, turns), stay(10, 1, turns)], bookedSeconds: [0] });
    expect(Math.round(new RoomForecast(ahead).run([0, 1]))).toBe(end);
  });

  const stays = (most: number) =>
    fc.array(fc.record({ vcpus: fc.integer({ min: 1, max: 4 }), seconds: fc.integer({ min: 1, max: 50 }) }), {
      maxLength: most,
    });

  it('never puts more beside each other than fits', () => {
    fc.assert(
      fc.property(stays(12), stays(4), fc.integer({ min: 4, max: 9 }), (waiting, running, vcpus) => {
        const sized = (list: typeof waiting) => list.map((each) => stay(each.seconds, each.vcpus));
        const ahead = factsWith({ waiting: sized(waiting), running: sized(running), room: { vcpus, memoryMb: 99 } });
        const starts = plannedStarts(ahead, lookAhead);
        expect(plannedStarts(ahead, lookAhead)).toEqual(starts);
        const inUse = (at: number): number =>
          ahead.waiting.reduce((sum, { vcpus: size, seconds }, index) => {
            const from = starts[index] ?? 0;
            return from <= at && at < from + seconds ? sum + size : sum;
          }, 0);
        const givenBack = (at: number): number =>
          ahead.running.reduce((sum, each) => (each.seconds <= at ? sum + each.vcpus : sum), 0);
        for (const at of starts) expect(inUse(at)).toBeLessThanOrEqual(vcpus + givenBack(at));
      }),
      { numRuns: 200 },
    );
  });
});
