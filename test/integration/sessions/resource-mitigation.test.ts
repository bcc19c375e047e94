/**
 * resource_mitigation with OWN_ACTION on full clouds: whether an instance may leave its host before there is capacity
 * for a replacement. Who decides it is the same in all workflows, and tried in each of them by
 * test/unit/planning/vnf/without-places.test.ts; here two cases run in each workflow.
 */
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aZone, type Zone } from '../../builders/a-zone';
import { statesIn } from '../rig/event-log';
import { acknowledge, type Policy } from '../rig/manager';
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

const deletesFirst = aFullZone(0, { own: false, group: true });
const replacesFirst = aFullZone(1, { own: true, group: false });
const leavesItToUs = aFullZone(2, { own: false, group: false });
const heldTogether = aZoneOfHeldTogether(3);

const { story, judgeTrace } = tellSideBySide({ zones: [deletesFirst, replacesFirst, leavesItToUs, heldTogether] });

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

judgeTrace();
