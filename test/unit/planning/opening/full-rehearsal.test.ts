import fc from 'fast-check';
import { FullRehearsal } from '../../../../planning/opening/full-rehearsal';
import { mostFailures } from '../../../../planning/opening/opening-queue';
import type { Part, PlayedGroup, PlayedHost, PlayedInstance, Script } from '../../../../planning/opening/script';

/** Of 4 vcpus, of which the instances of a case are taken away by `aScript`. */
const aPlayedHost = (part: Part, fields: Partial<PlayedHost> = {}): PlayedHost => ({
  vcpus: 4,
  memoryMb: 4,
  free: { vcpus: 4, memoryMb: 4 },
  part,
  maintenanceSeconds: 100,
  becomesTarget: true,
  ...fields,
});
const onHost = (host: number, fields: Partial<PlayedInstance> = {}): PlayedInstance => ({
  vcpus: 1,
  memoryMb: 1,
  host,
  group: 0,
  apart: [fields.group ?? 0],
  actionSeconds: 10,
  ...fields,
});
const loose: PlayedGroup = { maxImpactedMembers: 99, recoverySeconds: 0, maxInstancesPerHost: Infinity };

const heldOn = (instances: readonly PlayedInstance[], position: number): number =>
  instances
    .filter(({ host, target }) => host === position || target === position)
    .reduce((sum, { vcpus }) => sum + vcpus, 0);

const aScript = ({
  hosts = [],
  instances = [],
  group = {},
  mostUnderWork = Infinity,
}: {
  readonly hosts?: readonly PlayedHost[];
  readonly instances?: readonly PlayedInstance[];
  readonly group?: Partial<PlayedGroup>;
  readonly mostUnderWork?: number;
}): Script => ({
  hosts: hosts.map((host, position) => {
    const free = 4 - heldOn(instances, position);
    return { ...host, free: { vcpus: free, memoryMb: free } };
  }),
  instances,
  groups: [{ ...loose, ...group }],
  mostUnderWork,
});

/** Without the little that a late return costs. */
const endOf = (script: Script, order: readonly number[]): number =>
  Math.floor(new FullRehearsal(script).play(order).cost / 5) * 5;

const waiting = aPlayedHost('waiting');
const kept = aPlayedHost('kept');

describe('the end of a session', () => {
  it.each([
    {
      what: 'its actions at once and its maintenance, where nobody hinders the other',
      script: { hosts: [waiting, kept], instances: [onHost(0), onHost(0)] },
      end: 110,
    },
    {
      what: 'one action after the other, where one member may be impacted',
      script: { hosts: [waiting, kept], instances: [onHost(0), onHost(0)], group: { maxImpactedMembers: 1 } },
      end: 120,
    },
    {
      what: 'the recoveries between them',
      script: {
        hosts: [waiting, kept],
        instances: [onHost(0), onHost(0)],
        group: { maxImpactedMembers: 1, recoverySeconds: 30 },
      },
      end: 150,
    },
    {
      what: 'the recovery that is under way now',
      script: {
        hosts: [waiting, kept],
        instances: [onHost(0), onHost(1, { recoversIn: 50 })],
        group: { maxImpactedMembers: 1 },
      },
      end: 160,
    },
    {
      what: 'the rest of an action in flight and the maintenance',
      script: { hosts: [aPlayedHost('emptying'), kept], instances: [onHost(0, { target: 1, arrivesIn: 5 })] },
      end: 105,
    },
    {
      what: 'an action with a place that waits to be admitted',
      script: { hosts: [aPlayedHost('emptying'), kept], instances: [onHost(0, { target: 1 })] },
      end: 110,
    },
    {
      what: 'the rest of a maintenance',
      script: { hosts: [aPlayedHost('maintaining', { maintenanceSeconds: 40 })] },
      end: 40,
    },
    {
      what: 'a host that waits for the room of another',
      script: {
        hosts: [waiting, aPlayedHost('maintaining', { maintenanceSeconds: 40 })],
        instances: [onHost(0, { vcpus: 4, memoryMb: 4 })],
      },
      end: 150,
    },
    {
      what: 'a host after the other, where the second holds what the first needs',
      script: {
        hosts: [waiting, waiting, kept],
        instances: [onHost(0, { vcpus: 3, memoryMb: 3 }), onHost(1, { vcpus: 3, memoryMb: 3 })],
      },
      end: 220,
    },
    {
      what: 'a host after the other, where one may be under work',
      script: { hosts: [waiting, waiting, kept], instances: [onHost(0), onHost(1)], mostUnderWork: 1 },
      end: 220,
    },
    {
      what: 'a host after the other, where members may not be together',
      script: {
        hosts: [waiting, waiting, kept],
        instances: [onHost(0), onHost(1)],
        group: { maxInstancesPerHost: 1 },
      },
      end: 220,
    },
    {
      what: 'the maintenance of a host that can never be emptied',
      script: { hosts: [waiting], instances: [onHost(0)] },
      end: 100,
    },
    {
      what: 'nothing that happens on hosts that take no part',
      script: { hosts: [waiting, kept, aPlayedHost('out')], instances: [onHost(0), onHost(2)] },
      end: 110,
    },
  ])('counts $what', ({ script, end }) => {
    const order = script.hosts.flatMap(({ part }, position) => (part === 'waiting' ? [position] : []));
    expect(endOf(aScript(script), order)).toBe(end);
  });

  it('begins a host early whose rest fits on one that is in maintenance', () => {
    const hosts = [waiting, aPlayedHost('maintaining', { maintenanceSeconds: 40 }), kept];
    const instances = [
      onHost(0, { vcpus: 3, memoryMb: 3, actionSeconds: 30 }),
      onHost(0, { actionSeconds: 30 }),
      onHost(2, { vcpus: 3, memoryMb: 3 }),
    ];
    const script = aScript({ hosts, instances, group: { maxImpactedMembers: 1 } });
    expect(endOf(script, [0])).toBe(170);
  });

  it('begins no second one early while the first still lacks places', () => {
    const early = (): PlayedHost => aPlayedHost('waiting', { maintenanceSeconds: 200 });
    const underWork = [aPlayedHost('maintaining'), aPlayedHost('maintaining'), aPlayedHost('emptying')];
    const hosts = [early(), early(), kept, ...underWork];
    const whole = { vcpus: 3, memoryMb: 3 };
    const instances = [
      ...[0, 1].flatMap((host) => [onHost(host, whole), onHost(host, { actionSeconds: 60 })]),
      onHost(2),
      onHost(5, { target: 2, arrivesIn: 5 }),
    ];
    const script = aScript({ hosts, instances });
    // There is room for both small ones at once; but the first host's large one has to wait for a host that is back.
    expect(endOf(script, [0, 1])).toBe(360);
  });

  const inVainAsTarget = { becomesTarget: false };

  it.each([
    { what: 'tries every host where nothing is under work', tried: mostFailures, underWork: [], end: 1_010 },
    {
      what: 'tries so many hosts in vain where others are under work',
      tried: mostFailures - 1,
      underWork: [aPlayedHost('maintaining', inVainAsTarget)],
      end: 1_010,
    },
    {
      what: 'then gives up, until one of them is back',
      tried: mostFailures,
      underWork: [aPlayedHost('maintaining', inVainAsTarget)],
      end: 1_110,
    },
  ])('$what', ({ tried, underWork, end }) => {
    // What the first ones hold has room on others, but there is a member of its group on each.
    const inVain = Array.from({ length: tried }, () => aPlayedHost('waiting', { maintenanceSeconds: 0 }));
    const last = aPlayedHost('waiting', { maintenanceSeconds: 1_000, ...inVainAsTarget });
    const instances = [
      ...inVain.map((_, host) => onHost(host, { vcpus: 2, memoryMb: 2 })),
      onHost(tried, { vcpus: 3, memoryMb: 3, group: 1 }),
      onHost(tried + 1),
    ];
    const script = aScript({ hosts: [...inVain, last, kept, ...underWork], instances });
    const groups = [{ ...loose, maxInstancesPerHost: 1 }, loose];
    const order = Array.from({ length: tried + 1 }, (_, host) => host);
    expect(endOf({ ...script, groups }, order)).toBe(end);
  });

  it('depends on the order', () => {
    const hosts = [aPlayedHost('waiting', { maintenanceSeconds: 300 }), waiting, waiting, kept];
    const instances = [0, 1, 2].map((host) => onHost(host, { vcpus: 2, memoryMb: 2 }));
    const script = aScript({ hosts, instances });
    expect(endOf(script, [0, 1, 2])).toBeLessThan(endOf(script, [1, 2, 0]));
  });
});

it('costs less where fewer hosts are late, though the last one is as late', () => {
  const costOf = (seconds: number): number => {
    const hosts = [100, seconds].map((maintenanceSeconds) => aPlayedHost('maintaining', { maintenanceSeconds }));
    return new FullRehearsal(aScript({ hosts })).play([]).cost;
  };
  expect(costOf(99) - costOf(50)).toBeGreaterThan(1);
});

it('costs less where fewer instances go to hosts that are emptied later, though all come back at the same times', () => {
  const hosts = [waiting, waiting, aPlayedHost('maintaining', { maintenanceSeconds: 50 })];
  // One of them has to go to the other before the third host is back, and moves again with it.
  const costOf = (onFirst: number): number => {
    const size = 4 / onFirst;
    const small = Array.from({ length: onFirst }, () => onHost(0, { vcpus: size / 2, memoryMb: size / 2 }));
    const rest = Array.from({ length: 4 - onFirst }, () => onHost(1, { vcpus: 0, memoryMb: 0 }));
    return new FullRehearsal(aScript({ hosts, instances: [...small, ...rest] })).play([0, 1]).cost;
  };
  expect(costOf(1)).toBeLessThan(costOf(2));
});

it('plays an order the same however often others were played before', () => {
  const hosts = [0, 1, 2, 3, 4].map((host) => aPlayedHost('waiting', { maintenanceSeconds: 100 + 17 * host }));
  const others = [kept, aPlayedHost('emptying'), aPlayedHost('maintaining')];
  const onTheMove = [onHost(6, { target: 5, arrivesIn: 5 }), onHost(6, { target: 5 }), onHost(5, { recoversIn: 30 })];
  const instances = [...[0, 0, 1, 2, 2, 3, 4].map((host) => onHost(host, { actionSeconds: 20 })), ...onTheMove];
  const group = { maxImpactedMembers: 2, recoverySeconds: 9, maxInstancesPerHost: 3 };
  const script = aScript({ hosts: [...hosts, ...others], instances, group });
  const order = fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 });
  const played = new FullRehearsal(script);
  fc.assert(
    fc.property(order, (hostsInOrder) => {
      expect(played.play(hostsInOrder)).toEqual(new FullRehearsal(script).play(hostsInOrder));
    }),
  );
});

it('tells in which order hosts were opened, those at the end that could not be', () => {
  const hosts = [waiting, waiting, waiting, kept];
  // The last host takes what is on the second one, which has room for the first one's when it is back.
  const [medium, large, huge] = [2, 3, 5].map((size) => ({ vcpus: size, memoryMb: size }));
  const instances = [onHost(0, large), onHost(1, medium), onHost(2, huge), onHost(3, medium)];
  const script = aScript({ hosts, instances });
  expect(new FullRehearsal(script).play([2, 0, 1]).order).toEqual([1, 0, 2]);
});

describe('the steps of a play', () => {
  it.each([
    { what: 'a place and an arrival of each instance and the return of the host', recoverySeconds: 0, steps: 5 },
    { what: 'a recovery of each instance too where its group needs time for it', recoverySeconds: 30, steps: 7 },
  ])('are $what', ({ recoverySeconds, steps }) => {
    const instances = [onHost(0), onHost(0)];
    const rehearsal = new FullRehearsal(aScript({ hosts: [waiting, kept], instances, group: { recoverySeconds } }));
    for (const turn of [0, 1]) {
      rehearsal.play([0]);
      expect([turn, rehearsal.steps]).toEqual([turn, steps]);
    }
  });

  it('are more where many wait in one queue, which is looked through for each of them', () => {
    const stepsEach = (count: number): number => {
      const instances = Array.from({ length: count }, () => onHost(0, { vcpus: 0, memoryMb: 0 }));
      const group = { maxImpactedMembers: 1 };
      const rehearsal = new FullRehearsal(aScript({ hosts: [waiting, kept], instances, group }));
      rehearsal.play([0]);
      return rehearsal.steps / count;
    };
    expect(stepsEach(1_000)).toBeGreaterThan(2 * stepsEach(50));
  });
});
