/**
 * resource_mitigation with OWN_ACTION on full clouds: whether an instance may leave its host before there is capacity
 * for a replacement. Who decides it is the same in all workflows, and tried in each of them by
 * test/unit/rules/decisions/vnf/without-places.test.ts; here two cases run in each workflow. And with one place left, a
 * manager that makes its replacement first has that place, whether it makes it before its reply or after it.
 */
import { addInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { statesIn } from '../rig/event-log';
import { acknowledge, type Manager, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const one = { slots: 1 };
/** Long enough for an answer from a busy machine; nobody waits for its end. */
const patient = { group: 1, lead_time: 60, migration_type: 'OWN_ACTION' } as const;

/** Two full hosts: instance 1 is to leave host a by its project's own action. */
const aFullZone = (number: number, mitigation: { readonly own: boolean; readonly group: boolean }): Zone =>
  aZone(number, {
    hosts: { a: one, b: one },
    groups: { 1: { anti_affinity_group: false, recovery_time: 0, resource_mitigation: mitigation.group } },
    instances: [
      [1, 'a', { ...patient, resource_mitigation: mitigation.own }],
      [2, 'b', { project: 2 }],
    ],
  });

/** Full, and the cloud moves neither of the instances on host a. */
const aZoneOfHeldTogether = (number: number): Zone =>
  aZone(number, {
    hosts: { a: { slots: 2 }, b: { slots: 2 } },
    groups: { 1: { anti_affinity_group: false, recovery_time: 0, resource_mitigation: true } },
    serverGroups: { 2: { policy: 'affinity', members: [1, 2] } },
    instances: [
      ...[1, 2].map((n) => [n, 'a', { ...patient, resource_mitigation: false }] as const),
      [3, 'b', { slots: 2, project: 2 }],
    ],
  });

/** Instance 1 is to leave host a by its project's own action; host b has one place, for the replacement. */
const aZoneWithOnePlace = (number: number): Zone =>
  aZone(number, {
    hosts: { a: one, b: one },
    groups: { 1: { anti_affinity_group: false, recovery_time: 0, resource_mitigation: true } },
    instances: [[1, 'a', { ...patient, resource_mitigation: true, acts_itself: false }]],
  });

const deletesFirst = aFullZone(0, { own: false, group: true });
const replacesFirst = aFullZone(1, { own: true, group: false });
const leavesItToUs = aFullZone(2, { own: false, group: false });
const heldTogether = aZoneOfHeldTogether(3);

const replacesInTime = { default: aZoneWithOnePlace(4), vnf: aZoneWithOnePlace(5) };
const replacesLate = { default: aZoneWithOnePlace(6), vnf: aZoneWithOnePlace(7) };

const { story, judgeTrace } = tellSideBySide({
  zones: [
    ...[deletesFirst, replacesFirst, leavesItToUs, heldTogether],
    ...[...Object.values(replacesInTime), ...Object.values(replacesLate)],
  ],
});

const isAboutInstances = (state: string): boolean => ['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'].includes(state);

const actsItself =
  (...instanceIds: readonly string[]): Policy =>
  ({ state }) => ({
    answer: 'ACK',
    ...(state === 'SCALE_IN' && { isAll: true }),
    ...(isAboutInstances(state) && { actions: Object.fromEntries(instanceIds.map((id) => [id, 'OWN_ACTION'])) }),
  });

/** Gives up its instance when it is asked to scale in, and agrees to the rest. */
const freesCapacity =
  ({ db }: Stage, zone: Zone): Policy =>
  async (event, manager) => {
    if (event.state === 'SCALE_IN') await removeInstance(db, zone.instance(2));
    return acknowledge(event, manager);
  };

const claimsOf = async ({ db }: Stage, instanceId: string) => {
  const claims = await db.claim.findMany({ where: { instanceId }, orderBy: { createdAt: 'asc' } });
  return claims.map(({ action, target, outcome }) => ({ action, target, outcome }));
};

const statesOf = async ({ events }: Stage, sessionId: string): Promise<readonly string[]> =>
  statesIn(await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE'));

/** The states of a session over these hosts, which is done. */
const statesOver = async (
  stage: Stage,
  workflow: 'default' | 'vnf',
  hosts: readonly string[],
): Promise<readonly string[]> => {
  const sessionId = await stage.admin.create({ workflow, hosts });
  await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  return statesOf(stage, sessionId);
};

story('default: goes on without capacity where the project deletes first, whatever its group says', async (stage) => {
  stage.manage(deletesFirst.project(1), actsItself(deletesFirst.instance(1)));
  expect(await statesOver(stage, 'default', [deletesFirst.host('a')])).not.toContain('SCALE_IN');
  expect(await claimsOf(stage, deletesFirst.instance(1))).toEqual([
    { action: 'OWN_ACTION', target: '', outcome: 'gone' },
  ]);
});

story('default: asks for capacity where the replacement comes first, whatever its group says', async (stage) => {
  stage.manage(replacesFirst.project(1), actsItself(replacesFirst.instance(1)));
  stage.manage(replacesFirst.project(2), freesCapacity(stage, replacesFirst));
  expect(await statesOver(stage, 'default', replacesFirst.hostNames)).toContain('SCALE_IN');
  expect(await claimsOf(stage, replacesFirst.instance(1))).toEqual([
    { action: 'OWN_ACTION', target: replacesFirst.host('b'), outcome: 'done' },
  ]);
});

story('vnf: waits for capacity like any other where it has to move the instance after all', async (stage) => {
  stage.manage(leavesItToUs.project(1), (event, manager) =>
    isAboutInstances(event.state) ? 'silent' : acknowledge(event, manager),
  );
  stage.manage(leavesItToUs.project(2), freesCapacity(stage, leavesItToUs));
  expect(await statesOver(stage, 'vnf', leavesItToUs.hostNames)).toContain('SCALE_IN');
  expect((await claimsOf(stage, leavesItToUs.instance(1))).at(-1)).toEqual({
    ...{ action: 'LIVE_MIGRATE', target: leavesItToUs.host('b'), outcome: 'done' },
  });
});

story('vnf: books no capacity for what the cloud moves nowhere where its project deletes first', async (stage) => {
  const members = [1, 2].map(heldTogether.instance);
  stage.manage(heldTogether.project(1), actsItself(...members));
  expect(await statesOver(stage, 'vnf', [heldTogether.host('a')])).not.toContain('SCALE_IN');
  for (const member of members) {
    expect(await claimsOf(stage, member)).toEqual([{ action: 'OWN_ACTION', target: '', outcome: 'gone' }]);
  }
});

/** As its manager does it, on the one place that is left. */
const makeReplacement = ({ db }: Stage, zone: Zone): Promise<string> => {
  const { vcpus, memory_mb: memoryMb } = zone.slot;
  return addInstance(db, { host: zone.host('b'), projectId: zone.project(1), vcpus, memoryMb, moveSeconds: 1 });
};

const untilAwaited = ({ db }: Stage, instanceId: string): Promise<true> =>
  eventually('the own action is awaited', async () => {
    const [claim] = await db.claim.findMany({ where: { instanceId } });
    return claim?.action === 'OWN_ACTION' && claim.startedAt !== null ? true : undefined;
  });

for (const workflow of ['default', 'vnf'] as const) {
  story(`${workflow}: lets a project replace its instance before it replies, on the last place`, async (stage) => {
    const zone = replacesInTime[workflow];
    const choose = actsItself(zone.instance(1));
    const manager = stage.manage(zone.project(1), async (event, self) => {
      if (isAboutInstances(event.state)) await makeReplacement(stage, zone);
      return choose(event, self);
    });
    const sessionId = await stage.admin.create({ workflow, hosts: [zone.host('a')] });
    await untilAwaited(stage, zone.instance(1));
    await removeInstance(stage.db, zone.instance(1));
    await expectReplaced(stage, { zone, sessionId, manager });
  });

  story(`${workflow}: lets a project replace its instance after its reply, on the last place`, async (stage) => {
    const zone = replacesLate[workflow];
    const manager = stage.manage(zone.project(1), actsItself(zone.instance(1)));
    const sessionId = await stage.admin.create({ workflow, hosts: [zone.host('a')] });
    await untilAwaited(stage, zone.instance(1));
    await makeReplacement(stage, zone);
    await removeInstance(stage.db, zone.instance(1));
    await expectReplaced(stage, { zone, sessionId, manager });
  });
}

interface Replaced {
  readonly zone: Zone;
  readonly sessionId: string;
  readonly manager: Manager;
}

/** One own action replaced it, and its manager is told the end. Nobody was asked for capacity. */
const expectReplaced = async (stage: Stage, { zone, sessionId, manager }: Replaced): Promise<void> => {
  await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await statesOf(stage, sessionId)).not.toContain('SCALE_IN');
  expect(await claimsOf(stage, zone.instance(1))).toMatchObject([{ action: 'OWN_ACTION', outcome: 'gone' }]);
  await eventually('the end is told', () =>
    Promise.resolve(manager.told.some(({ state }) => state === 'INSTANCE_ACTION_DONE') || undefined),
  );
};

judgeTrace();
