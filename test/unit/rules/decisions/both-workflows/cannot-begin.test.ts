/** Hosts on which no work begins: others go first; when none is left, the session fails or goes on without them. */
import { whyCannotBegin } from '../../../../../rules/decisions/both-workflows/cannot-begin';
import type { SessionView } from '../../../../../rules/decisions/decision';
import type { Fleet, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aDeparture } from '../../../../builders/a-departure';
import { aFleet, aHost, aHostIn, anInstance, aSessionId, type HostFields } from '../../../../builders/a-fleet';
import { decideDefault } from '../../../../builders/decide-default';
import { vnfDecision } from '../../../../builders/vnf-decision';

const suspended = { because: 'it is SUSPENDED', owner: 'project', help: 'let its project resume it' } as const;
const onA = (fields: Partial<Instance> = {}): Instance =>
  anInstance({ id: 'a', host: 'a', leadTimeSeconds: 0, ...fields });
const onB = anInstance({ id: 'b', host: 'b', leadTimeSeconds: 0 });

const decisionsOn = (fleet: Fleet, maxFailedHosts = 0) => {
  const view: SessionView = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', fleet, ready: new Map() };
  const limits = { maxFailedHosts, defaultImpactShare: 0.25 };
  return [decideDefault(view, 0, limits), vnfDecision(view, 0, limits)];
};

interface Row {
  readonly situation: string;
  readonly fleet: (others: Pick<Fleet, 'hosts' | 'instances'>) => Fleet;
  readonly waitingFor: string;
  readonly failure: string;
}

const beside = (others: Pick<Fleet, 'hosts' | 'instances'>, fleet: Partial<Fleet>): Fleet => ({
  ...aFleet({
    hosts: [...(fleet.hosts ?? []), ...others.hosts],
    instances: [...(fleet.instances ?? []), ...others.instances],
  }),
  ...(fleet.misfits && { misfits: fleet.misfits }),
});

const rows: readonly Row[] = [
  {
    situation: 'an instance is in a state in which nobody moves it',
    fleet: (others) =>
      beside(others, {
        hosts: [aHostIn('waiting', 'a')],
        instances: [onA({ departure: aDeparture({ held: suspended }) })],
      }),
    waitingFor: 'state',
    failure:
      'instance name of a (a) of project project-1 cannot be moved, since it is SUSPENDED; let its project resume it',
  },
  {
    situation: 'an instance is larger than every other host',
    fleet: (others) =>
      beside(others, {
        hosts: [aHostIn('waiting', 'a')],
        instances: [onA({ amounts: { VCPU: 17, MEMORY_MB: 4096 } })],
      }),
    waitingFor: 'room',
    failure:
      'needs 17 vcpus and 4096 MB of memory: no other enabled compute host is that large, even empty; ' +
      'hosts b and spare lack 1 vcpus',
  },
  {
    situation: 'an instance needs what no other host offers',
    fleet: (others) =>
      beside(others, {
        hosts: [aHostIn('waiting', 'a', { offers: 'zone a' })],
        instances: [onA({ needs: 'zone a' })],
        misfits: [{ needs: 'zone a', offers: '', lacks: 'zone a' }],
      }),
    waitingFor: 'room',
    failure:
      'no other enabled compute host with zone a is that large, even empty; hosts b and spare lack zone a; add or enable',
  },
  {
    situation: 'the host is down',
    fleet: (others) =>
      beside(others, { hosts: [aHostIn('waiting', 'a', { enabled: false, isDown: true })], instances: [onA()] }),
    waitingFor: 'start',
    failure: 'it is down, so nobody can move instance name of a (a)',
  },
];

describe.each(rows)('a host where $situation', ({ fleet, waitingFor, failure }) => {
  const spare = aHost({ name: 'spare' });

  it('is not begun while others are: they go first', () => {
    for (const { drain } of decisionsOn(fleet({ hosts: [aHostIn('waiting', 'b'), spare], instances: [onB] }))) {
      expect(drain).toEqual(['b']);
    }
  });

  it('waits, and says for what, while another one is under work', () => {
    for (const decision of decisionsOn(fleet({ hosts: [aHostIn('maintaining', 'b'), spare], instances: [] }))) {
      expect(decision).toMatchObject({ drain: [] });
      expect(decision.failure).toBeUndefined();
    }
    const [, vnf] = decisionsOn(fleet({ hosts: [aHostIn('maintaining', 'b'), spare], instances: [] }));
    expect(vnf?.waiting).toMatchObject([{ who: 'a', waitingFor }]);
  });

  it('fails the session when nothing else is left, and names the reason', () => {
    for (const decision of decisionsOn(fleet({ hosts: [aHostIn('maintained', 'b'), spare], instances: [] }))) {
      expect(decision.failure).toContain(failure);
    }
  });

  it('is set aside then where one host may fail', () => {
    for (const { setAside } of decisionsOn(fleet({ hosts: [aHostIn('maintained', 'b'), spare], instances: [] }), 1)) {
      expect(setAside).toMatchObject([{ hostname: 'a', failure: expect.stringContaining(failure) as string }]);
    }
  });
});

it('names the hosts that were tried for an instance which fits nowhere, in classes, by what each lacks', () => {
  const inZoneA = { offers: 'zone a' };
  const names = ['g', 'h', 'i', 'j'];
  const hosts = [
    aHostIn('waiting', 'a', inZoneA),
    aHost({ name: 'b', ...inZoneA, amounts: { VCPU: 1, MEMORY_MB: 4096 } }),
    aHost({ name: 'c', ...inZoneA, amounts: { VCPU: 0, FPGA: 1 } }),
    aHost({ name: 'off', enabled: false }),
    aHostIn('maintaining', 'e'),
    ...names.map((name) => aHost({ name })),
  ];
  const misfits = [{ needs: 'zone a', offers: '', lacks: 'zone a' }];
  const instances = [onA({ needs: 'zone a', amounts: { VCPU: 2, MEMORY_MB: 4096 } })];
  const tried = 'hosts e, g, h and 2 more lack zone a; host b lacks 1 vcpus; host c lacks 2 vcpus';
  const [, vnf] = decisionsOn({ ...aFleet({ hosts, instances }), misfits });
  const subject = '2 vcpus and 4096 MB of memory on another compute host with zone a';
  const because =
    'instance name of a (a) of project project-1 needs 2 vcpus and 4096 MB of memory: ' +
    `no other enabled compute host with zone a is that large, even empty; ${tried}`;
  const help = 'add or enable such a host, or let its project make the instance smaller';
  expect(vnf?.waiting).toEqual([{ waitingFor: 'room', who: 'a', subject, owner: 'operator', because, help }]);
});

it('gives a host back on which somebody suspends an instance while it is drained, and moves nothing of it', () => {
  const instances = [onA({ departure: aDeparture({ held: suspended }) })];
  const reservations = [{ instanceId: 'a', target: 'spare' }];
  const fleet = aFleet({ hosts: [aHostIn('emptying', 'a'), aHost({ name: 'spare' })], instances, reservations });
  for (const decision of decisionsOn(fleet)) {
    expect(decision).toMatchObject({ admit: [], giveBackForDeadlock: ['a'] });
  }
});

it('waits for such an instance while something else goes on', () => {
  const instances = [onA({ departure: aDeparture({ held: suspended }) })];
  const hosts = [aHostIn('emptying', 'a'), aHostIn('maintaining', 'b'), aHost({ name: 'spare' })];
  for (const decision of decisionsOn(aFleet({ hosts, instances }))) {
    expect(decision.giveBackForDeadlock).toEqual([]);
    expect(decision.waiting).toContainEqual(expect.objectContaining({ who: 'a', waitingFor: 'state' }));
  }
});

it('begins a host as soon as its instance can be moved', () => {
  const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'spare' })];
  for (const { drain } of decisionsOn(aFleet({ hosts, instances: [onA()] }))) expect(drain).toEqual(['a']);
});

it('takes no host for too small whose size the cloud leaves out, since that part of it is down', () => {
  const unknown = { ...aHost({ name: 'unknown', enabled: false, isDown: true }), amounts: {} };
  const [alone, beside] = [[], [unknown]].map((others) =>
    decisionsOn(aFleet({ hosts: [aHostIn('waiting', 'a'), ...others], instances: [onA()] })),
  );
  for (const { failure } of alone!) expect(failure).toContain('no other enabled compute host is that large');
  for (const { failure, next } of beside!) expect([failure, next]).toEqual([undefined, 'SCALE_IN']);
});

it('names every instance that is kept on the host when the session fails', () => {
  const held = ['a', 'c', 'd'].map((id) =>
    anInstance({ id, host: 'a', leadTimeSeconds: 0, departure: aDeparture({ held: suspended }) }),
  );
  for (const { failure } of decisionsOn(aFleet({ hosts: [aHostIn('waiting', 'a')], instances: held }))) {
    expect(failure).toContain('instance name of a (a) of project project-1 cannot be moved, since it is SUSPENDED');
    expect(failure).toContain('; instance name of c (c), name of d (d) cannot leave it either');
  }
});

it('names the reason of each instance that is kept on the host for another one', () => {
  const bare = { because: 'nothing makes it again', owner: 'project', help: 'delete it' } as const;
  const reasons = { a: suspended, c: bare, d: suspended, e: bare };
  const held = Object.entries(reasons).map(([id, held]) =>
    anInstance({ id, host: 'a', departure: aDeparture({ held }) }),
  );
  for (const { failure } of decisionsOn(aFleet({ hosts: [aHostIn('waiting', 'a')], instances: held }))) {
    const others = 'instance name of c (c), name of e (e) cannot leave it either, since nothing makes it again';
    expect(failure).toContain(`; ${others}; instance name of d (d) cannot leave it either`);
  }
});

it.each([
  { situation: 'is expected to pass', passesAtMs: 1, fails: false },
  { situation: 'should have passed by now', passesAtMs: 0, fails: true },
])('waits for the last host while the state of its instance $situation: $fails', ({ passesAtMs, fails }) => {
  const building = { because: 'it is being built', owner: 'operator', help: 'wait', passesAtMs } as const;
  const fleet = aFleet({
    hosts: [aHostIn('waiting', 'a'), aHost({ name: 'spare' })],
    instances: [onA({ departure: aDeparture({ held: building }) })],
  });
  for (const { failure, next } of decisionsOn(fleet)) {
    expect([failure !== undefined, next]).toEqual([fails, undefined]);
  }
});

it('takes a host of unknown size for none that could take an instance which never fits there', () => {
  const unknown = { ...aHost({ name: 'unknown', enabled: false, isDown: true, offers: 'zone b' }), amounts: {} };
  const inZoneA = onA({ needs: 'zone a' });
  const misfits = [{ needs: 'zone a', offers: 'zone b', lacks: 'zone a' }];
  const fleet = {
    ...aFleet({ hosts: [aHostIn('waiting', 'a', { offers: 'zone a' }), unknown], instances: [inZoneA] }),
    misfits,
  };
  for (const { failure } of decisionsOn(fleet)) expect(failure).toContain('no other enabled compute host with zone a');
});

it.each<{ situation: string; host: HostFields; kind: string | undefined }>([
  { situation: 'offers none', host: {}, kind: 'fitsNowhere' },
  {
    situation: 'has none at present',
    host: { amountsOnceItself: { VCPU: 16, MEMORY_MB: 32_768, gpu: Infinity } },
    kind: undefined,
  },
  {
    situation: 'is under pressure',
    host: { offers: 'pressure', amounts: { gpu: 1 }, offersOnceItself: '' },
    kind: undefined,
  },
  { situation: 'lacks it for good', host: { offers: 'pressure', amounts: { gpu: 1 } }, kind: 'fitsNowhere' },
  {
    situation: 'has a new mark',
    host: { offers: 'pressure', amounts: { gpu: 1 }, isClassUnknown: true },
    kind: undefined,
  },
])('an instance with a device fits nowhere where the other host $situation: $kind', ({ host, kind }) => {
  const own = aHostIn('waiting', 'own', { amounts: { gpu: 1 } });
  const instances = [anInstance({ host: 'own', amounts: { gpu: 1 } })];
  const misfits = [{ needs: '', offers: 'pressure', lacks: 'no taint' }];
  const model = new FleetModel({ ...aFleet({ hosts: [own, aHost({ name: 'other', ...host })], instances }), misfits });
  expect(whyCannotBegin(model, own)?.kind).toBe(kind);
});
