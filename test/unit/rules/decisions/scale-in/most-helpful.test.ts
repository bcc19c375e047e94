import type { Fleet, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { FleetCapacity } from '../../../../../rules/decisions/model/fleet-capacity';
import { mostHelpful } from '../../../../../rules/decisions/scale-in/most-helpful';
import {
  aClaim,
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';

type Placed = readonly [id: string, vcpus: number, fields?: InstanceFields];

const on = (host: string, ...[id, vcpus, fields]: Placed): Instance =>
  anInstance({ id, host, vcpus, memoryMb: 0, ...fields });

afterEach(() => {
  jest.restoreAllMocks();
});

const named = (fleet: Fleet, ...projectIds: string[]): readonly string[] =>
  mostHelpful(fleet, aSessionId, projectIds).map(({ instanceId }) => instanceId);

/** Full hosts of 8 vcpus, all to be maintained. */
const full = (...instances: Instance[]): Fleet => {
  const names = [...new Set(instances.map(({ host }) => host))];
  return aFleet({ hosts: names.map((name) => aHostIn('waiting', name, { vcpus: 8 })), instances });
};

describe('the instance whose going lets a host be drained most cheaply', () => {
  it.each<{ situation: string; fleet: Fleet; instance: string }>([
    {
      situation: 'is the smallest of those that are large enough',
      fleet: aFleet({
        hosts: [...['a', 'b'].map((name) => aHostIn('waiting', name, { vcpus: 8 })), aHost({ name: 'c', vcpus: 8 })],
        instances: [on('a', '1', 3), on('a', '2', 5), on('b', '3', 8), on('c', '4', 6)],
      }),
      instance: '4',
    },
    {
      situation: 'is the largest where none alone is enough',
      fleet: full(on('a', '1', 3), on('a', '2', 3), on('a', '3', 2), on('b', '4', 2), on('b', '5', 2), on('b', '6', 4)),
      instance: '6',
    },
    {
      situation: 'is, of those alike, one on the host to be drained, which saves a move',
      fleet: aFleet({
        hosts: [aHost({ name: 'a', vcpus: 8 }), aHostIn('waiting', 'b', { vcpus: 8 })],
        instances: [on('a', '1', 4), on('a', '2', 4), on('b', '3', 4)],
      }),
      instance: '3',
    },
    {
      situation: 'is none that is on its way elsewhere',
      fleet: {
        ...full(on('a', '1', 4), on('a', '2', 4), on('b', '3', 4), on('b', '4', 4)),
        claims: [aClaim({ instanceId: '1', phase: 'asked', source: 'a', target: 'b' })],
      },
      instance: '2',
    },
    {
      situation: 'is a member of the group whose anti-affinity keeps the host from being drained',
      fleet: aFleet({
        hosts: [aHostIn('waiting', 'a', { vcpus: 8 }), aHost({ name: 'b', vcpus: 8 })],
        instances: [
          on('a', '1', 1),
          on('a', '2', 3, { groupKey: 'apart' }),
          on('b', '3', 2, { groupKey: 'apart' }),
          on('b', '4', 1),
        ],
        groups: [aGroup({ key: 'apart', maxInstancesPerHost: 1 })],
      }),
      instance: '3',
    },
  ])('$situation', ({ fleet, instance }) => {
    expect(named(fleet, 'project-1')).toEqual([instance]);
  });

  it('is looked for in each of the projects, and the most helpful one comes first', () => {
    const fleet = full(
      on('a', '1', 4, { projectId: 'p' }),
      on('a', '2', 4, { projectId: 'q' }),
      on('b', '3', 2, { projectId: 'p' }),
      on('b', '4', 6, { projectId: 'r' }),
    );
    expect(named(fleet, 'p', 'q', 'r')).toEqual(['4', '1', '2']);
    expect(named(fleet, 'r', 'q')).toEqual(['4', '2']);
    expect(named(fleet, 'without-instances')).toEqual([]);
  });

  it.each([5, 200])('is looked for in bounded time in a large cloud, in each of %i projects', (projects) => {
    const tried = jest.spyOn(FleetCapacity.prototype, 'drop');
    const names = Array.from({ length: 100 }, (_, at) => `host-${at}`);
    const projectIds = Array.from({ length: projects }, (_, at) => `project-${at}`);
    const instances = names.flatMap((host, row) =>
      Array.from({ length: 15 }, (_, at) =>
        on(host, `${host}-${at}`, 4, { projectId: `project-${(row * 15 + at) % projects}` }),
      ),
    );
    const fleet = aFleet({ hosts: names.map((name) => aHostIn('waiting', name, { vcpus: 61 })), instances });
    expect(named(fleet, ...projectIds)).toHaveLength(projects);
    // Three hosts of 15 instances, each looked for on 100 targets.
    expect(tried.mock.calls.length).toBeLessThanOrEqual(500_000 / (3 * 15 * 100));
  });
});
