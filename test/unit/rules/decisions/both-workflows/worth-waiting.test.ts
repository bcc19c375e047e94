/** Before projects are asked for capacity: whether what other sessions have under work will give it anyway. */
import type { SessionView } from '../../../../../rules/decisions/decision';
import type { Claim, Host, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { isStarting } from '../../../../../rules/decisions/fleet/host-work';
import {
  aController,
  aFleet,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type HostFields,
} from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';
import { vnfDecision } from '../../../../builders/vnf-decision';

const theirs = (phase: 'maintaining' | 'releasing', fields: Omit<HostFields, 'work'> = {}): Host =>
  aHostIn(phase, 'theirs', { ...fields, enabled: false, work: { sessionId: anotherSessionId, disabled: true } });
const controller = { type: 'controller', isCompute: false } as const;

const limits = { maxFailedHosts: 0, defaultImpactShare: 0.25 };
const nextIn = (others: readonly Host[]) => {
  const instances = [anInstance({ host: 'a' }), anInstance({ id: 'filling', host: 'full', vcpus: 16 })];
  const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), ...others], instances });
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  return [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)].map(({ next }) => next);
};

it.each([
  { situation: 'in maintenance', others: [theirs('maintaining')] },
  { situation: 'given back', others: [theirs('releasing')] },
  {
    situation: 'a controller in maintenance, for which ours waits',
    others: [theirs('maintaining', controller), aController('waiting', 'c')],
  },
])('waits where what would help is $situation', ({ others }) => {
  expect(nextIn(others)).toEqual([undefined, undefined]);
});

it('waits where its empty host is the place that another session has reserved', () => {
  const emptying = aHostIn('emptying', 'theirs', { work: { sessionId: anotherSessionId, disabledBefore: true } });
  const fleet = aFleet({
    hosts: [aHostIn('waiting', 'a'), emptying],
    instances: [anInstance({ id: 'theirs', host: 'theirs' })],
    reservations: [{ instanceId: 'theirs', target: 'a' }],
  });
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  expect(vnfDecision(view, 0, limits)).toMatchObject({ drain: [], waiting: [{ who: 'a' }] });
});

it.each([
  { situation: 'too small', others: [theirs('maintaining', { vcpus: 2 })] },
  { situation: 'a controller that holds no instances', others: [theirs('maintaining', controller)] },
])('asks for capacity at once, however long their maintenance takes, where their host is $situation', ({ others }) => {
  expect(nextIn([...others, aHost({ name: 'full' })])).toEqual(['SCALE_IN', 'SCALE_IN']);
});

it.each([
  { lacks: 'room for now', offersOnceItself: '', next: undefined },
  { lacks: 'it for good', offersOnceItself: 'other', next: 'SCALE_IN' },
])('waits where the only host with room lacks $lacks: $next', ({ offersOnceItself, next }) => {
  const misfits = ['under pressure', 'other'].map((offers) => ({ needs: '', offers, lacks: 'no taint' }));
  const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'spare', offers: 'under pressure', offersOnceItself })];
  const fleet = { ...aFleet({ hosts, instances: [anInstance({ host: 'a' })] }), misfits };
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  const decided = vnfDecision(view, 0, limits);
  expect(decided.next ?? (decided.failure && 'SCALE_IN')).toBe(next);
  expect(decided.drain).toEqual([]);
});

describe('a host that was enabled lately and is still starting', () => {
  const starting = (fields: HostFields = {}): Host =>
    aHostIn('maintained', 'starting', { enabled: false, startingUntilMs: 600_000, ...fields });
  const theirs = (): Host => aHost({ name: 'theirs', enabled: false, startingUntilMs: 600_000 });

  it.each([
    { whose: 'of the session', host: starting() },
    { whose: 'too small to help alone', host: starting({ vcpus: 2 }) },
    { whose: 'of a session that is over', host: theirs() },
  ])('is waited for before projects are asked for capacity: one $whose', ({ host }) => {
    expect(nextIn([host])).toEqual([undefined, undefined]);
  });

  it('keeps a host that cannot be drained without it from being given back', () => {
    const instances = [anInstance({ host: 'a' })];
    const fleet = aFleet({ hosts: [aHostIn('emptying', 'a'), starting()], instances });
    const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
    for (const decision of [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)]) {
      expect(decision).toMatchObject({ giveBackForDeadlock: [], lookAgainMs: 5_000 });
    }
  });

  it('is what a host waits for that cannot be drained without it', () => {
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), starting()], instances: [anInstance({ host: 'a' })] });
    const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
    const waiting = [{ waitingFor: 'host', who: 'a', subject: 'starting', untilMs: 600_000 }];
    expect(decideDefault(view, 0, limits)).toMatchObject({ waiting, lookAgainMs: 5_000 });
    expect(vnfDecision(view, 0, limits)).toMatchObject({ waiting, lookAgainMs: 5_000 });
  });

  it.each([
    { situation: 'holds no instances', host: starting({ isCompute: false }) },
    { situation: 'failed since', host: aHostIn('failed', 'starting', { enabled: false, startingUntilMs: 600_000 }) },
  ])('is not waited for where it $situation', ({ host }) => {
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), host], instances: [anInstance({ host: 'a' })] });
    expect(fleet.hosts.filter(isStarting)).toEqual([]);
  });
});

describe('what another session has in flight', () => {
  const tiny = { vcpus: 2, memoryMb: 2048 };
  const hosts = (phase: 'waiting' | 'emptying') => [
    aHostIn(phase, 'a'),
    aHost({ name: 'kept', vcpus: 4 }),
    aHostIn('emptying', 'theirs', { ...tiny, work: { sessionId: anotherSessionId } }),
    aHost({ name: 'their target', ...tiny }),
  ];
  const moveOf = (their: Instance, fields: Partial<Claim> = {}): Claim => {
    const { id: instanceId, host: source, groupKey, amounts } = their;
    const who = { id: 'claim', sessionId: anotherSessionId, instanceId, groupKey, source, amounts };
    return { ...who, target: 'their target', action: 'LIVE_MIGRATE', phase: 'moving', ...fields };
  };
  const small = anInstance({ id: 'small', host: 'theirs', groupKey: 'theirs', vcpus: 1, memoryMb: 1024 });
  const inTheWay = anInstance({ id: 'in the way', host: 'kept', groupKey: 'theirs', vcpus: 1, memoryMb: 1024 });
  const decisions = (phase: 'waiting' | 'emptying', claim: Claim) => {
    const instances = [anInstance({ host: 'a' }), small, inTheWay];
    const fleet = aFleet({ hosts: hosts(phase), instances, claims: [claim] });
    const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
    return [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)];
  };

  it.each<{ situation: string; claim: Claim }>([
    { situation: 'a project has days to answer', claim: moveOf(small, { phase: 'asked' }) },
    { situation: 'a small one moves', claim: moveOf(small) },
    { situation: 'one recovers', claim: moveOf(inTheWay, { phase: 'recovering', recoversAtMs: 3_600_000 }) },
  ])('is not waited for where it gives no capacity: $situation', ({ claim }) => {
    expect(decisions('waiting', claim)).toMatchObject([{ next: 'SCALE_IN' }, { next: 'SCALE_IN' }]);
    expect(decisions('emptying', claim)).toMatchObject([
      { giveBackForDeadlock: ['a'] },
      { giveBackForDeadlock: ['a'] },
    ]);
  });

  it.each(['waiting', 'emptying'] as const)('is waited for by a host %s where theirs will be empty', (phase) => {
    const large = aHostIn('emptying', 'theirs', { vcpus: 8, work: { sessionId: anotherSessionId } });
    const rest = ['1', '2', '3', '4'].map((id) => anInstance({ id, host: 'theirs', groupKey: 'theirs', vcpus: 1 }));
    const claims = [moveOf(rest[0]!, { target: 'kept' })];
    const instances = [anInstance({ host: 'a', vcpus: 8 }), ...rest];
    const fleet = aFleet({ hosts: [aHostIn(phase, 'a'), large, aHost({ name: 'kept', vcpus: 4 })], instances, claims });
    const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
    for (const { next, giveBackForDeadlock } of [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)]) {
      expect({ next, giveBackForDeadlock }).toEqual({ next: undefined, giveBackForDeadlock: [] });
    }
  });

  it('is waited for where it leaves enough when it has ended', () => {
    for (const decision of [...decisions('waiting', moveOf(inTheWay)), ...decisions('emptying', moveOf(inTheWay))]) {
      expect(decision).toMatchObject({ drain: [], giveBackForDeadlock: [] });
      expect(decision.next).toBeUndefined();
    }
  });
});

describe('a host that somebody else has disabled during its maintenance', () => {
  const kept = (fields: Omit<HostFields, 'work'> = {}): Host =>
    aHostIn('set_aside', 'kept', {
      ...{
        enabled: false,
        work: { disabled: true, keptDisabledBy: 'Masakari detected host failed.' },
      },
      ...fields,
    });
  const decide = (hosts: readonly Host[], maxFailedHosts: number) => {
    const instances = [anInstance({ host: 'a' }), anInstance({ id: 'filling', host: 'full', vcpus: 16 })];
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'full' }), ...hosts], instances });
    const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
    const given = { ...limits, maxFailedHosts };
    return [decideDefault(view, 0, given), vnfDecision(view, 0, given)];
  };
  const naming = expect.stringMatching(
    /^host a cannot be drained, .*host kept is not back: .*Masakari detected/,
  ) as string;

  it('is not asked for by SCALE_IN: the session fails and names it', () => {
    for (const decided of decide([kept()], 1)) {
      expect(decided).toMatchObject({ failure: naming });
      expect(decided.next).toBeUndefined();
    }
  });

  it('lets what waits for it be set aside, where more hosts may fail', () => {
    for (const decided of decide([kept()], 2)) {
      expect(decided).toMatchObject({ setAside: [{ hostname: 'a', failure: naming }] });
      expect(decided.next).toBeUndefined();
    }
  });

  it('has no say where it would take nothing: projects are asked', () => {
    expect(decide([kept({ vcpus: 2 })], 1).map(({ next }) => next)).toEqual(['SCALE_IN', 'SCALE_IN']);
  });
});
