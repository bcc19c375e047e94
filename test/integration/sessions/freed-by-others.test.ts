/** Instances that somebody deletes or moves while their own move waits or is refused: the host goes on without them. */
import { moveInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { acknowledge, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

/** Nobody waits for its end. */
const patient = { lead_time: 600, group: 1 } as const;
const alone = (number: number): Zone =>
  aZone(number, {
    hosts: { a: {}, b: {} },
    groups: { 1: { anti_affinity_group: false, recovery_time: 0 } },
    instances: [[1, 'a', patient]],
  });

const asked = { default: alone(0), vnf: alone(1) };
const askedMoved = { default: alone(2), vnf: alone(3) };
/** Two hosts are drained at once, and the members of the group leave one after the other. */
const inTurn = aZone(4, {
  hosts: { a: {}, b: {}, c: {} },
  groups: { 1: { anti_affinity_group: false, recovery_time: 0, max_impacted_members: 1 } },
  instances: [
    [1, 'a', patient],
    [2, 'b', patient],
  ],
});

/** The only target refuses it, whatever is done. */
const stuck = (number: number): Zone =>
  aZone(number, { hosts: { a: {}, b: {} }, instances: [[1, 'a', { refused_by: [`z${number}-b`] }]] });
const refused = { default: stuck(5), vnf: stuck(6) };

const { story, judgeTrace } = tellSideBySide({
  zones: [...Object.values(asked), ...Object.values(askedMoved), inTurn, ...Object.values(refused)],
});

const isAboutInstances = (state: string): boolean => ['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'].includes(state);
const leavesOpen: Policy = (event, manager) =>
  isAboutInstances(event.state) ? undefined : acknowledge(event, manager);

const begin = ({ admin }: Stage, zone: Zone, workflow: 'default' | 'vnf'): Promise<string> =>
  admin.create({ workflow, hosts: [zone.host('a')], state: 'PLANNED_MAINTENANCE' });

for (const workflow of ['default', 'vnf'] as const) {
  story(`${workflow}: goes on without an instance that is deleted while its question is open`, async (stage) => {
    const zone = asked[workflow];
    stage.manage(zone.project(1), leavesOpen);
    const sessionId = await begin(stage, zone, workflow);
    await stage.admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'answer');
    await removeInstance(stage.db, zone.instance(1));
    await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  });

  story(`${workflow}: goes on without an instance that is moved while its question is open`, async (stage) => {
    const zone = askedMoved[workflow];
    stage.manage(zone.project(1), leavesOpen);
    const sessionId = await begin(stage, zone, workflow);
    await stage.admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'answer');
    await moveInstance(stage.db, zone.instance(1), zone.host('b'));
    await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  });
}

for (const workflow of ['default', 'vnf'] as const) {
  story(`${workflow}: goes on without an instance that is deleted while its move is refused`, async (stage) => {
    const zone = refused[workflow];
    stage.manage(zone.project(1), (event, manager) =>
      event.state === 'SCALE_IN' ? undefined : acknowledge(event, manager),
    );
    const sessionId = await begin(stage, zone, workflow);
    await eventually('its move is refused', async () => {
      const target = zone.host('b');
      return (await stage.db.targetRefusal.findFirst({ where: { target } })) ?? undefined;
    });
    await removeInstance(stage.db, zone.instance(1));
    await stage.admin.until(sessionId, 'MAINTENANCE_DONE');
  });
}

story('vnf: goes on without an instance that is deleted while it waits for its group', async (stage) => {
  const { admin, db } = stage;
  stage.manage(inTurn.project(1), leavesOpen);
  const hosts = [inTurn.host('a'), inTurn.host('b')];
  const sessionId = await admin.create({ workflow: 'vnf', hosts, state: 'PLANNED_MAINTENANCE' });
  const { who } = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'group');
  const { host } = await db.simInstance.findFirstOrThrow({ where: { instanceId: who } });
  await removeInstance(db, who);
  await eventually('its host is maintained', async () => {
    const maintained = { sessionId, hostname: host, phase: 'maintained' };
    return (await db.sessionHost.findFirst({ where: maintained })) ?? undefined;
  });
  const other = [1, 2].map(inTurn.instance).find((id) => id !== who)!;
  expect(await db.claim.findMany({ where: { sessionId } })).toMatchObject([{ instanceId: other, phase: 'asked' }]);
  await removeInstance(db, other);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

judgeTrace();
