import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseFleet, readFleetFile } from '../../../clouds/simulated/fleet-file';
import {
  aConstrainedInstance,
  aFleetFile,
  aFleetGroup,
  aFleetHost,
  aFleetInstance,
  aServerGroup,
  uuidNumber,
} from '../../builders/a-fleet-file';

describe('a fleet file', () => {
  it('gives hosts, groups and instances with their constraints', () => {
    const fleet = parseFleet(aFleetFile({ groups: [aFleetGroup()], instances: [aConstrainedInstance()] }));
    expect(fleet.hosts[0]).toEqual({
      name: 'compute-1',
      type: 'compute',
      isCompute: true,
      vcpus: 16,
      memoryMb: 65_536,
      maintain: true,
      maintenanceSeconds: 60,
      enabled: true,
    });
    expect(fleet.groups[0]).toMatchObject({ groupId: uuidNumber(500), maxImpactedMembers: 1, recoveryTime: 30 });
    expect(fleet.instances[0]).toEqual({
      instanceId: uuidNumber(1),
      instanceName: 'web-1',
      projectId: uuidNumber(900),
      groupId: uuidNumber(500),
      host: 'compute-1',
      flavor: '2x4096',
      vcpus: 2,
      memoryMb: 4096,
      moveSeconds: 10,
      failMoves: 0,
      actsItself: true,
      readySeconds: 5,
      constraints: {
        groupId: uuidNumber(500),
        migrationType: 'LIVE_MIGRATE',
        leadTime: 20,
        maxInterruptionTime: 40,
        resourceMitigation: true,
      },
    });
  });

  it('gives labels, properties and further amounts', () => {
    const hosts = [aFleetHost({ labels: ['zone-a'], properties: { rack: 'r1' }, amounts: { pcpu: 8 } })];
    const instances = [aFleetInstance({ needs: ['zone-a'], amounts: { pcpu: 2 } })];
    const fleet = parseFleet(aFleetFile({ hosts, instances, groups: [aFleetGroup()] }));
    expect(fleet.hosts[0]).toMatchObject({ labels: ['zone-a'], properties: { rack: 'r1' }, amounts: { pcpu: 8 } });
    expect(fleet.instances[0]).toMatchObject({ needs: ['zone-a'], amounts: { pcpu: 2 } });
  });

  it.each([
    {
      situation: 'a label that no host has',
      host: { labels: ['zone-b'] },
      instance: { needs: ['zone-a'] },
      problem: '/instances/0/needs "zone-a" is a label that no host has',
    },
    {
      situation: 'less than nothing',
      instance: { amounts: { pcpu: -1 } },
      problem: '/instances/0/amounts/pcpu must be at least 0',
    },
    {
      situation: 'a part of one',
      instance: { amounts: { pcpu: 0.5 } },
      problem: '/instances/0/amounts/pcpu must be an integer',
    },
    {
      situation: 'more than any host could have',
      host: { amounts: { pcpu: 1e15 } },
      problem: '/hosts/0/amounts/pcpu must be at most 2147483647',
    },
    {
      situation: 'an amount that another field gives',
      host: { amounts: { VCPU: 64 } },
      problem: '/hosts/0/amounts/VCPU is what vcpus gives: leave it out',
    },
    {
      situation: 'an amount of an instance that another field gives',
      instance: { amounts: { MEMORY_MB: 1 } },
      problem: '/instances/0/amounts/MEMORY_MB is what memory_mb gives: leave it out',
    },
    {
      situation: 'more of a resource than its host has',
      host: { amounts: { pcpu: 1 } },
      instance: { amounts: { pcpu: 2 } },
      problem: '/hosts/0 (compute-1) has 1 pcpu, its instances need 2',
    },
  ])('is refused for $situation, which it names', ({ host = {}, instance = {}, problem }) => {
    const fleet = aFleetFile({
      hosts: [aFleetHost(host)],
      instances: [aFleetInstance(instance)],
      groups: [aFleetGroup()],
    });
    expect(() => parseFleet(fleet)).toThrow(problem);
  });

  it('needs no groups and no constraints', () => {
    const { name, hosts, instances } = aFleetFile();
    const fleet = parseFleet({ name, hosts, instances });
    expect(fleet.groups).toEqual([]);
    expect(fleet.instances[0]).not.toHaveProperty('groupId');
    expect(fleet.instances[0]).not.toHaveProperty('constraints');
  });

  it("takes the cloud's own groups beside those of constraints: their members are those that they list", () => {
    const { serverGroups, instances } = parseFleet(
      aFleetFile({
        groups: [aFleetGroup()],
        server_groups: [aServerGroup()],
        instances: [aConstrainedInstance(), aConstrainedInstance({ instance_id: uuidNumber(2) })],
      }),
    );
    expect(serverGroups).toMatchObject([{ groupId: uuidNumber(500), antiAffinity: true, maxInstancesPerHost: 1 }]);
    expect(instances.map(({ groupId }) => groupId)).toEqual([uuidNumber(500), undefined]);
    expect(instances.map(({ constraints }) => constraints?.groupId)).toEqual([uuidNumber(500), uuidNumber(500)]);
  });

  it('takes what says how the simulated cloud behaves', () => {
    const fleet = parseFleet(
      aFleetFile({
        hosts: [
          aFleetHost({ enabled: false }),
          aFleetHost({ name: 'controller-1', type: 'controller', is_compute: true }),
          aFleetHost({ name: 'controller-2', type: 'controller' }),
        ],
        instances: [aFleetInstance({ fail_moves: 2, acts_itself: false, flavor: 'm1.small', ready_s: null })],
      }),
    );
    expect(fleet.hosts.map(({ enabled, isCompute }) => ({ enabled, isCompute }))).toEqual([
      { enabled: false, isCompute: true },
      { enabled: true, isCompute: true },
      { enabled: true, isCompute: false },
    ]);
    expect(fleet.instances[0]).toMatchObject({
      failMoves: 2,
      actsItself: false,
      flavor: 'm1.small',
      readySeconds: null,
    });
  });

  it.each(['ABCDEF00-0000-4000-8000-000000000001', 'abcdef00000040008000000000000001'])(
    'keeps the ID %s as it is',
    (id) => {
      const fleet = parseFleet(aFleetFile({ instances: [aFleetInstance({ instance_id: id, project_id: id })] }));
      expect(fleet.instances[0]).toMatchObject({ instanceId: id, projectId: id });
    },
  );

  it('writes a project and a group that it names in two forms as the first time', () => {
    const [dashed, plain] = ['abcdef00-0000-4000-8000-000000000001', 'ABCDEF00000040008000000000000001'];
    const groups = [aFleetGroup({ group_id: dashed, project_id: dashed })];
    const instances = [
      aFleetInstance({ instance_id: uuidNumber(1), project_id: plain, group_id: plain }),
      aFleetInstance({ instance_id: uuidNumber(2), project_id: dashed, group_id: dashed }),
    ];
    const fleet = parseFleet(aFleetFile({ groups, instances }));
    const ids = { projectId: plain, groupId: dashed };
    expect(fleet).toMatchObject({ groups: [ids], instances: [ids, ids] });
  });

  it.each([
    { wrong: 'something else', file: 'a text', says: '/ must be an object, but is "a text"' },
    { wrong: 'no hosts', file: aFleetFile({ hosts: [] }), says: '/hosts must not be empty' },
    {
      wrong: 'a missing field',
      file: { name: 'x', hosts: [aFleetHost()] },
      says: '/instances is missing',
    },
    {
      wrong: 'a misspelt field',
      file: { ...aFleetFile(), instances: [{ ...aFleetInstance(), fail_move: 1 }] },
      says: '/instances/0/fail_move is not a known field; known are instance_id, ',
    },
    {
      wrong: 'a negative number',
      file: aFleetFile({ hosts: [aFleetHost({ vcpus: -1 })] }),
      says: '/hosts/0/vcpus must be at least 0, but is -1',
    },
    {
      wrong: 'an ID that is no UUID',
      file: aFleetFile({ instances: [aFleetInstance({ instance_id: 'web-1' })] }),
      says: '/instances/0/instance_id must be a UUID, with or without dashes',
    },
    {
      wrong: 'an unknown host type',
      file: { ...aFleetFile(), hosts: [{ ...aFleetHost(), type: 'storage' }] },
      says: '/hosts/0/type must be compute or controller',
    },
    {
      wrong: 'an unknown migration type',
      file: { ...aFleetFile(), instances: [{ ...aConstrainedInstance(), migration_type: 'FLY' }] },
      says: '/instances/0/migration_type must be one of LIVE_MIGRATE, MIGRATE, OWN_ACTION, EVICTION',
    },
    {
      wrong: 'two hosts of one name',
      file: aFleetFile({ hosts: [aFleetHost(), aFleetHost()] }),
      says: '/hosts/1 repeats "compute-1" of /hosts/0',
    },
    {
      wrong: 'a project with two names',
      file: aFleetFile({ projects: ['amf', 'smf'].map((name) => ({ project_id: uuidNumber(9), name })) }),
      says: `/projects/1 repeats "${uuidNumber(9)}" of /projects/0`,
    },
    {
      wrong: 'an instance twice',
      file: aFleetFile({ instances: [aFleetInstance(), aFleetInstance()] }),
      says: `/instances/1 repeats "${uuidNumber(1)}" of /instances/0`,
    },
    {
      wrong: 'an instance on a host that is not there',
      file: aFleetFile({ instances: [aFleetInstance({ host: 'compute-9' })] }),
      says: '/instances/0/host "compute-9" is not among the hosts',
    },
    {
      wrong: 'an instance on a controller',
      file: aFleetFile({ hosts: [aFleetHost({ type: 'controller' })] }),
      says: '/instances/0/host "compute-1" holds no instances',
    },
    {
      wrong: 'more vcpus on a host than it has',
      file: aFleetFile({ instances: [aFleetInstance({ vcpus: 17 })] }),
      says: '/hosts/0 (compute-1) has 16 vcpus, its instances need 17',
    },
    {
      wrong: 'more memory on a host than it has',
      file: aFleetFile({ instances: [aFleetInstance({ memory_mb: 65_537 })] }),
      says: '/hosts/0 (compute-1) has 65536 memory_mb, its instances need 65537',
    },
    {
      wrong: 'a server group of an instance that is not there',
      file: aFleetFile({ server_groups: [aServerGroup({ instance_ids: [uuidNumber(7)] })] }),
      says: `/server_groups/0/instance_ids/0 "${uuidNumber(7)}" is not among the instances`,
    },
    {
      wrong: 'an instance in two server groups',
      file: aFleetFile({ server_groups: [aServerGroup(), aServerGroup({ server_group_id: uuidNumber(501) })] }),
      says: `/server_groups/1/instance_ids/0 repeats "${uuidNumber(1)}" of /server_groups/0/instance_ids/0`,
    },
    {
      wrong: 'a server group of another project',
      file: aFleetFile({ server_groups: [aServerGroup({ project_id: uuidNumber(901) })] }),
      says: `/server_groups/0/instance_ids/0 "${uuidNumber(1)}" is an instance of another project (${uuidNumber(900)})`,
    },
    {
      wrong: 'anti-affinity that lets nobody on a host',
      file: aFleetFile({ groups: [aFleetGroup({ max_instances_per_host: 0 })] }),
      says: '/groups/0/max_instances_per_host must be at least 1 when anti_affinity_group is true',
    },
    {
      wrong: 'a group of another project',
      file: aFleetFile({
        groups: [aFleetGroup({ project_id: uuidNumber(901) })],
        instances: [aConstrainedInstance()],
      }),
      says: `/instances/0/group_id is a group of another project (${uuidNumber(901)})`,
    },
    {
      wrong: 'half of the constraints',
      file: aFleetFile({ instances: [aFleetInstance({ lead_time: 5, migration_type: 'MIGRATE' })] }),
      says:
        '/instances/0 has migration_type, lead_time but lacks max_interruption_time, resource_mitigation, group_id: ' +
        'give all of them or none',
    },
  ])('with $wrong is refused, naming the path', ({ file, says }) => {
    expect(() => parseFleet(file)).toThrow(says);
  });

  it('is told all of its problems at once, each once', () => {
    const file = { ...aFleetFile(), hosts: [{ ...aFleetHost(), type: 'storage', vcpus: 'many' }] };
    expect(() => parseFleet(file)).toThrow(
      'not a fleet:\n  /hosts/0/type must be compute or controller\n  /hosts/0/vcpus must be an integer, but is "many"',
    );
  });

  it('with many problems shows the first of them and counts the rest', () => {
    const instances = Array.from({ length: 30 }, (_, index) =>
      aFleetInstance({ instance_id: uuidNumber(index), host: 'x' }),
    );
    expect(() => parseFleet(aFleetFile({ instances }))).toThrow(/and 10 more$/);
  });
});

describe('reading a fleet file', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fleet-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('gives the fleet', async () => {
    const path = join(folder, 'fleet.json');
    await writeFile(path, JSON.stringify(aFleetFile()));
    expect((await readFleetFile(path)).name).toBe('test');
  });

  it.each([
    { situation: 'is not there', file: 'none.json', text: undefined, says: /none\.json: .*ENOENT/ },
    { situation: 'is no JSON', file: 'broken.json', text: '{"name": ', says: /broken\.json: not JSON: / },
    {
      situation: 'is no fleet',
      file: 'other.json',
      text: '[]',
      says: /other\.json: not a fleet:\n {2}\/ must be an object, but is \[\]/,
    },
  ])('names the file that $situation', async ({ file, text, says }) => {
    const path = join(folder, file);
    await Promise.all([text].filter((given) => given !== undefined).map((given) => writeFile(path, given)));
    await expect(readFleetFile(path)).rejects.toThrow(says);
  });
});
