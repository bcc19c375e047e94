/** Shows when a session with windows is expected to end, and that a zone that is not known here gives no end. */
import { endBy, type EndFacts, type EndForecast, withoutEnd } from '../../../../api/summary/expected-end';
import type { HostPhase } from '../../../../rules/decisions/fleet/fleet';
import { weekdays } from '../../../../rules/maintenance-windows/maintenance-window';
import type * as openings from '../../../../rules/maintenance-windows/openings';
import { openSecondsBetween } from '../../../../rules/maintenance-windows/openings';

jest.mock('../../../../rules/maintenance-windows/openings', () => {
  const actual = jest.requireActual<typeof openings>('../../../../rules/maintenance-windows/openings');
  return { ...actual, openSecondsBetween: jest.fn(actual.openSecondsBetween) };
});

const now = new Date('2026-01-05T02:00:00Z');
const day = 86_400_000;
const nightly = (timeZone: string) => [{ days: weekdays, from: '02:00', to: '06:00', timeZone }];
const hostIn = (phase: HostPhase) => ({
  ...{
    hostname: phase,
    type: 'compute',
    isCompute: true,
    phase,
    phaseSince: new Date(now.getTime() - day),
    announcedAt: null,
  },
});

const rough: EndForecast = {
  kind: 'rough',
  times: { maintenanceSeconds: () => 900, drainSeconds: () => 40 },
  freezes: [],
};

const endOf = (session: Partial<EndFacts['session']>, forecast: EndForecast = rough) =>
  endBy(forecast, {
    session: {
      ...{
        workflow: 'vnf',
        rolling: null,
        maintenanceAt: now,
        begunAt: null,
        windows: null,
        ignoreFreezes: null,
        maxParallelHosts: null,
      },
      ...session,
    },
    hosts: [...Array.from({ length: 9 }, () => hostIn('maintained')), hostIn('waiting')],
    now,
  });

it.each([
  { what: 'has not begun', begunAt: null },
  { what: 'has begun', begunAt: new Date(now.getTime() - day) },
])('expects no end of a session that $what where the time zone is not known here', ({ begunAt }) => {
  expect(endOf({ begunAt, windows: nightly('Mars/Olympus') })).toEqual(withoutEnd);
  expect(endOf({ begunAt, windows: nightly('UTC') })).not.toEqual(withoutEnd);
});

it('takes the pace of a session that began long ago from all of its time, and looks back over a month of days', () => {
  const openSecondsAhead = (days: number) => {
    const begunAt = new Date(now.getTime() - days * day);
    const { ends_at } = endOf({ begunAt, windows: nightly('UTC') });
    return openSecondsBetween({ windows: nightly('UTC') }, now, new Date(ends_at!.expected));
  };
  expect(openSecondsAhead(93)).toBeCloseTo(3 * openSecondsAhead(31), 0);
  const spans = jest.mocked(openSecondsBetween).mock.calls.map(([, from, to]) => (to.getTime() - from.getTime()) / day);
  expect(Math.max(...spans)).toBe(31);
});

describe('the end that the plan foretells', () => {
  const seconds = (from: number) => now.getTime() + from * 1000;

  it('is told as it is, in seconds from now too', () => {
    const end = { earliest: seconds(30), expected: seconds(60), latest: seconds(90) };
    expect(endOf({}, { kind: 'planned', end })).toEqual({
      ends_at: {
        earliest: '2026-01-05T02:00:30.000Z',
        expected: '2026-01-05T02:01:00.000Z',
        latest: '2026-01-05T02:01:30.000Z',
      },
      seconds_left: { earliest: 30, expected: 60, latest: 90 },
      end_from: 'plan',
    });
  });

  it('does not lie in the past, where the plan is some seconds old', () => {
    const end = { earliest: seconds(-30), expected: seconds(-1), latest: seconds(90) };
    expect(endOf({}, { kind: 'planned', end }).seconds_left).toEqual({ earliest: 0, expected: 0, latest: 90 });
  });

  it('is none where the session would not come to its end', () => {
    expect(endOf({}, { kind: 'planned', end: null })).toEqual({ ends_at: null, seconds_left: null, end_from: 'plan' });
  });

  it('is told to be rough where it is from the records', () => {
    expect(endOf({}).end_from).toBe('records');
  });
});
