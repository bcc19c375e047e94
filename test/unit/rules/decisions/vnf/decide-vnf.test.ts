import type { VnfLimits } from '../../../../../rules/decisions/both-workflows/session-facts';
import type { Decision, SessionView } from '../../../../../rules/decisions/decision';
import type { Claim, Fleet, Group, Host, Instance, SessionState } from '../../../../../rules/decisions/fleet/fleet';
import { decideVnf } from '../../../../../rules/decisions/vnf/decide-vnf';
import { vnfFactsOf } from '../../../../../rules/steps/decide-all-vnf';
import {
  aController,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
  nobodyTold,
} from '../../../../builders/a-fleet';
import { vnfDecision } from '../../../../builders/vnf-decision';

const noon = Date.UTC(2026, 0, 1, 12);
const limits: VnfLimits = { defaultImpactShare: 0.25 };

interface Case {
  readonly hosts: readonly Host[];
  readonly instances?: readonly Instance[];
  readonly groups?: readonly Group[];
  readonly claims?: readonly Claim[];
  readonly state?: SessionState;
  readonly reserved?: ReadonlyMap<string, string>;
  readonly limits?: Partial<VnfLimits>;
}

const decide = ({ hosts, instances = [], groups = [aGroup()], claims = [], ...rest }: Case): Decision => {
  const reservations = [...(rest.reserved ?? [])].map(([instanceId, target]) => ({ instanceId, target }));
  const fleet: Fleet = { hosts, instances, groups, claims, reservations };
  const view: SessionView = {
    sessionId: aSessionId,
    state: rest.state ?? 'PLANNED_MAINTENANCE',
    fleet,
  };
  return vnfDecision(view, noon, { ...limits, ...rest.limits });
};

const on = (host: string, id: string, fields: InstanceFields = {}): Instance =>
  anInstance({ id, host, leadTimeSeconds: 20, ...fields });
const aClaim = (phase: Claim['phase'], fields: Partial<Claim> = {}): Claim => ({
  id: 'claim',
  sessionId: aSessionId,
  instanceId: 'a',
  groupKey: 'group-1',
  phase,
  source: 'old',
  target: 'spare',
  action: 'LIVE_MIGRATE',
  amounts: { VCPU: 4, MEMORY_MB: 4096 },
  ...fields,
});
const spare = aHost({ name: 'spare' });
/** Leaves nothing of it. */
const filling = on('spare', 'filling', { vcpus: 16, groupKey: 'filling' });
const placesOf = ({ reserve = [] }: Decision): string[] =>
  reserve.map(({ instanceId, target }) => `${instanceId} to ${target}`);

it('answers the same when it is asked again with the same facts', () => {
  const hosts = [...['a', 'b', 'c'].map((name) => aHostIn('waiting', name)), aHost({ name: 'spare' })];
  const instances = ['a', 'b', 'c'].map((name) => on(name, `on ${name}`, { vcpus: 12 }));
  const groups = [aGroup({ maxImpactedMembers: 9 })];
  const fleet: Fleet = { hosts, instances, groups, claims: [], reservations: [] };
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet };
  const facts = vnfFactsOf(view, noon, limits);
  const first = decideVnf(facts);
  expect(first.drain).toHaveLength(1);
  expect(decideVnf(facts)).toEqual(first);
});

describe('which hosts are drained', () => {
  it('sends an instance that needs no vcpus to a host that has none left', () => {
    const hosts = [aHostIn('waiting', 'old'), aHost({ name: 'full', vcpus: 4, memoryMb: 8192 })];
    const instances = [
      on('old', 'small', { vcpus: 0, memoryMb: 1024 }),
      on('full', 'large', { vcpus: 4, memoryMb: 4096 }),
    ];
    expect(decide({ hosts, instances })).toMatchObject({ drain: ['old'], reserve: [{ target: 'full' }] });
  });

  it('opens all empty computes and one controller', () => {
    const hosts = [
      aController('waiting', 'c-1'),
      aController('waiting', 'c-2'),
      aHostIn('waiting', 'h-1'),
      aHostIn('waiting', 'h-2'),
    ];
    expect(decide({ hosts }).drain).toEqual(['c-1', 'h-1', 'h-2']);
  });

  it('opens the host that is expected to take longest beside another, not after them', () => {
    const hosts = [100, 100, 200].map((expectedMaintenanceSeconds, index) =>
      aHostIn('waiting', `h-${index}`, { expectedMaintenanceSeconds, vcpus: 8 }),
    );
    const instances = hosts.map(({ name }) => on(name, `on ${name}`, { vcpus: 8 }));
    const { drain } = decide({ hosts: [...hosts, aHost({ name: 'spare', vcpus: 16 })], instances });
    expect(drain).toHaveLength(2);
    expect(drain).toContain('h-2');
  });

  it('opens no controller beside another', () => {
    expect(decide({ hosts: [aController('maintaining', 'c-1'), aController('waiting', 'c-2')] }).drain).toEqual([]);
  });

  it('opens a controller that can be drained where the one before it cannot', () => {
    const hosts = [
      aHostIn('waiting', 'c-1', { type: 'controller' }),
      aHostIn('waiting', 'c-2', { type: 'controller' }),
    ];
    const instances = [
      on('c-1', 'a', { memoryMb: 20_000 }),
      on('c-2', 'b', { memoryMb: 12_768 }),
      on('c-2', 'c', { memoryMb: 1 }),
    ];
    expect(decide({ hosts, instances }).drain).toEqual([]);
    expect(
      decide({ hosts: [{ ...hosts[0]!, amounts: { VCPU: 16, MEMORY_MB: 40_000 } }, hosts[1]!], instances }).drain,
    ).toEqual(['c-2']);
  });

  it('opens as many as can be drained at once, and keeps a place for each instance', () => {
    const hosts = [aHostIn('waiting', 'h-1'), aHostIn('waiting', 'h-2'), spare];
    const decision = decide({ hosts, instances: [on('h-1', 'a'), on('h-2', 'b')] });
    expect(decision.drain).toEqual(['h-1', 'h-2']);
    expect(placesOf(decision)).toEqual(['a to spare', 'b to spare']);
  });

  it('opens no host that could not be drained beside those under work', () => {
    const hosts = [aHostIn('waiting', 'h-1'), aHostIn('waiting', 'h-2'), aHost({ name: 'spare', vcpus: 6 })];
    const full = { vcpus: 6 };
    expect(decide({ hosts, instances: [on('h-1', 'a', full), on('h-2', 'b', { vcpus: 16 })] }).drain).toEqual(['h-1']);
  });

  it('begins with a host ahead of its time where one in maintenance will be its target', () => {
    const hosts = [aHostIn('maintaining', 'h-1'), aHostIn('waiting', 'h-2'), aHost({ name: 'spare', vcpus: 4 })];
    const decision = decide({ hosts, instances: [on('h-2', 'a'), on('h-2', 'b')] });
    expect(decision.drain).toEqual(['h-2']);
    expect(placesOf(decision)).toEqual(['a to spare']);
  });

  it('opens no more hosts than the cap allows', () => {
    const hosts = [aHostIn('maintaining', 'h-1'), aHostIn('waiting', 'h-2'), aHostIn('waiting', 'h-3'), spare];
    expect(decide({ hosts, limits: { maxParallelHosts: 2 } }).drain).toEqual(['h-2']);
  });

  it('keeps the limits of zones and racks, beside hosts under work and those that it starts itself', () => {
    const waiting = ['h-2', 'h-3', 'h-4', 'h-5'].map((name, at) =>
      aHostIn('waiting', name, { labels: { zone: at < 2 ? 'a' : 'b' } }),
    );
    const hosts = [aHostIn('maintaining', 'h-1', { labels: { zone: 'a' } }), ...waiting, spare];
    const instances = [on('h-2', 'a'), on('h-4', 'b'), on('h-5', 'c')];
    const drained = (domains: VnfLimits['domains']) =>
      decide({ hosts, instances, limits: domains ? { domains } : {} }).drain.toSorted();
    expect(drained(undefined)).toEqual(['h-2', 'h-3', 'h-4', 'h-5']);
    expect(drained({ maxParallelPer: { zone: 2 } })).toEqual(['h-3', 'h-4', 'h-5']);
    expect(drained({ maxParallelPer: { zone: 1 } })).toHaveLength(1);
    expect(drained({ oneDomainAtATime: 'zone' })).toEqual(['h-2', 'h-3']);
  });
});

describe('who is admitted', () => {
  const old = aHostIn('emptying', 'old');
  const reserved = new Map([
    ['a', 'spare'],
    ['b', 'spare'],
  ]);
  const admitted = (given: Partial<Case>): string[] =>
    decide({ hosts: [old, spare], reserved, ...given }).admit.map(({ kind, instanceId }) => `${kind} ${instanceId}`);

  it.each([
    { situation: 'a lead time', leadTimeSeconds: 20, expected: ['ask a'] },
    { situation: 'no lead time', leadTimeSeconds: 0, expected: ['move a'] },
  ])('is leave to $expected with $situation', ({ leadTimeSeconds, expected }) => {
    expect(admitted({ instances: [on('old', 'a', { leadTimeSeconds })] })).toEqual(expected);
  });

  it('asks where no constraints are stored', () => {
    expect(admitted({ instances: [anInstance({ id: 'a', host: 'old' })] })).toEqual(['ask a']);
  });

  it.each([
    { situation: 'one may be impacted', max: 1, claims: [], expected: ['ask a'] },
    { situation: 'two may be impacted', max: 2, claims: [], expected: ['ask a', 'ask b'] },
    { situation: 'a member elsewhere is asked', max: 1, claims: [aClaim('asked', { instanceId: 'c' })], expected: [] },
    {
      situation: 'a member elsewhere recovers',
      max: 1,
      claims: [aClaim('recovering', { instanceId: 'c', recoversAtMs: noon + 1 })],
      expected: [],
    },
    {
      situation: 'a recovery ends at this instant',
      max: 1,
      claims: [aClaim('recovering', { instanceId: 'c', recoversAtMs: noon })],
      expected: ['ask a'],
    },
  ])('$expected where $situation', ({ max, claims, expected }) => {
    const instances = [on('old', 'a'), on('old', 'b'), on('elsewhere', 'c')];
    const hosts = [old, spare, aHost({ name: 'elsewhere' })];
    expect(admitted({ hosts, instances, claims, groups: [aGroup({ maxImpactedMembers: max })] })).toEqual(expected);
  });

  it('lets a quarter of a group without constraints go at once', () => {
    const instances = Array.from({ length: 8 }, (_, number) => on('old', `i-${number}`, { vcpus: 1 }));
    const places = new Map(instances.map(({ id }) => [id, 'spare']));
    const groups = [aGroup({ maxImpactedMembers: 1, keptBy: nobodyTold })];
    expect(admitted({ instances, groups, reserved: places })).toHaveLength(2);
  });

  it('lets of two that compete the one go first whose host has less to queue for', () => {
    const hosts = [old, aHostIn('emptying', 'older'), spare];
    const instances = [on('old', 'a'), on('old', 'b', { groupKey: 'slow' }), on('older', 'c'), on('older', 'd')];
    const groups = [aGroup(), aGroup({ key: 'slow', recoveryTimeSeconds: 600 })];
    const places = new Map(['a', 'b', 'c', 'd'].map((id) => [id, 'spare']));
    expect(admitted({ hosts, instances, groups, reserved: places })).toEqual(['ask c', 'ask b']);
  });

  it.each([
    { situation: 'there is capacity by now where it need not move again', places: ['later'], expected: ['spare'] },
    { situation: 'only one of two finds that', places: ['later', 'later'], expected: ['spare', 'later'] },
    {
      situation: 'it has a place to stay',
      places: ['spare'],
      more: [aHostIn('maintained', 'done')],
      expected: ['spare'],
    },
  ])('goes to $expected where $situation', ({ places, more = [], expected }) => {
    const hosts = [old, aHostIn('waiting', 'later', { vcpus: 64 }), spare, ...more];
    const leaving = places.map((_, number) => on('old', `i-${number}`, { vcpus: 12 }));
    const instances = [...leaving, on('later', 'too large for another host', { vcpus: 40 })];
    const groups = [aGroup({ maxImpactedMembers: 2 })];
    const reserved = new Map(places.map((place, number) => [`i-${number}`, place]));
    const { admit } = decide({ hosts, instances, groups, reserved });
    expect(admit.map(({ target }) => target)).toEqual(expected);
  });

  it('does not admit the same instance again', () => {
    const instances = [on('old', 'a')];
    expect(admitted({ instances, claims: [aClaim('asked')], groups: [aGroup({ maxImpactedMembers: 3 })] })).toEqual([]);
  });

  it('passes over a place on a host that is no target any more', () => {
    const hosts = [old, aHostIn('emptying', 'spare', { work: { sessionId: 'another' } }), aHost({ name: 'other' })];
    const decision = decide({ hosts, instances: [on('old', 'a')], reserved });
    expect(decision.admit).toEqual([]);
    expect(placesOf(decision)).toEqual(['a to other']);
  });

  it('keeps members of a group apart', () => {
    const instances = [on('old', 'a'), on('spare', 'b')];
    const groups = [aGroup({ maxInstancesPerHost: 1 })];
    expect(placesOf(decide({ hosts: [old, spare], instances, groups }))).toEqual([]);
  });
});

describe('how a session goes on', () => {
  it.each<{
    situation: string;
    state: SessionState;
    hosts: readonly Host[];
    instances?: readonly Instance[];
    next: SessionState;
  }>([
    {
      situation: 'a first host is empty',
      state: 'PREPARE_MAINTENANCE',
      hosts: [aHostIn('emptying', 'h-1'), aHostIn('waiting', 'h-2')],
      next: 'START_MAINTENANCE',
    },
    {
      situation: 'all that has begun is announced',
      state: 'START_MAINTENANCE',
      hosts: [aHostIn('maintaining', 'h-1'), aHostIn('waiting', 'h-2')],
      instances: [on('h-2', 'a')],
      next: 'PLANNED_MAINTENANCE',
    },
    {
      situation: 'a controller has to wait for another one',
      state: 'START_MAINTENANCE',
      hosts: [aController('maintaining', 'c-1'), aController('waiting', 'c-2')],
      next: 'PLANNED_MAINTENANCE',
    },
    {
      situation: 'all is maintained',
      state: 'PLANNED_MAINTENANCE',
      hosts: [aHostIn('maintained', 'h-1')],
      next: 'MAINTENANCE_COMPLETE',
    },
  ])('goes from $state to $next when $situation', ({ state, hosts, instances = [], next }) => {
    expect(decide({ state, hosts, instances }).next).toBe(next);
  });

  it.each<{ situation: string; host: Host; decided: Partial<Decision> }>([
    {
      situation: 'the drain of an untouched empty host starts',
      host: aHostIn('waiting', 'h-1'),
      decided: { drain: ['h-1'] },
    },
    {
      situation: 'an empty host is being disabled',
      host: aHostIn('emptying', 'h-1', { enabled: false, work: { disabled: false } }),
      decided: { drain: [], begin: [] },
    },
    { situation: 'an empty host is disabled', host: aHostIn('emptying', 'h-1'), decided: { begin: ['h-1'] } },
    {
      situation: 'a host in maintenance is to be announced',
      host: aHostIn('maintaining', 'h-1', { work: { announced: false } }),
      decided: { begin: [] },
    },
  ])('stays in START_MAINTENANCE while $situation', ({ host, decided }) => {
    const decision = decide({
      state: 'START_MAINTENANCE',
      hosts: [host, aHostIn('waiting', 'h-2')],
      instances: [on('h-2', 'a')],
    });
    expect(decision).toMatchObject(decided);
    expect(decision.next).toBeUndefined();
  });

  it.each([
    { situation: 'is untouched', host: aHostIn('waiting', 'h-1'), drain: ['h-1'] },
    { situation: 'is being disabled', host: aHostIn('emptying', 'h-1', { work: { disabled: false } }), drain: [] },
    { situation: 'is to be announced', host: aHostIn('maintaining', 'h-1', { work: { announced: false } }), drain: [] },
  ])('stays in START_MAINTENANCE while an empty host $situation', ({ host, drain }) => {
    expect(decide({ state: 'START_MAINTENANCE', hosts: [host] })).toMatchObject({ drain });
    expect(decide({ state: 'START_MAINTENANCE', hosts: [host] }).next).toBeUndefined();
  });

  it('asks for scaling in where nothing is under work and nothing can be drained', () => {
    const hosts = [aHostIn('waiting', 'h-1'), spare];
    expect(decide({ hosts, instances: [on('h-1', 'a'), filling] }).next).toBe('SCALE_IN');
  });

  it('begins a host as soon as it is empty', () => {
    expect(decide({ hosts: [aHostIn('emptying', 'h-1'), aHostIn('waiting', 'h-2')] }).begin).toEqual(['h-1']);
  });

  it('gives a host back that cannot be drained while nothing else goes on', () => {
    const decision = decide({ hosts: [aHostIn('emptying', 'h-1')], instances: [on('h-1', 'a')] });
    expect(decision.giveBackForDeadlock).toEqual(['h-1']);
  });

  it('fails when a host was given back too often, and says which instance lacks what', () => {
    const hosts = [aHostIn('emptying', 'h-1', { work: { releases: 2 } }), spare];
    expect(decide({ hosts, instances: [on('h-1', 'a'), filling] }).failure).toContain('waits for capacity');
  });

  it('sets such a host aside where one may fail, and goes on', () => {
    const hosts = [aHostIn('emptying', 'h-1', { work: { releases: 2 } }), spare];
    const decision = decide({ hosts, instances: [on('h-1', 'a'), filling], limits: { maxFailedHosts: 1 } });
    const failure = expect.stringContaining('waits for capacity') as string;
    expect(decision).toMatchObject({ setAside: [{ hostname: 'h-1', failure }] });
    expect(decision.failure).toBeUndefined();
  });

  it('completes without hosts that are set aside or skipped', () => {
    const setAside = aHostIn('set_aside', 'h-1', { enabled: false, work: { failure: 'host h-1: no' } });
    const hosts = [setAside, aHostIn('skipped', 'h-2'), aHostIn('maintained', 'h-3')];
    const instances = [on('h-1', 'a'), on('h-2', 'b')];
    expect(decide({ hosts, instances, limits: { maxFailedHosts: 1 } }).next).toBe('MAINTENANCE_COMPLETE');
    expect(decide({ hosts, instances }).failure).toContain('host h-1: no');
  });

  it('drains the host first that an admin asked for', () => {
    const first = aHostIn('waiting', 'h-2', { work: { firstAtMs: 1 } });
    const hosts = [aHostIn('waiting', 'h-1'), first, aHost({ name: 'spare' })];
    const instances = [on('h-1', 'a'), on('h-2', 'b'), on('h-2', 'c')];
    expect(decide({ hosts, instances, limits: { maxParallelHosts: 1 } }).drain).toEqual(['h-2']);
    expect(decide({ hosts: hosts.slice(0, 2), limits: { maxParallelHosts: 1 } }).drain).toEqual(['h-2']);
  });

  it('counts neither as under work', () => {
    const hosts = [aHostIn('skipped', 'h-1'), aHostIn('waiting', 'h-2')];
    expect(decide({ hosts, limits: { maxParallelHosts: 1 } }).drain).toEqual(['h-2']);
  });

  it('refuses a state in which no host is worked on', () => {
    expect(() => decide({ state: 'SCALE_IN', hosts: [aHostIn('waiting', 'h-1')] })).toThrow(RangeError);
  });
});

describe('why instances wait', () => {
  const old = aHostIn('emptying', 'old');
  it.each([
    { situation: 'they are asked', claims: [aClaim('asked')], waitingFor: 'answer' },
    { situation: 'a member is impacted', claims: [aClaim('moving', { instanceId: 'c' })], waitingFor: 'group' },
    {
      situation: 'a member recovers',
      claims: [aClaim('recovering', { instanceId: 'c', recoversAtMs: noon + 5000 })],
      waitingFor: 'recovery',
    },
  ])('for $waitingFor when $situation', ({ claims, waitingFor }) => {
    const hosts = [old, spare, aHost({ name: 'elsewhere' })];
    const instances = [on('old', 'a'), on('elsewhere', 'c')];
    const decision = decide({ hosts, instances, claims, reserved: new Map([['a', 'spare']]) });
    expect(decision.waiting).toMatchObject([{ waitingFor, who: 'a' }]);
  });

  it('for capacity when no target has enough', () => {
    const hosts = [old, aHostIn('maintaining', 'h-1'), aHost({ name: 'small', vcpus: 2 })];
    expect(decide({ hosts, instances: [on('old', 'a')] }).waiting).toMatchObject([{ waitingFor: 'room', who: 'a' }]);
  });
});
