/**
 * Two sessions of `vnf` that share groups and target hosts, on two workers that are killed (kill -9) one after the
 * other, while constraints change: both are done, and in the one trace of both every constraint holds at every instant.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import type { WireGroup, WireInstance } from '../../../clouds/simulated/fleet-schema';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { aFleetFile, aFleetGroup, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { violationsIn } from '../../checker/check-trace';
import { watchMoves } from '../../checker/watch-moves';
import { type Admin, anAdmin } from '../rig/admin';
import { startPersistentManager } from './persistent-manager';
import { type ServiceUnderFire, withServiceUnderFire } from './service-under-fire';
import { untilOver } from './until-over';

const betweenKillsMs = 4_000;
const betweenChangesMs = 1_000;

const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);
const hostName = (number: number): string => `compute-${String(number).padStart(2, '0')}`;
/** The first three are one session's, the next three the other's, the last is nobody's. */
const firstHosts = range(3).map(hostName);
const secondHosts = range(3).map((number) => hostName(3 + number));
const instanceCount = 12;

const projectId = uuidNumber(901);
const groupIds = range(4).map((number) => uuidNumber(500 + number));
const actions = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'] as const;

const aGroup = (index: number, given: Partial<WireGroup> = {}): WireGroup =>
  aFleetGroup({
    group_id: groupIds[index]!,
    project_id: projectId,
    group_name: `group-${index}`,
    anti_affinity_group: index % 2 === 0,
    max_instances_per_host: 2,
    max_impacted_members: 1 + (index % 2),
    recovery_time: 1,
    resource_mitigation: false,
    ...given,
  });

/** Two instances on each of six hosts; each group has members on hosts of both sessions. */
const fleet = aFleetFile({
  hosts: range(7).map((number) => aFleetHost({ name: hostName(number), vcpus: 10, maintenance_s: 200 })),
  groups: groupIds.map((_, index) => aGroup(index)),
  instances: range(instanceCount).map((number) =>
    aFleetInstance({
      instance_id: uuidNumber(number),
      instance_name: `vm-${number}`,
      project_id: projectId,
      host: hostName(1 + (number % 6)),
      group_id: groupIds[Math.floor((number - 1) / 3)]!,
      migration_type: 'LIVE_MIGRATE',
      lead_time: number % 3 === 0 ? 0 : 20,
      max_interruption_time: 20,
      resource_mitigation: false,
      move_s: 75,
    }),
  ),
});

const killWorkers = async (service: ServiceUnderFire, isOver: () => boolean): Promise<number> => {
  const workers = ['worker', 'worker-2'] as const;
  let kills = 0;
  for (const worker of [...workers, ...workers]) {
    await pause(betweenKillsMs);
    if (isOver()) break;
    await service.kill(worker);
    kills += 1;
  }
  return kills;
};

/**
 * The new group of an instance that changes its group. The other groups are kept apart, which no move of ours could
 * answer for.
 */
const otherGroups = new Map([
  [groupIds[1], groupIds[3]],
  [groupIds[3], groupIds[1]],
]);

/**
 * One group and one instance at a time: budgets fall and rise, instances change their group and the way they go, and
 * who was not asked is to be, or the other way round.
 */
const changeConstraints = async (admin: Admin, isOver: () => boolean): Promise<number> => {
  let changes = 0;
  for (let turn = 1; !isOver(); turn += 1) {
    await pause(betweenChangesMs);
    // Keeps the changes out of step: each group and instance becomes stricter at one time, and looser at another.
    const isStricter = Math.floor(turn / 5) % 2 === 0;
    const group = aGroup(turn % groupIds.length, {
      max_impacted_members: isStricter ? 1 : 2,
      recovery_time: isStricter ? 2 : 0,
    });
    const stored = await admin.call('PUT', `/instance_group/${group.group_id}`, group);
    const instancePath = `/instance/${uuidNumber(1 + ((turn * 7) % instanceCount))}`;
    const { body } = await admin.call('GET', instancePath);
    const instance = body as WireInstance;
    const { status } = await admin.call('PUT', instancePath, {
      ...instance,
      group_id: otherGroups.get(instance.group_id) ?? instance.group_id,
      migration_type: isStricter ? 'MIGRATE' : 'LIVE_MIGRATE',
      lead_time: isStricter ? 30 : 0,
    });
    if (stored.status === 200 && status === 200) changes += 1;
  }
  return changes;
};

it('two sessions on two workers that are killed keep every constraint together', () =>
  withServiceUnderFire({ workers: 2 }, async (service) => {
    const { url, db } = service;
    await loadFleet(db, parseFleet(fleet), { storeConstraints: true });
    const trace = await watchMoves(db);
    const actionFor = (instanceId: string) => actions[Number(instanceId.slice(-2)) % actions.length]!;
    const manager = startPersistentManager({ url, projectId, actionFor });
    let over = false;
    const admin = anAdmin(url);
    const request = { workflow: 'vnf', actions: [{ plugin: 'dummy', type: 'host' }] };
    const sessions = [
      await admin.create({ ...request, hosts: firstHosts }),
      await admin.create({ ...request, hosts: secondHosts }),
    ];
    const changing = changeConstraints(admin, () => over);
    const killing = killWorkers(service, () => over);
    const ends = await Promise.all(sessions.map((sessionId) => untilOver(url, sessionId)));
    over = true;
    const [kills, changes] = await Promise.all([killing, changing]);
    manager.stop();
    expect(ends).toEqual(['MAINTENANCE_DONE', 'MAINTENANCE_DONE']);
    expect(violationsIn(await trace.read())).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(3);
    expect(changes).toBeGreaterThanOrEqual(10);
    expect(await db.simHost.count({ where: { disabled: true } })).toBe(0);
    expect(await db.reservation.count()).toBe(0);
    const moves = await db.simMove.groupBy({ by: ['claimId', 'forced'], _count: true });
    expect(moves.every(({ _count }) => _count === 1)).toBe(true);
  }));
