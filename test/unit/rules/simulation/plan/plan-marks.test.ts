/** The times that bound a plan: openings of its session's calendar, and the end of its canary. */
import { weekdays } from '../../../../../rules/maintenance-windows/maintenance-window';
import type { PlannedHost } from '../../../../../rules/simulation/plan/plan';
import { marksOf } from '../../../../../rules/simulation/plan/plan-marks';
import type { Canary } from '../../../../../rules/steering/canary';
import { aSessionInPlan } from '../../../../builders/a-plan-input';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const aPlanned = (hostname: string, phase: PlannedHost['phase'], toMs?: number): PlannedHost => ({
  ...{ hostname, type: 'compute', phase, moves: 0 },
  ...(toMs !== undefined && { maintenance: { fromMs: toMs - 1, toMs } }),
});

const hosts = [
  aPlanned('old-1', 'maintained'),
  aPlanned('old-2', 'waiting', 20),
  aPlanned('old-3', 'waiting', 30),
  aPlanned('old-4', 'emptying', 10),
  aPlanned('old-5', 'waiting', 40),
  aPlanned('stuck', 'waiting'),
  { ...aPlanned('left-out', 'waiting'), endsAs: 'skipped' as const },
];
const endsAtMs = { earliest: 0, expected: dayMs, latest: 2 * dayMs };

const marks = (steering: NonNullable<Parameters<typeof aSessionInPlan>[0]>['steering'], begunAtMs?: number) => {
  const session = aSessionInPlan({ ...(steering && { steering }), ...(begunAtMs !== undefined && { begunAtMs }) });
  return marksOf({ hosts, endsAtMs }, { nowMs: 0, sessionId: session.sessionId, sessions: [session] });
};

describe('the times that bound a plan', () => {
  it('are its openings from its begin until its latest end', () => {
    const calendar = { windows: [{ days: weekdays, from: '02:00', to: '06:00', timeZone: 'UTC' }] };
    expect(marks({ calendar }, -21 * hourMs).openings).toEqual([
      { fromMs: -21 * hourMs, toMs: -18 * hourMs },
      { fromMs: 2 * hourMs, toMs: 6 * hourMs },
      { fromMs: dayMs + 2 * hourMs, toMs: dayMs + 6 * hourMs },
    ]);
  });

  it('are not there for a session that may begin anything at any time', () => {
    expect(marks({})).toEqual({});
  });

  it.each<{ wanted: Canary['hosts']; endedAtMs?: number; endsAt: number | undefined }>([
    { wanted: ['old-2', 'old-3'], endsAt: 30 },
    { wanted: 2, endsAt: 10 },
    { wanted: 3, endsAt: 20 },
    { wanted: 4, endsAt: 30 },
    { wanted: ['old-1'], endsAt: undefined },
    { wanted: ['old-2', 'stuck'], endsAt: undefined },
    { wanted: 6, endsAt: undefined },
    { wanted: ['old-2', 'left-out'], endsAt: 20 },
    { wanted: 1, endedAtMs: -5, endsAt: -5 },
  ])('have the end of the canary $wanted at $endsAt', ({ wanted, endedAtMs, endsAt }) => {
    const canary = { hosts: wanted, then: 'resume', waitSeconds: 0 } as const;
    const { canaryEndsAtMs } = marks({ canary: { canary, ...(endedAtMs !== undefined && { endedAtMs }) } });
    expect(canaryEndsAtMs).toBe(endsAt);
  });
});
