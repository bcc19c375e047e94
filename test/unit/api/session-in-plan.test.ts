/** Shows how a plan sees a session: whether it has begun, how it is steered, and its hosts after a failure. */
import { asPlayed, type PlanTerms, type SessionToPlan } from '../../../api/services/session-in-plan';
import { noSteering } from '../../../prisma/session/session-steering';
import { makePlan } from '../../../rules/simulation/plan/make-plan';
import { aHost, aHostIn, aSessionId } from '../../builders/a-fleet';
import { aPlanInput, aSessionInPlan } from '../../builders/a-plan-input';

const now = new Date('2026-01-05T00:00:00Z');

const aSession = (fields: Partial<SessionToPlan> = {}): SessionToPlan => ({
  ...noSteering,
  ...{ id: aSessionId, workflow: 'vnf', rolling: null, state: 'PLANNED_MAINTENANCE', actions: [], drainOrder: [] },
  ...{ stateEnteredAt: now, maintenanceAt: now, begunAt: null, canaryEndedAt: null, deadlineMissed: null },
  ...fields,
});

const played = (fields: Partial<SessionToPlan>, freezes: PlanTerms['freezes'] = []) =>
  asPlayed(aSession(fields), { defaultImpactShare: 0.25, freezes });

describe('asPlayed', () => {
  it.each([
    { situation: 'it waits for its start in a rolling state', state: 'PLANNED_MAINTENANCE', begunAt: null, is: false },
    { situation: 'its start is over', state: 'PLANNED_MAINTENANCE', begunAt: now, is: true },
    { situation: 'it waits for its start in MAINTENANCE', state: 'MAINTENANCE', begunAt: null, is: false },
    { situation: 'its `pre` plug-ins run', state: 'MAINTENANCE', begunAt: now, is: true },
  ])('says $is of whether the session has begun when $situation', ({ state, begunAt, is }) => {
    expect(played({ state, begunAt }).isBegun).toBe(is);
  });

  it('leaves out windows whose time zone is not known here, and says so', () => {
    const windows = [{ days: ['mon'], from: '01:00', to: '02:00', timeZone: 'Mars/Olympus' }] as const;
    const { steering } = played({ windows });
    expect(steering).not.toHaveProperty('calendar');
    expect(steering?.windowsProblem).toContain('does not know the time zone Mars/Olympus');
  });

  it('plans beside another session whose time zone is not known here', () => {
    const windows = [{ days: ['mon'], from: '01:00', to: '02:00', timeZone: 'Mars/Olympus' }] as const;
    const id = '99999999-9999-4999-8999-999999999999';
    const canary = { hosts: 1, then: 'continue', waitSeconds: 60 } as const;
    const other = played({ id, windows, canary, begunAt: now, maintenanceAt: new Date(0) });
    const theirs = aHostIn('waiting', 'theirs');
    const hosts = [aHostIn('waiting', 'old'), { ...theirs, work: { ...theirs.work!, sessionId: id } }, aHost({})];
    const plan = makePlan(aPlanInput({ hosts }, { sessions: [aSessionInPlan(), other] }));
    expect(plan.endsAtMs?.expected).toBeGreaterThan(0);
    expect(plan.hosts.map(({ hostname }) => hostname)).toEqual(['old']);
  });

  it('takes over every control of the session', () => {
    const canary = { hosts: 1, then: 'resume', waitSeconds: 0 } as const;
    const windows = [{ days: ['mon'], from: '01:00', to: '02:00', timeZone: 'UTC' }] as const;
    const replyPolicy = { silence: 'pause', lastNack: 'fail' } as const;
    const controls = { canary, windows, replyPolicy, failedHosts: 'enable', maxFailedHosts: 2 } as const;
    expect(played({ ...controls, canaryEndedAt: now, maxParallelHosts: 3 })).toMatchObject({
      steering: {
        canary: { canary, endedAtMs: now.getTime() },
        ...{ calendar: { windows }, replyPolicy, enablesFailedHosts: true },
      },
      limits: { maxFailedHosts: 2, maxParallelHosts: 3 },
    });
  });

  it('leaves out every control that is not given', () => {
    expect(played({}).steering).toEqual({ enablesFailedHosts: false });
  });
});
