/** Shows which control of a session comes first: its pause, then its canary, then its maintenance windows. */
import { type Decision, nothingDecided } from '../../../../rules/decisions/decision';
import { isInPhase } from '../../../../rules/decisions/fleet/host-work';
import { FleetModel } from '../../../../rules/decisions/model/fleet-model';
import { withHeld } from '../../../../rules/steering/hold-back';
import {
  decisionOfNoWork,
  type MaintenanceWindowNow,
  type SteeringNow,
  type Work,
  workNow,
} from '../../../../rules/steering/work-now';
import { aFleet, aHostIn, aSessionId } from '../../../builders/a-fleet';
import { withoutHeld } from '../../../builders/without-held';

const nowMs = Date.parse('2026-01-07T02:00:00Z');
const inMinutes = (minutes: number): number => nowMs + minutes * 60_000;

const fleet = aFleet({
  hosts: [
    aHostIn('waiting', 'quick', { expectedMaintenanceSeconds: 60 }),
    aHostIn('waiting', 'slow', { expectedMaintenanceSeconds: 3_600 }),
    aHostIn('waiting', 'later', { expectedMaintenanceSeconds: 60 }),
    aHostIn('emptying', 'drained', { expectedMaintenanceSeconds: 3_600 }),
  ],
});

const paused = { kind: 'paused' } as const;
const canaryFirst = { kind: 'first', names: ['quick'], held: ['later'] } as const;
const afterCanary = { kind: 'waiting', untilMs: inMinutes(5) } as const;
const closed: MaintenanceWindowNow = { kind: 'closed', opensAtMs: inMinutes(90) };
const open: MaintenanceWindowNow = {
  kind: 'open',
  times: { opensAtMs: inMinutes(-1), mayBeginUntilMs: inMinutes(10) },
};

const lookWith = (fields: Partial<SteeringNow>) => {
  const model = new FleetModel(fleet, nowMs);
  return workNow({
    ...{ stage: { kind: 'none' }, window: undefined, own: model.hostsOf(aSessionId), hasOwnerTimes: false },
    ...{ model: () => model, nowMs, begunAtMs: inMinutes(-1), replySeconds: 60, ...fields },
  });
};

describe('nothing begins', () => {
  it.each([
    { situation: 'in a pause', stage: paused, window: undefined, giveBack: [], minutes: Infinity },
    {
      situation: 'in a pause, with the window closed',
      ...{ stage: paused, window: closed, giveBack: ['drained'], minutes: Infinity },
    },
    {
      situation: 'in a pause, with a window in which a drained host would be late',
      ...{ stage: paused, window: open, giveBack: ['drained'], minutes: 10 },
    },
    {
      situation: 'in the wait after the canary',
      ...{ stage: afterCanary, window: undefined, giveBack: [], minutes: 5 },
    },
    {
      situation: 'in the wait after the canary, with the window closed',
      ...{ stage: afterCanary, window: closed, giveBack: ['drained'], minutes: 5 },
    },
    {
      situation: 'while the window is closed, also for the canary',
      ...{ stage: canaryFirst, window: closed, giveBack: ['drained'], minutes: 90 },
    },
  ])('$situation', ({ stage, window, giveBack, minutes }) => {
    const work = lookWith({ stage, window });
    expect(work).toMatchObject({ kind: 'nothing', giveBack, lookAgainMs: minutes * 60_000 });
  });

  it('and hosts are given back for the window', () => {
    const none = { kind: 'nothing', giveBack: ['drained'], lookAgainMs: Infinity } as const;
    expect(decisionOfNoWork(none)).toMatchObject({ giveBackForTime: ['drained'], waiting: [] });
  });
});

describe('work goes on', () => {
  const toWorkOn = (work: Work): readonly string[] =>
    new FleetModel(withoutHeld(fleet, work))
      .hostsOf(aSessionId)
      .filter((host) => !isInPhase('releasing')(host))
      .map(({ name }) => name);

  it.each([
    { situation: 'everywhere without a control', fields: {}, hosts: ['drained', 'later', 'quick', 'slow'] },
    { situation: 'beside what the canary holds', fields: { stage: canaryFirst }, hosts: ['drained', 'quick', 'slow'] },
    { situation: 'on what ends in the window', fields: { window: open }, hosts: ['later', 'quick'] },
    { situation: 'on the canary, in its window', fields: { stage: canaryFirst, window: open }, hosts: ['quick'] },
  ])('$situation: $hosts', ({ fields, hosts }) => {
    const work = lookWith(fields);
    expect(work.kind === 'work' && toWorkOn(work)).toEqual(hosts);
  });

  it('not where every host of the canary has to wait for another window', () => {
    const work = lookWith({ stage: { kind: 'first', names: ['slow'], held: ['quick', 'later'] }, window: open });
    expect(work.kind === 'work' && work.isAnyToWorkOn).toBe(false);
  });

  it('with a reason for each host that is held back, and never to the end of the session', () => {
    const work = lookWith({ stage: canaryFirst, window: open });
    const decision: Decision = { ...nothingDecided, next: 'MAINTENANCE_COMPLETE' };
    const within = work.kind === 'work' ? withHeld(decision, work) : decision;
    expect(within).toMatchObject({ giveBackForTime: ['drained'], waiting: [{ who: 'slow' }, { who: 'later' }] });
    expect(within.next).toBeUndefined();
  });
});

it('the end of the canary comes before the window, and nothing else is decided with it', () => {
  const decision = { ...nothingDecided, canaryEnded: { pauseBecause: 'canary done' }, lookAgainMs: 1 };
  const stage = { kind: 'ended', pauseBecause: 'canary done' } as const;
  expect(lookWith({ stage, window: closed })).toEqual({ kind: 'canaryEnded', decision });
});
