/**
 * Changes between a question and its answer: the action in the question must not begin under conditions that no longer
 * hold.
 */
import { addInstance, moveInstance } from '../../../clouds/simulated/edit-fleet';
import type { Database } from '../../../prisma/database';
import { keyOf } from '../../../rules/cloud/id';
import { aZone, type Zone } from '../../builders/a-zone';
import type { PlannedEvent, Policy } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const groups = { 1: { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false } };
/** Long enough for an answer from a busy machine; nobody waits for its end. */
const patient = { group: 1, lead_time: 60 };
const one = { hosts: { a: {}, b: {}, c: {} }, groups, instances: [[1, 'a', patient]] } as const;

const closed = aZone(0, one);
const moved = aZone(1, one);
const filled = aZone(2, one);
const lowered = aZone(3, {
  hosts: { a: {}, b: {}, c: {} },
  groups: { 1: { max_impacted_members: 2, recovery_time: 1, anti_affinity_group: false } },
  instances: [
    [1, 'a', patient],
    [2, 'a', patient],
  ],
});

const { story, judgeTrace } = tellSideBySide({ zones: [closed, moved, filled, lowered] });

const vnf = (zone: Zone) => ({ workflow: 'vnf', hosts: [zone.host('a')] });

const isOwn = ({ state }: Pick<PlannedEvent, 'state'>): boolean =>
  state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

/** Agrees to everything; something happens before the first answer about an instance. */
const agreeAfter = (happen: () => Promise<void>): Policy => {
  let happened: Promise<void> | undefined;
  return async (event) => {
    if (isOwn(event)) await (happened ??= happen());
    return { answer: 'ACK' };
  };
};

const claimsOf = (db: Database, zone: Zone, instance = 1) =>
  db.claim.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { createdAt: 'asc' } });

const movesOf = (db: Database, zone: Zone) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(1) }, orderBy: { startedAt: 'asc' } });

const firstTarget = async (db: Database, zone: Zone): Promise<string> => (await claimsOf(db, zone))[0]!.target;

/** The instance was placed anew, asked once more, and moved there alone. */
const expectAnotherTarget = async (db: Database, zone: Zone): Promise<void> => {
  const [first, second, ...more] = await claimsOf(db, zone);
  expect(more).toEqual([]);
  expect(first).toMatchObject({ outcome: 'dropped', startedAt: null });
  expect(second).toMatchObject({ outcome: 'done' });
  expect(second!.target).not.toBe(first!.target);
  expect(await movesOf(db, zone)).toMatchObject([{ claimId: second!.id, target: second!.target, status: 'done' }]);
};

story('moves the instance elsewhere when its target was disabled meanwhile', async ({ admin, db, manage }) => {
  const disable = async () => {
    await db.simHost.update({ where: { name: await firstTarget(db, closed) }, data: { disabled: true } });
  };
  manage(closed.project(1), agreeAfter(disable));
  const sessionId = await admin.create(vnf(closed));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectAnotherTarget(db, closed);
  const [first] = await claimsOf(db, closed);
  expect(first!.failure).toBe(
    `not begun: waits for another target than host ${first!.target}, which takes no instances now`,
  );
  await db.simHost.update({ where: { name: first!.target }, data: { disabled: false } });
});

story('moves the instance elsewhere when others have filled its target meanwhile', async ({ admin, db, manage }) => {
  const { vcpus, memory_mb: memoryMb } = filled.slot;
  const fill = async () => {
    const room = { vcpus: 4 * vcpus, memoryMb: 4 * memoryMb };
    // The claim holds capacity in the service's books only: the cloud lets anybody in.
    await addInstance(db, {
      ...room,
      host: await firstTarget(db, filled),
      projectId: filled.project(2),
      moveSeconds: 1,
    });
  };
  manage(filled.project(1), agreeAfter(fill));
  const sessionId = await admin.create(vnf(filled));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectAnotherTarget(db, filled);
});

story('lets an instance be that somebody has moved off the host meanwhile', async ({ admin, db, manage, events }) => {
  const otherHost = async (): Promise<string> => {
    const target = await firstTarget(db, moved);
    return [moved.host('b'), moved.host('c')].find((name) => name !== target)!;
  };
  manage(
    moved.project(1),
    agreeAfter(async () => moveInstance(db, moved.instance(1), await otherHost())),
  );
  const sessionId = await admin.create(vnf(moved));
  const { instances } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await movesOf(db, moved)).toEqual([]);
  expect(await claimsOf(db, moved)).toMatchObject([{ outcome: 'done', startedAt: null, target: await hostNow(db) }]);
  expect(instances).toMatchObject([{ action_done: true, host: await hostNow(db) }]);
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(told.filter(({ payload }) => payload['state'] === 'INSTANCE_ACTION_DONE')).toHaveLength(1);
});

const hostNow = async (db: Database): Promise<string> =>
  (await db.simInstance.findUniqueOrThrow({ where: { instanceKey: keyOf(moved.instance(1)) } })).host;

story('begins no more at once than a limit that was lowered while both were asked', async ({ admin, db, manage }) => {
  const lower = async () => {
    // Both are asked in one decision; the answer to either waits for this.
    const { status } = await admin.call('PUT', `/instance_group/${lowered.group(1)}`, {
      project_id: lowered.project(1),
      group_id: lowered.group(1),
      group_name: 'group-3-1',
      anti_affinity_group: false,
      max_instances_per_host: 0,
      max_impacted_members: 1,
      recovery_time: 1,
      resource_mitigation: false,
    });
    expect(status).toBe(200);
  };
  manage(lowered.project(1), agreeAfter(lower));
  const sessionId = await admin.create(vnf(lowered));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const claims = [...(await claimsOf(db, lowered, 1)), ...(await claimsOf(db, lowered, 2))];
  expect(claims.filter(({ outcome }) => outcome === 'done')).toHaveLength(2);
  expect(claims.filter(({ outcome }) => outcome === 'dropped').length).toBeGreaterThanOrEqual(1);
});

judgeTrace();
