import type { Claim, Fleet } from '../../../../planning/fleet/fleet';
import { LiveFleet } from '../../../../planning/live/live-fleet';
import { type PlayedInstance, type Script, scriptOf } from '../../../../planning/opening/script';
import {
  aClaim,
  aController,
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  aSessionId,
  anInstance,
  anotherSessionId,
} from '../../../builders/a-fleet';

const nowMs = 1_000_000;
const limits = { releases: 2, defaultImpactShare: 0.25 };

const scriptFor = (fleet: Partial<Fleet>): Script => {
  const live = new LiveFleet(aFleet(fleet), nowMs);
  return scriptOf({ sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', live, nowMs, limits });
};

describe('hosts', () => {
  it.each([
    { what: 'one that waits', host: aHostIn('waiting', 'h'), part: 'waiting' },
    { what: 'one under work', host: aHostIn('emptying', 'h'), part: 'emptying' },
    { what: 'one in maintenance', host: aHostIn('maintaining', 'h'), part: 'maintaining' },
    { what: 'one that is done', host: aHostIn('maintained', 'h'), part: 'maintained' },
    { what: 'one of no session', host: aHost({ name: 'h' }), part: 'kept' },
    {
      what: 'one that waits for another session',
      host: aHostIn('waiting', 'h', { work: { sessionId: anotherSessionId } }),
      part: 'waiting',
    },
    {
      what: 'one under work of another session',
      host: aHostIn('emptying', 'h', { work: { sessionId: anotherSessionId } }),
      part: 'out',
    },
    { what: 'one that is disabled', host: aHost({ name: 'h', enabled: false }), part: 'out' },
    { what: 'a controller that holds nothing', host: aController('waiting', 'h'), part: 'out' },
  ])('$what takes part as $part', ({ host, part }) => {
    const instances = [anInstance({ host: 'h' })];
    expect(scriptFor({ hosts: [host], instances }).hosts).toEqual([expect.objectContaining({ part })]);
  });

  it('one that waits with nothing on it goes under work at once', () => {
    expect(scriptFor({ hosts: [aHostIn('waiting', 'h')] }).hosts).toMatchObject([{ part: 'emptying' }]);
  });

  it('only a compute that nobody else has disabled takes instances when it is back', () => {
    const disabled = aHostIn('maintaining', 'd', { work: { disabledBefore: true } });
    const hosts = [aHostIn('maintaining', 'h'), disabled, aController('maintaining', 'c')];
    const targets = scriptFor({ hosts }).hosts.filter(({ becomesTarget }) => becomesTarget);
    expect(targets).toHaveLength(1);
  });

  it.each([
    { what: 'what the cloud says', host: aHostIn('waiting', 'h', { expectedMaintenanceSeconds: 300 }), seconds: 300 },
    { what: 'what is usual, where nobody says it', host: aHostIn('waiting', 'h'), seconds: 900 },
    {
      what: 'what is left of it',
      host: aHostIn('maintaining', 'h', {
        expectedMaintenanceSeconds: 300,
        work: { announcedAtMs: nowMs - 100_000 },
      }),
      seconds: 200,
    },
    {
      what: 'nothing more, where it is late',
      host: aHostIn('maintaining', 'h', {
        expectedMaintenanceSeconds: 300,
        work: { announcedAtMs: nowMs - 400_000 },
      }),
      seconds: 0,
    },
  ])('a maintenance takes $what', ({ host, seconds }) => {
    expect(scriptFor({ hosts: [host] }).hosts[0]?.maintenanceSeconds).toBe(seconds);
  });

  it('has the room that neither instances, nor moves to it, nor reservations hold', () => {
    const hosts = [aHostIn('emptying', 'host-1'), ...['host-2', 'host-3'].map((name) => aHostIn('waiting', name))];
    const instances = [anInstance({ id: 'moving' }), anInstance({ id: 'reserved' })];
    const claims = [aClaim({ instanceId: 'moving' }), aClaim({ instanceId: 'gone', target: 'host-3', vcpus: 1 })];
    const reservations = [{ instanceId: 'reserved', target: 'host-2' }];
    const { hosts: played } = scriptFor({ hosts, instances, claims, reservations });
    expect(played.map(({ free }) => free.vcpus)).toEqual([8, 8, 15]);
  });
});

describe('instances', () => {
  const hosts = [aHostIn('emptying', 'host-1'), aHost({ name: 'host-2' })];
  const instances = [anInstance({ leadTimeSeconds: 10 })];
  const played = (claims: readonly Claim[], reservations: Fleet['reservations'] = []): PlayedInstance | undefined =>
    scriptFor({ hosts, instances, claims, reservations }).instances[0];
  // An answer after 6 s, and a move of 6 s with 0.9 s for each of 4 GB.
  const actionSeconds = 15.6;

  it('is where it is, and takes as long as its constraints and its size tell', () => {
    const { actionSeconds: seconds, ...rest } = played([]) ?? {};
    expect(rest).toEqual({ vcpus: 4, memoryMb: 4096, host: 0, group: 0, apart: [] });
    expect(seconds).toBeCloseTo(actionSeconds);
  });

  it.each([
    { what: 'is going to its target, a while before it moves', phase: 'asked', arrivesIn: 10.4 },
    { what: 'is going to its target, soon when it moves', phase: 'moving', arrivesIn: 5.2 },
  ] as const)('$what', ({ phase, arrivesIn }) => {
    const instance = played([aClaim({ phase })]);
    expect(instance?.target).toBe(1);
    expect(instance?.arrivesIn).toBeCloseTo(arrivesIn);
  });

  it('is played as on its source, where it was seen on its target before its claim came to its end', () => {
    const landed = anInstance({ host: 'host-2' });
    const claims = [aClaim({ phase: 'moving', source: 'host-1', target: 'host-2' })];
    expect(scriptFor({ hosts, instances: [landed], claims }).instances).toMatchObject([{ host: 0, target: 1 }]);
  });

  it('recovers until then', () => {
    const instance = played([aClaim({ phase: 'recovering', recoversAtMs: nowMs + 30_000 })]);
    expect(instance).toMatchObject({ recoversIn: 30 });
    expect(instance).not.toHaveProperty('target');
  });

  it('has a reserved place', () => {
    const instance = played([], [{ instanceId: 'instance-1', target: 'host-2' }]);
    expect(instance).toMatchObject({ target: 1 });
    expect(instance).not.toHaveProperty('arrivesIn');
  });

  it('come largest first, and those on hosts that nobody knows not at all', () => {
    const few = [
      anInstance({ id: 'small', vcpus: 1 }),
      anInstance({ id: 'large', vcpus: 8 }),
      anInstance({ id: 'lost', host: 'nowhere' }),
    ];
    expect(scriptFor({ hosts, instances: few }).instances.map(({ vcpus }) => vcpus)).toEqual([8, 1]);
  });
});

it('has groups with their limits', () => {
  const groups = [
    aGroup({ key: 'loose', maxImpactedMembers: 3, recoveryTimeSeconds: 20 }),
    aGroup({ key: 'apart', maxInstancesPerHost: 1 }),
  ];
  expect(scriptFor({ groups }).groups).toEqual([
    { maxImpactedMembers: 3, recoverySeconds: 20, maxInstancesPerHost: Infinity },
    { maxImpactedMembers: 1, recoverySeconds: 0, maxInstancesPerHost: 1 },
  ]);
});
