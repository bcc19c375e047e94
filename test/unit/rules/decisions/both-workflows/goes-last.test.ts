import { choicesOf } from '../../../../../rules/decisions/both-workflows/built-in-workflow';
import { fleetOfSession } from '../../../../../rules/decisions/both-workflows/fleet-of-session';
import type { Fleet } from '../../../../../rules/decisions/fleet/fleet';
import { decideAllVnf } from '../../../../../rules/steps/decide-all-vnf';
import { aDeparture } from '../../../../builders/a-departure';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../../builders/a-fleet';

const k8s = { workflow: 'k8s', rolling: null };
const decide = (fleet: Fleet, maxFailedHosts = 0) =>
  decideAllVnf(
    {
      ...{ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', drainOrder: undefined },
      fleet: fleetOfSession(k8s, fleet),
    },
    0,
    { defaultImpactShare: 0.25, maxFailedHosts, ...choicesOf(k8s) },
  ).decision;

const refused = { because: 'its budget lets none go now', help: 'add a replica' };
const mayBeRefused = { departure: aDeparture({ refused }) };
const onHost = (host: string, more: object = {}) =>
  anInstance({ id: `on-${host}`, host, groupKey: host, defaultAction: 'EVICTION', ...more });
const spare = aHost({ name: 'spare', amounts: { vcpus: 100 } });

describe('a host whose instance the cloud would refuse to let go now', () => {
  const fleetWith = (phaseOfPlain: 'waiting' | 'emptying' | 'maintaining' | 'maintained') =>
    aFleet({
      hosts: [aHostIn(phaseOfPlain, 'plain'), aHostIn('waiting', 'db-1'), aHostIn('waiting', 'db-2'), spare],
      instances: [
        ...(phaseOfPlain === 'waiting' || phaseOfPlain === 'emptying' ? [onHost('plain')] : []),
        onHost('db-1', mayBeRefused),
        onHost('db-2', mayBeRefused),
      ],
      groups: ['plain', 'db-1', 'db-2'].map((key) => aGroup({ key })),
    });

  it.each([
    { others: 'waiting', drained: ['plain'] },
    { others: 'emptying', drained: [] },
    { others: 'maintaining', drained: ['db-1'] },
    { others: 'maintained', drained: ['db-1'] },
  ] as const)('is drained after the others, one at a time (these are $others)', ({ others, drained }) => {
    expect(decide(fleetWith(others)).drain).toEqual(drained);
  });

  it('has its instance asked for like any other', () => {
    const fleet = aFleet({
      hosts: [aHostIn('emptying', 'db-1'), spare],
      instances: [onHost('db-1', mayBeRefused)],
      groups: [aGroup({ key: 'db-1' })],
    });
    expect(decide(fleet).admit).toMatchObject([{ instanceId: 'on-db-1', kind: 'move' }]);
  });
});

describe('a host that was given back since the cloud refused a move until its limit', () => {
  const because = 'host db-1: instance db (on-db-1) could not be moved: its budget lets none go';
  const fleetWith = (other: 'waiting' | 'maintained') =>
    aFleet({
      hosts: [aHostIn('waiting', 'db-1', { work: { refusedBecause: because } }), aHostIn(other, 'other'), spare],
      instances: [onHost('db-1'), ...(other === 'waiting' ? [onHost('other')] : [])],
      groups: ['db-1', 'other'].map((key) => aGroup({ key })),
    });

  it('is not drained again, and the others are', () => {
    expect(decide(fleetWith('waiting')).drain).toEqual(['other']);
  });

  it('fails the session when it alone is left, or is set aside where that is allowed', () => {
    const failure = expect.stringContaining(because) as string;
    expect(decide(fleetWith('maintained'))).toMatchObject({ drain: [], failure });
    expect(decide(fleetWith('maintained'), 1).setAside).toMatchObject([{ hostname: 'db-1', failure }]);
  });
});

describe('members that should serve by now', () => {
  const overdue = { count: 1, because: 'pod web/web-1 is not Ready since noon' };
  const fleetWith = (phase: 'waiting' | 'emptying', more: object = {}) =>
    aFleet({
      hosts: [aHostIn(phase, 'node-1'), spare],
      instances: [anInstance({ id: 'web-2', host: 'node-1', defaultAction: 'EVICTION', ...more })],
      groups: [aGroup({ membersAway: 1, overdue })],
    });

  it.each(['waiting', 'emptying'] as const)('are waited for, by name, by a host that is %s', (phase) => {
    const decision = decide(fleetWith(phase));
    expect(decision).toMatchObject({ drain: [], admit: [], giveBackForDeadlock: [], lookAgainMs: 5000 });
    expect(decision.failure).toBeUndefined();
    const because = 'pod web/web-1 is not Ready since noon: no further member of name of group-1 is moved before';
    expect(decision.waiting).toMatchObject([{ waitingFor: 'members', because, owner: 'project' }]);
  });

  it.each(['waiting', 'emptying'] as const)('set a host that is %s aside where that is allowed', (phase) => {
    const failure = expect.stringContaining(`${overdue.because}: no further member of`) as string;
    expect(decide(fleetWith(phase), 1).setAside).toMatchObject([{ hostname: 'node-1', failure }]);
  });

  it('hold no member that does not serve itself', () => {
    expect(decide(fleetWith('emptying', { isUnhealthy: true })).admit).toMatchObject([{ instanceId: 'web-2' }]);
  });

  it('hold all others where the last ones moved have not begun to serve, whatever the limit is', () => {
    const fleet = fleetWith('emptying');
    const groups = [aGroup({ maxImpactedMembers: 9, membersAway: 3, overdue: { ...overdue, isOfLastMoved: true } })];
    expect(decide({ ...fleet, groups }).admit).toEqual([]);
  });
});
