/** Shows which work a session with maintenance windows begins, and which hosts it gives back. */
import fc from 'fast-check';
import type { Decision } from '../../../../rules/decisions/decision';
import type { Fleet, Host } from '../../../../rules/decisions/fleet/fleet';
import { longestWaitMs } from '../../../../rules/decisions/look-again';
import { FleetModel } from '../../../../rules/decisions/model/fleet-model';
import { expectedTimes, nothingSeen } from '../../../../rules/expectations/expected-times';
import { opensReason } from '../../../../rules/reasons/of-standstill';
import { withHeld } from '../../../../rules/steering/hold-back';
import { lookAtWindow } from '../../../../rules/steering/work-in-maintenance-window';
import { decideAllVnf } from '../../../../rules/steps/decide-all-vnf';
import {
  aFleet,
  aGroup,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type HostFields,
  type InstanceFields,
} from '../../../builders/a-fleet';
import { withoutHeld } from '../../../builders/without-held';

const nowMs = Date.parse('2026-01-07T02:00:00Z');
const inMinutes = (minutes: number): number => nowMs + minutes * 60_000;

/** A host takes 20 minutes of maintenance, a move 60 s, an answer 30 s. */
const expected = expectedTimes(nothingSeen, { maintenanceSeconds: 1200, moveSeconds: 60, answerSeconds: 30 });

const lookAt = (fleet: Fleet, closesInMinutes?: number) => {
  const times = {
    opensAtMs: inMinutes(-60),
    ...(closesInMinutes !== undefined && { mayBeginUntilMs: inMinutes(closesInMinutes) }),
    opensAgainAtMs: inMinutes(24 * 60),
  };
  const model = new FleetModel(fleet, nowMs);
  const own = model.hostsOf(aSessionId);
  return lookAtWindow({ model, own, nowMs, begunAtMs: inMinutes(-60), times, expected, replySeconds: 60 });
};

const heldOf = (look: ReturnType<typeof lookAt>) => look.held.map(({ who }) => who);

describe('a host that waits', () => {
  const members = (count: number, fields: InstanceFields = {}) =>
    Array.from({ length: count }, (_, index) => anInstance({ id: `i-${index}`, host: 'a', ...fields }));
  it.each([
    { situation: 'empty, and just in time', instances: [], closesIn: 20, held: [] },
    { situation: 'empty, and late', instances: [], closesIn: 19, held: ['a'] },
    { situation: 'with one instance', instances: members(1), closesIn: 21, held: ['a'] },
    { situation: 'with one instance, in time', instances: members(1), closesIn: 22, held: [] },
    {
      situation: 'with one instance that nobody is asked about',
      instances: members(1, { leadTimeSeconds: 0 }),
      closesIn: 21,
      held: [],
    },
    { situation: 'with three that go one after the other', instances: members(3), closesIn: 24, held: ['a'] },
    { situation: 'with three that go one after the other, in time', instances: members(3), closesIn: 26, held: [] },
  ])('$situation: $held', ({ instances, closesIn, held }) => {
    const fleet = aFleet({
      hosts: [aHostIn('waiting', 'a')],
      instances,
      groups: [aGroup({ recoveryTimeSeconds: 30 })],
    });
    expect(heldOf(lookAt(fleet, closesIn))).toEqual(held);
  });

  it('is not held by a window that does not close', () => {
    expect(lookAt(aFleet({ hosts: [aHostIn('waiting', 'a')] }))).toEqual({
      ...{ held: [], giveBack: [], isAnyToWorkOn: true, lookAgainMs: Infinity },
    });
  });

  it('says when it may begin and what it would take', () => {
    expect(lookAt(aFleet({ hosts: [aHostIn('waiting', 'a')] }), 10).held).toEqual([
      {
        ...{ waitingFor: 'time', who: 'a', subject: '2026-01-08T02:00:00.000Z', untilMs: nowMs + 24 * 3_600_000 },
        because: 'it is expected to take 20 minutes, and the window closes in 10',
      },
    ]);
  });
});

const longer = {
  help: 'make a window longer (PATCH /v1/maintenance/{session_id}), or skip the host (POST /v1/maintenance/{session_id}/hosts/{hostname}/skip)',
};

describe('a host that fits into no window', () => {
  const fleet = aFleet({ hosts: [aHostIn('waiting', 'a')] });
  const times = { opensAtMs: inMinutes(-1), mayBeginUntilMs: inMinutes(10), opensAgainAtMs: inMinutes(60) };
  const model = new FleetModel(fleet, nowMs);
  const own = model.hostsOf(aSessionId);
  const view = { model, own, nowMs, begunAtMs: inMinutes(-60), expected, replySeconds: 60 };
  it('says so, with the longest window and what helps, and waits for no time', () => {
    const { held } = lookAtWindow({ ...view, times: { ...times, longestSeconds: 1140 } });
    expect(held).toEqual([
      {
        ...{ waitingFor: 'window', who: 'a', subject: 'a window of 20 minutes' },
        because: 'it is expected to take 20 minutes, and the longest window has 19',
        ...longer,
      },
    ]);
  });

  it('waits for the next window where a longer one comes', () => {
    const { held } = lookAtWindow({ ...view, times: { ...times, longestSeconds: 1200 } });
    expect(held).toMatchObject([{ waitingFor: 'time', subject: '2026-01-07T03:00:00.000Z' }]);
  });
});

describe('a host whose learned time is longer than every window', () => {
  const day = 24 * 60;
  const slow = (seenDaysAgo: number): HostFields => ({
    expectedMaintenanceSeconds: 36_000,
    learnedMaintenance: { seenAtMs: inMinutes(-seenDaysAgo * day), usualSeconds: 1_200 },
  });
  const lookAtHosts = (hosts: readonly Host[], { closesIn = 180, begunDaysAgo = 30 } = {}) => {
    const model = new FleetModel(aFleet({ hosts }), nowMs);
    const times = { opensAtMs: inMinutes(-60), mayBeginUntilMs: inMinutes(closesIn), longestSeconds: 14_400 };
    return lookAtWindow({
      ...{ model, own: model.hostsOf(aSessionId), nowMs, begunAtMs: inMinutes(-begunDaysAgo * day), expected },
      ...{ replySeconds: 60, times: { ...times, opensAgainAtMs: inMinutes(day) } },
    });
  };

  it('waits for a week, says when it is tried and with which time, and is looked at then', () => {
    const look = lookAtHosts([aHostIn('waiting', 'a', slow(6.95))]);
    expect(look.held).toEqual([
      {
        ...{ waitingFor: 'window', who: 'a', subject: 'a window of 600 minutes', untilMs: inMinutes(72) },
        because:
          'it is expected to take 600 minutes, and the longest window has 240; its maintenance took 600 minutes before, and is tried again with the usual 20 in the first window from 2026-01-07T03:12:00.000Z on',
        ...longer,
      },
    ]);
    expect(look.lookAgainMs).toBe(72 * 60_000);
  });

  it('begins after that, one such host at a time, beside all others', () => {
    const hosts = [aHostIn('waiting', 'a', slow(8)), aHostIn('waiting', 'b', slow(8)), aHostIn('waiting', 'c')];
    expect(heldOf(lookAtHosts(hosts))).toEqual(['b']);
  });

  it('waits while another one is tried, and says so', () => {
    const hosts = [aHostIn('waiting', 'a', slow(8)), aHostIn('maintaining', 'b', slow(8))];
    expect(lookAtHosts(hosts).held).toMatchObject([
      { who: 'a', because: expect.stringContaining('after the host that is tried before it') as string },
    ]);
  });

  it('is not given back while it is tried, as long as the usual time fits', () => {
    const host = aHostIn('emptying', 'a', slow(8));
    expect(lookAtHosts([host]).giveBack).toEqual([]);
    expect(lookAtHosts([host], { closesIn: 19 }).giveBack).toEqual(['a']);
  });

  it('is left to the next window where the usual time does not fit into the rest of this one', () => {
    expect(lookAtHosts([aHostIn('waiting', 'a', slow(8))], { closesIn: 19 }).held).toMatchObject([
      { waitingFor: 'time', because: 'it is expected to take 20 minutes, and the window closes in 19' },
    ]);
  });

  it('waits for a week in each session, so that its admin can act', () => {
    expect(heldOf(lookAtHosts([aHostIn('waiting', 'a', slow(90))], { begunDaysAgo: 6 }))).toEqual(['a']);
    expect(heldOf(lookAtHosts([aHostIn('waiting', 'a', slow(90))], { begunDaysAgo: 7 }))).toEqual([]);
  });
});

describe('a host under work', () => {
  it.each([
    { situation: 'drained, and in time', host: aHostIn('emptying', 'a'), closesIn: 20, back: [] },
    { situation: 'drained, and late', host: aHostIn('emptying', 'a'), closesIn: 19, back: ['a'] },
    {
      situation: 'to be maintained, and late',
      ...{ host: aHostIn('maintaining', 'a', { work: { announced: false } }), closesIn: 19, back: ['a'] },
    },
    { situation: 'in maintenance, whatever the time', host: aHostIn('maintaining', 'a'), closesIn: 1, back: [] },
    { situation: 'given back already', host: aHostIn('releasing', 'a'), closesIn: 1, back: [] },
    {
      situation: "another session's",
      ...{ host: aHostIn('emptying', 'a', { work: { sessionId: anotherSessionId } }), closesIn: 1, back: [] },
    },
  ])('$situation is given back: $back', ({ host, closesIn, back }) => {
    expect(lookAt(aFleet({ hosts: [host] }), closesIn).giveBack).toEqual(back);
  });

  it('is looked at again when it would be late', () => {
    expect(lookAt(aFleet({ hosts: [aHostIn('emptying', 'a')] }), 21).lookAgainMs).toBe(60_000);
  });
});

describe('what is decided beside hosts that are held back', () => {
  const decision: Decision = {
    ...{ drain: [], admit: [], begin: [], giveBackForDeadlock: [], waiting: [] },
    lookAgainMs: longestWaitMs,
  };
  const held = [opensReason('a', inMinutes(60))];
  const look = { held, giveBack: ['b'], isAnyToWorkOn: true, lookAgainMs: 5_000 };

  it.each(['SCALE_IN', 'MAINTENANCE_COMPLETE'] as const)('it does not go to %s while a host is held', (next) => {
    expect(withHeld({ ...decision, next }, look).next).toBeUndefined();
    expect(withHeld({ ...decision, next }, { ...look, held: [] }).next).toBe(next);
  });

  it.each([
    { next: 'SCALE_IN' as const, goesTo: 'SCALE_IN' },
    { next: 'MAINTENANCE_COMPLETE' as const, goesTo: undefined },
  ])('goes to $goesTo instead of $next where all held hosts fit into no window', ({ next, goesTo }) => {
    const fitsNowhere = { waitingFor: 'window', who: 'a', subject: 'a window of 20 minutes' } as const;
    expect(withHeld({ ...decision, next }, { ...look, held: [fitsNowhere] }).next).toBe(goesTo);
    expect(withHeld({ ...decision, next }, { ...look, held: [fitsNowhere, ...held] }).next).toBeUndefined();
  });

  it('goes to the states in which it works', () => {
    expect(withHeld({ ...decision, next: 'PLANNED_MAINTENANCE' }, look).next).toBe('PLANNED_MAINTENANCE');
  });

  it('gives back, says why the others wait, and looks again in time', () => {
    expect(withHeld(decision, look)).toMatchObject({ giveBackForTime: ['b'], waiting: held, lookAgainMs: 5_000 });
  });

  it('the session passes held hosts over, and those given back are on their way', () => {
    const hosts = [aHostIn('waiting', 'a'), aHostIn('emptying', 'b'), aHostIn('waiting', 'c')];
    const model = new FleetModel(withoutHeld(aFleet({ hosts }), look));
    expect(model.hostsOf(aSessionId).map(({ name, work }) => [name, work?.phase])).toEqual([
      ['b', 'releasing'],
      ['c', 'waiting'],
    ]);
  });
});

it('never begins a host that is not expected back in time, whatever waits or is under work', () => {
  const somePhase = fc.constantFrom('waiting', 'emptying', 'maintained' as const);
  const someHosts = fc.array(fc.record({ phase: somePhase, seconds: fc.integer({ min: 1, max: 3_600 }) }), {
    maxLength: 8,
  });
  fc.assert(
    fc.property(someHosts, fc.integer({ min: 0, max: 60 }), (given, closesIn) => {
      const hosts = given.map(({ phase, seconds }, index) =>
        aHostIn(phase, `h-${index}`, { expectedMaintenanceSeconds: seconds }),
      );
      const fleet = aFleet({ hosts });
      const look = lookAt(fleet, closesIn);
      const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE' as const };
      const { decision } = decideAllVnf({ ...view, fleet: withoutHeld(fleet, look) }, nowMs, {
        ...{ defaultImpactShare: 0.25 },
      });
      const { drain, begin } = withHeld(decision, look);
      const late = given.flatMap(({ seconds }, index) => (seconds > closesIn * 60 ? [`h-${index}`] : []));
      expect([...drain, ...begin].filter((name) => late.includes(name))).toEqual([]);
    }),
  );
});
