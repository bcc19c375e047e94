import fc from 'fast-check';
import { type HostLeft, secondsLeftOf } from '../../../../api/summary/end-from-records';

const aHost = (given: Partial<HostLeft> = {}): HostLeft => ({
  ...{ phase: 'waiting', phaseSeconds: 0, drainSeconds: 40, maintenanceSeconds: 60 },
  ...given,
});
const times = (count: number): HostLeft[] => Array.from({ length: count }, () => aHost());
const noneDone = { doneHosts: 0, doneSeconds: 0 };

describe('the seconds that a session has left', () => {
  it.each([
    { situation: 'nothing is left', left: [], atOnce: 1, expected: 0 },
    { situation: 'hosts go one after the other', left: times(3), atOnce: 1, expected: 300 },
    { situation: 'one host waits', left: times(1), atOnce: Infinity, expected: 100 },
    {
      situation: 'a host is drained for a while',
      left: [aHost({ phase: 'emptying', phaseSeconds: 30 })],
      atOnce: 1,
      expected: 70,
    },
    {
      situation: 'a host is drained 50 s longer than expected, so that as much is expected again',
      left: [aHost({ phase: 'emptying', phaseSeconds: 90 })],
      atOnce: 1,
      expected: 110,
    },
    {
      situation: 'a host is in maintenance',
      left: [aHost({ phase: 'maintaining', phaseSeconds: 20 })],
      atOnce: 1,
      expected: 40,
    },
    {
      situation: 'a host is given back',
      left: [aHost({ phase: 'releasing', phaseSeconds: 20 })],
      atOnce: 1,
      expected: 100,
    },
  ])('is $expected when $situation', ({ left, atOnce, expected }) => {
    expect(secondsLeftOf({ left, atOnce, ...noneDone }).expected).toBeCloseTo(expected);
  });

  it('lies between all at once and one after the other before the first host is done', () => {
    const seconds = secondsLeftOf({ left: times(4), atOnce: Infinity, ...noneDone, workedSeconds: 10 });
    expect(seconds).toEqual({ earliest: 100, expected: 200, latest: 400 });
  });

  it('follows the pace of the hosts that are done', () => {
    // Four hosts in 50 s instead of 400 s: eight times as quick.
    const seconds = secondsLeftOf({
      left: times(8),
      atOnce: Infinity,
      doneHosts: 4,
      doneSeconds: 400,
      workedSeconds: 50,
    });
    expect(seconds.expected).toBeCloseTo(100);
  });

  it('is surer the more hosts are done', () => {
    const rangeAfter = (doneHosts: number): number => {
      const done = { doneHosts, doneSeconds: doneHosts * 100, workedSeconds: doneHosts * 10 };
      const { earliest, latest } = secondsLeftOf({ left: times(100), atOnce: Infinity, ...done });
      return latest - earliest;
    };
    expect(rangeAfter(80)).toBeLessThan(rangeAfter(8));
  });

  it('is always a range from earliest to latest', () => {
    const phases = fc.constantFrom<HostLeft['phase']>('waiting', 'emptying', 'maintaining', 'releasing');
    const amount = fc.float({ min: 0, max: 1000, noNaN: true });
    const hosts = fc.array(
      fc.record({ phase: phases, phaseSeconds: amount, drainSeconds: amount, maintenanceSeconds: amount }),
    );
    fc.assert(
      fc.property(hosts, fc.integer({ min: 1, max: 9 }), fc.integer({ min: 0, max: 9 }), (left, atOnce, doneHosts) => {
        const work = { left, atOnce, doneHosts, doneSeconds: doneHosts * 100, workedSeconds: 70 };
        const { earliest, expected, latest } = secondsLeftOf(work);
        expect(earliest).toBeLessThanOrEqual(expected + 1e-6);
        expect(expected).toBeLessThanOrEqual(latest + 1e-6);
        expect(earliest).toBeGreaterThanOrEqual(0);
      }),
      { numRuns: 100 },
    );
  });
});
