import type { Decision } from '../../../../../rules/decisions/decision';
import type { Action, Fleet, Host, Instance, SessionState } from '../../../../../rules/decisions/fleet/fleet';
import type { Reason } from '../../../../../rules/reasons/reason';
import {
  aClaim,
  aController,
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  anotherSessionId,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';

const nowMs = 100_000;

interface Case {
  readonly fleet: Fleet;
  readonly ready?: readonly string[];
}

const decide = (state: SessionState, { fleet, ready = [] }: Case): Decision => {
  const actions = new Map<string, Action>(ready.map((id) => [id, 'MIGRATE']));
  return decideDefault({ sessionId: aSessionId, state, fleet, ready: actions }, nowMs, {});
};

const decideWithFailures = (fleet: Fleet, maxFailedHosts: number): Decision => {
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE' as const, fleet, ready: new Map() };
  return decideDefault(view, nowMs, { maxFailedHosts });
};

const fleetOf = (hosts: Host[], instances: Instance[] = [], fields: Partial<Fleet> = {}): Fleet =>
  aFleet({ hosts, instances: hosts.includes(tiny) ? [...instances, filling] : instances, ...fields });

const on = (host: string, fields: InstanceFields = {}): Instance => anInstance({ id: `on ${host}`, host, ...fields });
const foreign = (phase: 'emptying' | 'maintaining', name: string, type: Host['type'] = 'compute'): Host =>
  aHostIn(phase, name, { type, isCompute: type === 'compute', work: { sessionId: anotherSessionId } });
const spare = aHost({ name: 'spare' });
/** Has 1 vcpu left. */
const tiny = aHost({ name: 'tiny' });
const filling = anInstance({ id: 'filling', host: 'tiny', vcpus: 15, groupKey: 'filling', leadTimeSeconds: 0 });

interface Row {
  readonly situation: string;
  readonly fleet: Fleet;
  readonly decision: Partial<Decision>;
}

describe('PREPARE_MAINTENANCE', () => {
  it.each<Row>([
    { situation: 'the session has no hosts', fleet: fleetOf([spare]), decision: { next: 'START_MAINTENANCE' } },
    {
      situation: 'a host is empty already',
      fleet: fleetOf([aHostIn('waiting', 'a'), aHostIn('waiting', 'b')], [on('b')]),
      decision: { next: 'START_MAINTENANCE', drain: [] },
    },
    {
      situation: 'the host under work is empty and disabled',
      fleet: fleetOf([aHostIn('emptying', 'a'), aHostIn('waiting', 'b')], [on('b')]),
      decision: { next: 'START_MAINTENANCE' },
    },
    {
      situation: 'the host under work is empty, and its disabling not confirmed',
      fleet: fleetOf([aHostIn('emptying', 'a', { work: { disabled: false } })]),
      decision: { drain: [], begin: [], waiting: [{ waitingFor: 'host', who: 'a', subject: 'a' }] },
    },
    {
      situation: 'hosts can be drained: the one with the fewest instances',
      fleet: fleetOf(
        [aHostIn('waiting', 'a'), aHostIn('waiting', 'b'), spare],
        [on('a', { id: '1', vcpus: 1 }), on('a', { id: '2', vcpus: 1 }), on('b', { id: '3' })],
      ),
      decision: { drain: ['b'] },
    },
    {
      situation: 'they have as many: the one with the smaller load',
      fleet: fleetOf([aHostIn('waiting', 'a'), aHostIn('waiting', 'b'), spare], [on('a'), on('b', { vcpus: 2 })]),
      decision: { drain: ['b'] },
    },
    {
      situation: 'they are alike: the first by name',
      fleet: fleetOf([aHostIn('waiting', 'b'), aHostIn('waiting', 'a'), spare], [on('a'), on('b')]),
      decision: { drain: ['a'] },
    },
    {
      situation: 'the cheapest cannot be drained: the next',
      fleet: fleetOf(
        [aHostIn('waiting', 'a'), aHostIn('waiting', 'b', { vcpus: 9 }), aHost({ name: 'small', vcpus: 8 })],
        [on('a', { vcpus: 9 }), on('b', { id: '2' }), on('b', { id: '3' })],
      ),
      decision: { drain: ['b'] },
    },
    {
      situation: 'one is drained: no other',
      fleet: fleetOf([aHostIn('emptying', 'a'), aHostIn('waiting', 'b'), spare], [on('a'), on('b')]),
      decision: { drain: [], waiting: [{ waitingFor: 'answer', who: 'on a', subject: 'project-1' }] },
    },
    {
      situation: 'nothing can be drained',
      fleet: fleetOf([aHostIn('waiting', 'a'), tiny], [on('a')]),
      decision: { next: 'SCALE_IN' },
    },
    {
      situation: 'nothing can be drained, and the work of another session goes on',
      fleet: fleetOf([aHostIn('waiting', 'a'), tiny, foreign('maintaining', 'z')], [on('a')]),
      decision: {
        drain: [],
        waiting: [{ waitingFor: 'room', who: 'a', subject: '3 vcpus' }],
      },
    },
    {
      situation: 'a host that someone else disabled has instances',
      fleet: fleetOf([aHostIn('waiting', 'a', { enabled: false }), spare], [on('a')]),
      decision: { drain: ['a'] },
    },
  ])('goes on rightly when $situation', ({ fleet, decision }) => {
    const { next, failure, ...rest } = decide('PREPARE_MAINTENANCE', { fleet });
    expect({ next, failure, ...rest }).toMatchObject({ next: undefined, failure: undefined, ...decision });
  });
});

describe('START_MAINTENANCE', () => {
  it.each<Row>([
    { situation: 'the session has no hosts', fleet: fleetOf([spare]), decision: { next: 'MAINTENANCE_COMPLETE' } },
    {
      situation: 'all hosts are maintained',
      fleet: fleetOf([aHostIn('maintained', 'a'), aController('maintained', 'c')]),
      decision: { next: 'MAINTENANCE_COMPLETE' },
    },
    {
      situation: 'hosts are empty: all computes and one controller',
      fleet: fleetOf(
        [
          aHostIn('waiting', 'a'),
          aHostIn('waiting', 'b'),
          aHostIn('waiting', 'c'),
          aController('waiting', 'd'),
          aController('waiting', 'e'),
        ],
        [on('b')],
      ),
      decision: { drain: ['a', 'c', 'd'], begin: [] },
    },
    {
      situation: 'a controller of another session is under work',
      fleet: fleetOf([aController('waiting', 'c'), foreign('maintaining', 'z', 'controller')]),
      decision: { next: 'PLANNED_MAINTENANCE', drain: [] },
    },
    {
      situation: 'they are disabled and empty',
      fleet: fleetOf([aHostIn('emptying', 'a'), aHostIn('emptying', 'b', { work: { disabled: false } })]),
      decision: { begin: ['a'], waiting: [{ waitingFor: 'host', who: 'b', subject: 'b' }] },
    },
    {
      situation: 'an instance that left is still in flight',
      fleet: fleetOf([aHostIn('emptying', 'host-1'), aHost({ name: 'host-2' })], [anInstance({ host: 'host-2' })], {
        claims: [aClaim()],
      }),
      decision: { begin: [], waiting: [{ waitingFor: 'host', who: 'host-1', subject: 'instance-1' }] },
    },
    {
      situation: 'one is not announced yet',
      fleet: fleetOf([aHostIn('maintaining', 'a', { work: { announced: false } })]),
      decision: { drain: [], begin: [] },
    },
    {
      situation: 'all that are empty are announced',
      fleet: fleetOf(
        [
          aHostIn('maintaining', 'a'),
          aHostIn('waiting', 'b'),
          aController('waiting', 'c'),
          aController('maintaining', 'd'),
        ],
        [on('b')],
      ),
      decision: { next: 'PLANNED_MAINTENANCE' },
    },
  ])('goes on rightly when $situation', ({ fleet, decision }) => {
    const { next, failure, ...rest } = decide('START_MAINTENANCE', { fleet });
    expect({ next, failure, ...rest }).toMatchObject({ next: undefined, failure: undefined, ...decision });
  });
});

describe('PLANNED_MAINTENANCE', () => {
  it.each<Row>([
    { situation: 'the session has no hosts', fleet: fleetOf([spare]), decision: { next: 'MAINTENANCE_COMPLETE' } },
    {
      situation: 'a compute is in maintenance: no other is drained',
      fleet: fleetOf([aHostIn('maintaining', 'a'), aHostIn('waiting', 'b'), spare], [on('b')]),
      decision: { drain: [] },
    },
    {
      situation: 'a host is given back: no other is drained',
      fleet: fleetOf([aHostIn('releasing', 'a'), aHostIn('waiting', 'b'), spare], [on('b')]),
      decision: { drain: [] },
    },
    {
      situation: 'a controller is in maintenance: a compute is drained beside it',
      fleet: fleetOf([aController('maintaining', 'a'), aHostIn('waiting', 'b'), spare], [on('b')]),
      decision: { drain: ['b'] },
    },
    {
      situation: 'a compute is drained: the drain of a controller starts beside it',
      fleet: fleetOf(
        [aHostIn('emptying', 'a'), aController('waiting', 'c'), aController('waiting', 'd'), spare],
        [on('a')],
      ),
      decision: { drain: ['c'] },
    },
    {
      situation: 'a controller that is a compute has to wait for another controller',
      fleet: fleetOf(
        [
          aController('maintaining', 'a'),
          aHostIn('waiting', 'b', { type: 'controller' }),
          aHostIn('waiting', 'c'),
          spare,
        ],
        [on('b'), on('c', { id: '2' }), on('c', { id: '3' })],
      ),
      decision: { drain: ['c'] },
    },
    {
      situation: 'a host became empty on its own',
      fleet: fleetOf([aHostIn('emptying', 'a'), aHostIn('waiting', 'b'), spare], [on('a')]),
      decision: { drain: ['b'] },
    },
    {
      situation: 'a drained host is empty',
      fleet: fleetOf([aHostIn('emptying', 'a'), aHostIn('waiting', 'b'), spare], [on('b')]),
      decision: { begin: ['a'], drain: [] },
    },
    {
      situation: 'an instance is on its way to the drained host',
      fleet: fleetOf([aHostIn('emptying', 'host-2'), aHost({ name: 'host-1' })], [anInstance()], {
        claims: [aClaim()],
      }),
      decision: { begin: [] },
    },
    {
      situation: 'no host can be drained and nothing is under work',
      fleet: fleetOf([aHostIn('waiting', 'a'), aHostIn('maintained', 'b')], [on('a'), on('b', { vcpus: 14 })]),
      decision: { next: 'SCALE_IN' },
    },
    {
      situation: 'no host can be drained, and a controller is in maintenance',
      fleet: fleetOf([aHostIn('waiting', 'a'), aController('maintaining', 'c'), tiny], [on('a')]),
      decision: { drain: [] },
    },
    {
      situation: 'hosts failed',
      fleet: fleetOf([
        aHostIn('failed', 'a', { work: { failure: 'no answer from the cloud' } }),
        aHostIn('failed', 'b', { work: { failure: 'instance x cannot move' } }),
      ]),
      decision: { failure: 'host a: no answer from the cloud; host b: instance x cannot move', drain: [] },
    },
  ])('goes on rightly when $situation', ({ fleet, decision }) => {
    const { next, failure, ...rest } = decide('PLANNED_MAINTENANCE', { fleet });
    expect({ next, failure, ...rest }).toMatchObject({ next: undefined, failure: undefined, ...decision });
  });

  it('opens no host that something is on its way to', () => {
    const hosts = [aHostIn('waiting', 'a'), aHostIn('waiting', 'b'), spare];
    const instances = [on('a'), on('b'), on('b', { id: 'other' })];
    const arriving = aClaim({ instanceId: 'elsewhere', source: 'tiny', target: 'a', sessionId: anotherSessionId });
    expect(decide('PLANNED_MAINTENANCE', { fleet: fleetOf(hosts, instances) }).drain).toEqual(['a']);
    expect(decide('PLANNED_MAINTENANCE', { fleet: fleetOf(hosts, instances, { claims: [arriving] }) }).drain).toEqual([
      'b',
    ]);
  });

  it('waits, and does not scale in, while something is recovering', () => {
    const claims = [aClaim({ phase: 'recovering', instanceId: 'gone', recoversAtMs: nowMs + 7_000 })];
    const fleet = fleetOf([aHostIn('waiting', 'a'), tiny], [on('a')], { claims });
    expect(decide('PLANNED_MAINTENANCE', { fleet })).toMatchObject({ drain: [], lookAgainMs: 7_000 });
    expect(decide('PLANNED_MAINTENANCE', { fleet }).next).toBeUndefined();
  });
});

describe('admission', () => {
  const source = aHostIn('emptying', 'host-1');
  const two = [anInstance({ id: 'a' }), anInstance({ id: 'b' })];
  const group = (max: number): Partial<Fleet> => ({ groups: [aGroup({ maxImpactedMembers: max })] });
  const admitted = (fleet: Fleet, ready: string[]): string[] =>
    decide('PLANNED_MAINTENANCE', { fleet, ready }).admit.map(({ instanceId, target }) => `${instanceId} to ${target}`);
  const reasons = (fleet: Fleet, ready: string[]): readonly Reason[] =>
    decide('PLANNED_MAINTENANCE', { fleet, ready }).waiting;

  it('says who goes where, and how', () => {
    const fleet = fleetOf([source, spare], [anInstance()]);
    expect(decide('PLANNED_MAINTENANCE', { fleet, ready: ['instance-1'] }).admit).toEqual([
      {
        kind: 'move',
        instanceId: 'instance-1',
        groupKey: 'group-1',
        source: 'host-1',
        target: 'spare',
        action: 'MIGRATE',
      },
    ]);
  });

  it('counts what it admits in one decision against the group', () => {
    const fleet = fleetOf([source, spare], two, group(1));
    expect(admitted(fleet, ['a', 'b'])).toEqual(['a to spare']);
    const group1 = { subject: 'name of group-1', subjectId: 'ID of group-1' };
    const limit = { max: 1, occupied: 1, occupiedBy: ['a'] };
    expect(reasons(fleet, ['a', 'b'])).toEqual([{ waitingFor: 'group', who: 'b', ...group1, limit }]);
  });

  it('names the members on the hosts that hold as many as they may', () => {
    const groups = [aGroup({ maxInstancesPerHost: 1 })];
    const fleet = fleetOf([source, spare], [anInstance(), anInstance({ id: 'c', host: 'spare' })], { groups });
    const limit = { max: 1, occupied: 1, occupiedBy: ['c'] };
    expect(reasons(fleet, ['instance-1'])).toMatchObject([{ waitingFor: 'affinity', who: 'instance-1', limit }]);
  });

  it('admits as many as the group allows', () => {
    expect(admitted(fleetOf([source, spare], two, group(2)), ['a', 'b'])).toEqual(['a to spare', 'b to spare']);
  });

  it('admits none that waits for its answer', () => {
    const fleet = fleetOf([source, spare], two, group(2));
    expect(admitted(fleet, ['b'])).toEqual(['b to spare']);
    expect(reasons(fleet, ['b'])).toEqual([{ waitingFor: 'answer', who: 'a', subject: 'project-1' }]);
  });

  it('waits for the recovery of another member, and looks again when it ends', () => {
    const claims = [aClaim({ instanceId: 'c', phase: 'recovering', recoversAtMs: nowMs + 30_000 })];
    const fleet = fleetOf([source, spare], [anInstance()], { claims });
    const decision = decide('PLANNED_MAINTENANCE', { fleet, ready: ['instance-1'] });
    expect(decision).toMatchObject({
      admit: [],
      waiting: [{ waitingFor: 'recovery', who: 'instance-1', subject: 'name of group-1', untilMs: nowMs + 30_000 }],
      lookAgainMs: 30_000,
    });
  });

  it('leaves an instance alone that recovers from its last move, whatever its group allows', () => {
    const claims = [aClaim({ phase: 'recovering', target: 'host-1', source: 'spare', recoversAtMs: nowMs + 1_000 })];
    const fleet = fleetOf([source, spare], [anInstance()], { claims, ...group(5) });
    expect(reasons(fleet, ['instance-1'])).toMatchObject([{ waitingFor: 'recovery', who: 'instance-1' }]);
  });

  it('admits again at the very instant a recovery ends', () => {
    const claims = [aClaim({ instanceId: 'c', phase: 'recovering', recoversAtMs: nowMs })];
    expect(admitted(fleetOf([source, spare], [anInstance()], { claims }), ['instance-1'])).toEqual([
      'instance-1 to spare',
    ]);
  });

  it('admits none while the whole rest of the host has no place', () => {
    const fleet = fleetOf([source, aHost({ name: 'small', vcpus: 7 }), foreign('maintaining', 'z')], two, group(2));
    expect(admitted(fleet, ['a', 'b'])).toEqual([]);
    const because = expect.stringMatching(/ b \(b\) .*: 1 vcpus missing on host small, which comes closest$/) as string;
    expect(reasons(fleet, ['a', 'b'])).toMatchObject([
      { waitingFor: 'room', who: 'a', subject: '1 vcpus', because },
      { waitingFor: 'room', who: 'b', subject: '1 vcpus', because },
    ]);
  });

  it('sends nothing to a host whose drain starts in the same decision', () => {
    const hosts = [source, aHostIn('waiting', 'better-fit', { vcpus: 8 }), aHostIn('waiting', 'host-3')];
    const fleet = fleetOf(hosts, [anInstance({ id: 'a' }), on('host-3', { vcpus: 1 })]);
    const decision = decide('PLANNED_MAINTENANCE', { fleet, ready: ['a'] });
    expect(decision.drain).toEqual(['better-fit']);
    expect(decision.admit.map(({ target }) => target)).toEqual(['host-3']);
  });

  it('counts what it admits from one host against the capacity for the next', () => {
    const hosts = [source, aHostIn('emptying', 'host-2'), aHost({ name: 'small', vcpus: 5 })];
    const instances = [anInstance({ id: 'a' }), anInstance({ id: 'b', host: 'host-2', groupKey: 'group-2' })];
    expect(admitted(fleetOf(hosts, instances), ['a', 'b'])).toEqual(['a to small']);
  });

  it('moves nothing twice that is on its way', () => {
    const fleet = fleetOf([source, aHost({ name: 'host-2' })], [anInstance()], { claims: [aClaim()] });
    const decision = decide('PLANNED_MAINTENANCE', { fleet, ready: ['instance-1'] });
    expect(decision).toMatchObject({ admit: [], begin: [], waiting: [] });
  });
});

describe('a deadlock', () => {
  const stuck = (releases: number): Host => aHostIn('emptying', 'host-1', { work: { releases } });

  it.each([{ releases: 0 }, { releases: 1 }])('gives the host back after $releases times', ({ releases }) => {
    const fleet = fleetOf([stuck(releases), tiny], [anInstance()]);
    expect(decide('PLANNED_MAINTENANCE', { fleet })).toMatchObject({ giveBackForDeadlock: ['host-1'] });
  });

  it('fails the session when the host was given back often enough, naming the capacity', () => {
    const { failure } = decide('PLANNED_MAINTENANCE', { fleet: fleetOf([stuck(2), tiny], [anInstance()]) });
    expect(failure).toBe(
      'host host-1 cannot be drained: instance name of instance-1 (instance-1) of project project-1 waits for capacity: ' +
        '3 vcpus missing on host tiny, which comes closest; free that much there, or add or enable a compute host',
    );
  });

  it('fails the session naming the anti-affinity group', () => {
    const groups = [aGroup({ maxInstancesPerHost: 1 })];
    const instances = [anInstance(), anInstance({ id: 'other', host: 'spare' })];
    const { failure } = decide('PREPARE_MAINTENANCE', { fleet: fleetOf([stuck(2), spare], instances, { groups }) });
    expect(failure).toBe(
      'host host-1 cannot be drained: instance name of instance-1 (instance-1) of project project-1 waits for affinity: ' +
        'max_instances_per_host 1 of group name of group-1 (ID of group-1) is reached on every compute host; ' +
        'raise the limit, scale the group in, or add or enable a compute host',
    );
  });

  it.each<{ situation: string; fields: Partial<Fleet>; others: Host[] }>([
    { situation: 'something is in flight', fields: { claims: [aClaim({ instanceId: 'x' })] }, others: [] },
    {
      situation: 'something recovers',
      fields: { claims: [aClaim({ instanceId: 'x', phase: 'recovering', recoversAtMs: nowMs + 1 })] },
      others: [],
    },
    { situation: 'another host is in maintenance', fields: {}, others: [foreign('maintaining', 'z')] },
    { situation: 'another host goes on', fields: {}, others: [foreign('emptying', 'z')] },
  ])('is none while $situation', ({ fields, others }) => {
    const fleet = fleetOf([stuck(2), tiny, ...others], [anInstance()], fields);
    expect(decide('PLANNED_MAINTENANCE', { fleet })).toMatchObject({ giveBackForDeadlock: [], drain: [] });
    expect(decide('PLANNED_MAINTENANCE', { fleet }).failure).toBeUndefined();
  });

  it('is none while a project that makes replacements first may still answer that it has made one', () => {
    const decideWith = (resourceMitigation: boolean) =>
      decide('PLANNED_MAINTENANCE', { fleet: fleetOf([stuck(0), tiny], [anInstance({ resourceMitigation })]) });
    expect(decideWith(true)).toMatchObject({ giveBackForDeadlock: [] });
    expect(decideWith(false)).toMatchObject({ giveBackForDeadlock: ['host-1'] });
  });

  it('gives the least drained host back first', () => {
    const hosts = [aHostIn('emptying', 'a'), aHostIn('emptying', 'b'), tiny];
    const instances = [on('a', { id: '1' }), on('b', { id: '2' }), on('b', { id: '3' })];
    expect(decide('PLANNED_MAINTENANCE', { fleet: fleetOf(hosts, instances) }).giveBackForDeadlock).toEqual(['b']);
  });

  it('is none where only a group of another session holds the instance up', () => {
    const claims = [aClaim({ instanceId: 'x', sessionId: anotherSessionId, source: 'y', target: 'z' })];
    const fleet = fleetOf([stuck(2), spare], [anInstance()], { claims });
    expect(decide('PLANNED_MAINTENANCE', { fleet, ready: ['instance-1'] })).toMatchObject({
      giveBackForDeadlock: [],
      waiting: [{ waitingFor: 'group' }],
    });
  });
});

it('refuses a state in which no host is worked on', () => {
  expect(() => decide('SCALE_IN', { fleet: fleetOf([]) })).toThrow(RangeError);
});

it('drains the host first that an admin asked for last, where it can be drained', () => {
  const asked = (name: string, firstAtMs: number) => aHostIn('waiting', name, { work: { firstAtMs } });
  const instances = [on('a'), on('b', { vcpus: 2 }), on('c', { vcpus: 3 })];
  const hosts = [aHostIn('waiting', 'a'), asked('b', 1), asked('c', 2), spare];
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE' as const, ready: new Map() };
  const drain = (fleet: Fleet) => decideDefault({ ...view, fleet }, nowMs, {}).drain;
  expect(drain(fleetOf(hosts, instances))).toEqual(['c']);
  expect(drain(fleetOf(hosts, [...instances, on('c', { id: 'large', vcpus: 17 })]))).toEqual(['b']);
});

describe('with max_failed_hosts', () => {
  const failed = aHostIn('set_aside', 'broken', { enabled: false, work: { failure: 'host broken: no' } });

  it('goes on without a host that is set aside, and never sends instances there', () => {
    const fleet = fleetOf([failed, aHostIn('waiting', 'a')], [on('a'), on('broken')]);
    const full = [aHost({ name: 'full' }), on('full', { vcpus: 16 })] as const;
    const withFull = { ...fleet, hosts: [...fleet.hosts, full[0]], instances: [...fleet.instances, full[1]] };
    expect(decideWithFailures(withFull, 1)).toMatchObject({ next: 'SCALE_IN' });
    expect(decideWithFailures({ ...fleet, hosts: [...fleet.hosts, spare] }, 1)).toMatchObject({ drain: ['a'] });
  });

  it('completes when all others are maintained or skipped', () => {
    const fleet = fleetOf([failed, aHostIn('maintained', 'a'), aHostIn('skipped', 'b')], [on('broken')]);
    expect(decideWithFailures(fleet, 1)).toMatchObject({ next: 'MAINTENANCE_COMPLETE' });
  });

  it('sets a host aside that was given back often enough and cannot be drained', () => {
    const fleet = fleetOf([aHostIn('emptying', 'host-1', { work: { releases: 2 } }), tiny], [anInstance()]);
    const failure = expect.stringContaining('host host-1 cannot be drained') as string;
    expect(decideWithFailures(fleet, 1)).toMatchObject({ setAside: [{ hostname: 'host-1', failure }] });
    expect(decideWithFailures(fleet, 0)).toMatchObject({ failure });
  });
});
