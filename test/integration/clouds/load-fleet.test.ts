import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadFleetOnce } from '../../../clouds/registry';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { WireFleet } from '../../../clouds/simulated/fleet-schema';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { type Database, openDatabase } from '../../../prisma/database';
import { aDeparture } from '../../builders/a-departure';
import {
  aConstrainedInstance,
  aFleetFile,
  aFleetGroup,
  aFleetHost,
  aFleetInstance,
  aServerGroup,
  uuidNumber,
} from '../../builders/a-fleet-file';
import { createTestDatabase } from '../setup/test-database';

describe('loading a fleet', () => {
  let db: Database;
  let url: string;
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ db, url, drop } = await createTestDatabase());
  });
  afterAll(() => drop());
  beforeEach(async () => {
    await db.simMove.deleteMany();
    await db.simInstance.deleteMany();
    await db.simHost.deleteMany();
    await db.groupConstraint.deleteMany();
    await db.instanceConstraint.deleteMany();
    await db.claim.deleteMany();
  });

  const load = (file: WireFleet, options = { storeConstraints: true, force: false }): Promise<void> =>
    loadFleet(db, parseFleet(file), options);
  const hostNames = async (): Promise<string[]> =>
    (await db.simHost.findMany({ orderBy: { name: 'asc' } })).map((host) => host.name);
  const withConstraints = aFleetFile({
    groups: [aFleetGroup()],
    instances: [aConstrainedInstance(), aFleetInstance({ instance_id: uuidNumber(2), instance_name: 'alone' })],
  });
  const otherFleet = aFleetFile({ hosts: [aFleetHost({ name: 'other' })], instances: [] });

  it('names projects, whatever form of the ID somebody asks with, until another fleet is loaded', async () => {
    const [id, unnamed] = [aFleetInstance().project_id, uuidNumber(77)];
    await load(aFleetFile({ projects: [{ project_id: id, name: 'amf' }] }));
    const cloud = createSimulatedCloud({ db, speed: 1 });
    const short = id.replaceAll('-', '').toUpperCase();
    expect(await cloud.projectNames?.([id, short, unnamed])).toEqual(
      new Map([...new Set([id, short])].map((one) => [one, 'amf'])),
    );
    await load(otherFleet);
    expect(await cloud.projectNames?.([id])).toEqual(new Map());
  });

  it('makes its hosts and instances what the driver shows', async () => {
    await load(
      aFleetFile({
        hosts: [
          aFleetHost({ properties: { zone: 'a' } }),
          aFleetHost({ name: 'control', type: 'controller', vcpus: 0, enabled: false }),
        ],
        instances: [aFleetInstance({ flavor: 'm1.tiny' })],
      }),
    );
    const cloud = createSimulatedCloud({ db, speed: 1 });
    expect(await cloud.listHosts()).toEqual([
      {
        name: 'compute-1',
        type: 'compute',
        isCompute: true,
        amounts: { VCPU: 16, MEMORY_MB: 65_536 },
        devices: {},
        labels: { zone: 'a' },
        enabled: true,
        isUp: true,
        maintenanceSeconds: 60,
      },
      {
        name: 'control',
        type: 'controller',
        isCompute: false,
        amounts: { VCPU: 0, MEMORY_MB: 65_536 },
        devices: {},
        labels: {},
        enabled: false,
        isUp: true,
        maintenanceSeconds: 60,
        disabledReason: 'disabled before any maintenance (fleet file)',
      },
    ]);
    expect(await cloud.listInstances()).toEqual([
      {
        instanceId: uuidNumber(1),
        instanceName: 'web-1',
        projectId: uuidNumber(900),
        host: 'compute-1',
        flavor: 'm1.tiny',
        amounts: { VCPU: 2, MEMORY_MB: 4096 },
        state: 'ACTIVE',
        departure: aDeparture(),
      },
    ]);
  });

  it('stores the constraints of the file as its projects would', async () => {
    await load(withConstraints);
    expect(await db.groupConstraint.findMany()).toMatchObject([
      { groupId: uuidNumber(500), groupName: 'web', antiAffinityGroup: true, recoveryTime: 30, maxImpactedMembers: 1 },
    ]);
    expect(await db.instanceConstraint.findMany()).toMatchObject([
      {
        instanceId: uuidNumber(1),
        groupId: uuidNumber(500),
        instanceName: 'web-1',
        migrationType: 'LIVE_MIGRATE',
        leadTime: 20,
        maxInterruptionTime: 40,
        resourceMitigation: true,
        updatedAt: null,
      },
    ]);
  });

  it.each([
    { which: 'an anti-affinity group', given: { anti_affinity_group: true, max_instances_per_host: 2 }, perHost: 2 },
    { which: 'another group', given: { anti_affinity_group: false, max_instances_per_host: 1 }, perHost: 1 },
  ])('$which is known to the cloud, whether or not its constraints are stored', async ({ given, perHost }) => {
    await load({ ...withConstraints, groups: [aFleetGroup(given)] }, { storeConstraints: false, force: false });
    expect(await createSimulatedCloud({ db, speed: 1 }).listGroups()).toEqual([
      {
        groupId: uuidNumber(500),
        groupName: 'web',
        projectId: uuidNumber(900),
        antiAffinity: given.anti_affinity_group,
        maxInstancesPerHost: perHost,
        instanceIds: [uuidNumber(1)],
      },
    ]);
  });

  it('the cloud may keep apart whom the constraints of the same group do not', async () => {
    const groups = [aFleetGroup({ anti_affinity_group: false, max_instances_per_host: 0 })];
    await load({ ...withConstraints, groups, server_groups: [aServerGroup()] });
    expect(await createSimulatedCloud({ db, speed: 1 }).listGroups()).toMatchObject([
      { groupId: uuidNumber(500), groupName: 'apart', antiAffinity: true, instanceIds: [uuidNumber(1)] },
    ]);
    expect(await db.groupConstraint.findMany()).toMatchObject([{ groupId: uuidNumber(500), antiAffinityGroup: false }]);
  });

  it('a group that only an instance names keeps nobody apart', async () => {
    await load(withConstraints, { storeConstraints: false, force: false });
    await db.simGroup.deleteMany();
    const [group] = await createSimulatedCloud({ db, speed: 1 }).listGroups();
    expect(group).toMatchObject({ groupId: uuidNumber(500), antiAffinity: false, maxInstancesPerHost: 1 });
  });

  it('updates constraints that are stored already', async () => {
    await load(withConstraints);
    await load({ ...withConstraints, groups: [aFleetGroup({ recovery_time: 99 })] });
    const [group] = await db.groupConstraint.findMany();
    expect(group).toMatchObject({ recoveryTime: 99 });
    expect(group!.updatedAt).not.toBeNull();
  });

  it('stores no constraints when told not to', async () => {
    await load(withConstraints, { storeConstraints: false, force: false });
    expect(await db.groupConstraint.count()).toBe(0);
    expect(await db.instanceConstraint.count()).toBe(0);
    expect(await db.simInstance.count()).toBe(2);
  });

  describe('while the one before is in use', () => {
    const startMove = async (): Promise<void> => {
      await load(aFleetFile({ instances: [aFleetInstance({ move_s: 3600 })] }));
      await createSimulatedCloud({ db, speed: 1 }).startMove({
        claimId: randomUUID(),
        instanceId: uuidNumber(1),
        action: 'MIGRATE',
        source: 'compute-1',
        target: 'compute-2',
      });
    };
    const openClaim = async (phase: string): Promise<void> => {
      await load(aFleetFile());
      await db.claim.create({
        data: {
          sessionId: randomUUID(),
          instanceId: uuidNumber(1),
          instanceName: 'web-1',
          projectId: uuidNumber(900),
          groupKey: 'x',
          source: 'compute-1',
          target: 'compute-2',
          action: 'MIGRATE',
          amounts: { VCPU: 1 },
          recoveryTime: 0,
          phase,
        },
      });
    };

    it.each([
      { situation: 'a move runs', use: startMove, says: '1 moves run and 0 instances' },
      { situation: 'an instance is asked about', use: () => openClaim('asked'), says: '0 moves run and 1 instances' },
      { situation: 'an instance is being moved', use: () => openClaim('moving'), says: '0 moves run and 1 instances' },
    ])('is refused when $situation', async ({ use, says }) => {
      await use();
      await expect(load(otherFleet)).rejects.toThrow(`the fleet is in use: ${says}`);
      expect(await hostNames()).toEqual(['compute-1', 'compute-2']);
    });

    it('is done when only recoveries are open', async () => {
      await openClaim('recovering');
      await load(otherFleet);
      expect(await hostNames()).toEqual(['other']);
    });

    it('is done when forced, which aborts the moves and keeps their log', async () => {
      await startMove();
      await load(otherFleet, { storeConstraints: true, force: true });
      expect(await hostNames()).toEqual(['other']);
      expect(await db.simMove.findMany()).toMatchObject([{ status: 'aborted', failure: 'the fleet was replaced' }]);
    });
  });

  describe('at start-up', () => {
    let folder: string;
    let path: string;
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'fleet-'));
      path = join(folder, 'fleet.json');
      await writeFile(path, JSON.stringify(withConstraints));
    });
    afterAll(() => rm(folder, { recursive: true }));

    it('is done once when several processes start together', async () => {
      const processes = [1, 2, 3].map(() => openDatabase({ url, poolSize: 1 }));
      const results = await Promise.all(processes.map((process) => loadFleetOnce(process, path)));
      await Promise.all(processes.map((process) => process.$disconnect()));
      expect(results.sort()).toEqual(['kept', 'kept', 'loaded']);
      expect(await hostNames()).toEqual(['compute-1', 'compute-2']);
      expect(await db.instanceConstraint.count()).toBe(1);
    });

    it('keeps a fleet that is there', async () => {
      await load(otherFleet);
      expect(await loadFleetOnce(db, path)).toBe('otherKept');
      expect(await hostNames()).toEqual(['other']);
    });

    it('names the file that cannot be read', async () => {
      await expect(loadFleetOnce(db, join(folder, 'none.json'))).rejects.toThrow(/none\.json: .*ENOENT/);
    });
  });
});
