/**
 * resource_mitigation with OWN_ACTION on full clouds, in both workflows: whether an instance may leave its host before
 * there is capacity for a replacement.
 */
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { workflowPlugins } from '../../../plugins/workflows/registry';
import { aZone, type Zone } from '../../builders/a-zone';
import { statesIn } from '../rig/event-log';
import { acknowledge, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const one = { slots: 1 };

/** Two full hosts: instance 1 leaves host a by its project's own action, instance 2 is moved. */
const aFullZone = (number: number, mitigation: { readonly own: boolean; readonly group: boolean }): Zone =>
  aZone(number, {
    hosts: { a: one, b: one },
    groups: { 1: { anti_affinity_group: false, recovery_time: 0, resource_mitigation: mitigation.group } },
    instances: [
      [1, 'a', { group: 1, migration_type: 'OWN_ACTION', resource_mitigation: mitigation.own }],
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
      ...[1, 2].map((n) => [n, 'a', { group: 1, migration_type: 'OWN_ACTION', resource_mitigation: false }] as const),
      [3, 'b', { slots: 2, project: 2 }],
    ],
  });

const workflows = [...workflowPlugins.keys()].map((workflow, index) => ({
  workflow,
  deletesFirst: aFullZone(4 * index, { own: false, group: true }),
  replacesFirst: aFullZone(4 * index + 1, { own: true, group: false }),
  leavesItToUs: aFullZone(4 * index + 2, { own: false, group: false }),
  heldTogether: aZoneOfHeldTogether(4 * index + 3),
}));

const { story, judgeTrace } = tellSideBySide({
  zones: workflows.flatMap(({ deletesFirst, replacesFirst, leavesItToUs, heldTogether }) => [
    deletesFirst,
    replacesFirst,
    leavesItToUs,
    heldTogether,
  ]),
});

const isAboutInstances = (state: string): boolean => ['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'].includes(state);

const actsItself =
  (...instanceIds: readonly string[]): Policy =>
  ({ state }) => ({
    answer: 'ACK',
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

describe.each(workflows)('in the workflow $workflow', (zones) => {
  const { workflow, deletesFirst, replacesFirst, leavesItToUs, heldTogether } = zones;

  story(
    `${workflow}: goes on without capacity where the project deletes first, whatever its group says`,
    async (stage) => {
      stage.manage(deletesFirst.project(1), actsItself(deletesFirst.instance(1)));
      stage.manage(deletesFirst.project(2), acknowledge);
      const sessionId = await stage.admin.create({ workflow, hosts: deletesFirst.hostNames });
      await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
      expect(await statesOf(stage, sessionId)).not.toContain('SCALE_IN');
      expect(await claimsOf(stage, deletesFirst.instance(1))).toEqual([
        { action: 'OWN_ACTION', target: '', outcome: 'gone' },
      ]);
      expect(await claimsOf(stage, deletesFirst.instance(2))).toMatchObject([{ target: deletesFirst.host('a') }]);
    },
  );

  story(`${workflow}: asks for capacity where the replacement comes first, whatever its group says`, async (stage) => {
    stage.manage(replacesFirst.project(1), actsItself(replacesFirst.instance(1)));
    stage.manage(replacesFirst.project(2), freesCapacity(stage, replacesFirst));
    const sessionId = await stage.admin.create({ workflow, hosts: replacesFirst.hostNames });
    await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await statesOf(stage, sessionId)).toContain('SCALE_IN');
    expect(await claimsOf(stage, replacesFirst.instance(1))).toEqual([
      { action: 'OWN_ACTION', target: replacesFirst.host('b'), outcome: 'done' },
    ]);
  });

  story(`${workflow}: waits for capacity like any other where it has to move the instance after all`, async (stage) => {
    stage.manage(leavesItToUs.project(1), ({ state }) => (isAboutInstances(state) ? 'silent' : { answer: 'ACK' }));
    stage.manage(leavesItToUs.project(2), freesCapacity(stage, leavesItToUs));
    const sessionId = await stage.admin.create({ workflow, hosts: leavesItToUs.hostNames });
    await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await statesOf(stage, sessionId)).toContain('SCALE_IN');
    expect((await claimsOf(stage, leavesItToUs.instance(1))).at(-1)).toEqual({
      ...{ action: 'LIVE_MIGRATE', target: leavesItToUs.host('b'), outcome: 'done' },
    });
  });

  story(
    `${workflow}: books no capacity for what the cloud moves nowhere where its project deletes first`,
    async (stage) => {
      const members = [1, 2].map(heldTogether.instance);
      stage.manage(heldTogether.project(1), actsItself(...members));
      stage.manage(heldTogether.project(2), acknowledge);
      const sessionId = await stage.admin.create({ workflow, hosts: [heldTogether.host('a')] });
      await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
      expect(await statesOf(stage, sessionId)).not.toContain('SCALE_IN');
      for (const member of members) {
        expect(await claimsOf(stage, member)).toEqual([{ action: 'OWN_ACTION', target: '', outcome: 'gone' }]);
      }
    },
  );
});

judgeTrace();
