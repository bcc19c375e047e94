/** Actions on instances: what becomes of failed and slow ones, and the limits of groups while they run. */
import type { Database } from '../../../prisma/database';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { plannedEvents } from '../rig/event-log';
import { endMove, held, untilMoving } from '../rig/held-moves';
import { acknowledge, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

/**
 * One session for what comes to a good end on one host. Of project 1 a live migration fails; of 2 one takes too long;
 * 3 is to act itself, once it does and once it does not; of 4 nothing is asked.
 */
const whole = aZone(0, {
  hosts: { a: { slots: 7 }, b: { slots: 7 } },
  groups: {
    2: { project: 2, recovery_time: 0, anti_affinity_group: false },
    4: { project: 4, recovery_time: 1, max_impacted_members: 1, anti_affinity_group: false },
  },
  instances: [
    [1, 'a', { fail_moves: 1 }],
    // On a busy machine it is noticed late that the limit has passed: the migration must not have come through by then.
    [2, 'a', { project: 2, group: 2, max_interruption_time: 1, ...held }],
    [3, 'a', { project: 3 }],
    [4, 'a', { project: 3, acts_itself: false }],
    [5, 'a', { project: 4, group: 4, lead_time: 0, migration_type: 'MIGRATE' }],
    [6, 'a', { project: 4, group: 4, lead_time: 0 }],
  ],
});
const forcedFails = aZone(2, {
  hosts: { a: {}, b: {}, brain: { type: 'controller', is_compute: false } },
  instances: [
    [1, 'a', { ...held, fail_moves: 2 }],
    [2, 'a', { ...held, project: 2 }],
  ],
});
const sharedGroup = aZone(4, {
  hosts: { a: {}, b: {}, c: {}, d: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 2, anti_affinity_group: false } },
  instances: [
    [1, 'a', { group: 1 }],
    [2, 'a', { group: 1 }],
    [3, 'c', { group: 1 }],
  ],
});
const apart = aZone(5, {
  hosts: { a: {}, b: {}, c: {}, d: {} },
  groups: { 1: { anti_affinity_group: true, max_instances_per_host: 1, max_impacted_members: 2, recovery_time: 1 } },
  instances: [
    [1, 'a', { group: 1 }],
    [2, 'b', { group: 1 }],
    [3, 'c', { group: 1 }],
  ],
});
const zones = [whole, forcedFails, sharedGroup, apart];
const { story, judgeTrace } = tellSideBySide({
  zones,
  // Longer than a busy machine takes for what a story does while a move is held.
  environment: { PARLEY_LIVE_MOVE_SECONDS: '600', PARLEY_MOVE_SECONDS: '600' },
});

/** The cloud's own log of an instance's moves, in order. */
const movesOf = async (db: Database, instanceId: string) => {
  const moves = await db.simMove.findMany({ where: { instanceId }, orderBy: { startedAt: 'asc' } });
  return moves.map(({ action, forced, status }) => ({ action, forced, status }));
};

/** The events about the instance for its project, in order. */
const toldOf = (told: Parameters<typeof plannedEvents>[0], instanceId: string) =>
  plannedEvents(told)
    .filter(({ instance_ids }) => instance_ids === instanceId)
    .map(({ state }) => state);

const actsItself: Policy = ({ state }) => ({
  answer: 'ACK',
  ...(state === 'PLANNED_MAINTENANCE' && {
    actions: { [whole.instance(3)]: 'OWN_ACTION', [whole.instance(4)]: 'OWN_ACTION' },
  }),
});

const playWhole = async ({ admin, db, events, manage }: Stage) => {
  for (const project of [1, 2]) manage(whole.project(project), acknowledge);
  manage(whole.project(3), actsItself);
  const unasked = manage(whole.project(4), acknowledge);
  const sessionId = await admin.create({ hosts: whole.hostNames });
  await endMove(db, { instanceId: whole.instance(2), forced: true });
  const { instances } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const shown = (number: number) => instances.find(({ instance_id }) => instance_id === whole.instance(number));
  return { unasked, told, shown };
};
let playing: ReturnType<typeof playWhole> | undefined;
/** The same session for every story that asks for it, once it is done. */
const wholeDone = (stage: Stage) => (playing ??= playWhole(stage));

story('forces a move whose live migration failed, and tells the project', async (stage) => {
  const { told, shown } = await wholeDone(stage);
  expect(toldOf(told, whole.instance(1))).toEqual(['INSTANCE_ACTION_FALLBACK', 'INSTANCE_ACTION_DONE']);
  expect(await movesOf(stage.db, whole.instance(1))).toEqual([
    { action: 'LIVE_MIGRATE', forced: false, status: 'failed' },
    { action: 'MIGRATE', forced: true, status: 'done' },
  ]);
  expect(shown(1)).toMatchObject({ action_done: true, project_state: 'INSTANCE_ACTION_DONE' });
});

story('forces a live migration that takes longer than max_interruption_time', async (stage) => {
  const { told } = await wholeDone(stage);
  expect(toldOf(told, whole.instance(2))).toEqual(['INSTANCE_ACTION_FALLBACK', 'INSTANCE_ACTION_DONE']);
  expect(await movesOf(stage.db, whole.instance(2))).toEqual([
    { action: 'LIVE_MIGRATE', forced: false, status: 'aborted' },
    { action: 'MIGRATE', forced: true, status: 'done' },
  ]);
});

story('fails when the forced move fails as well; what else is in flight ends cleanly first', async (stage) => {
  const { admin, db, events, manage } = stage;
  manage(forcedFails.project(1), acknowledge);
  manage(forcedFails.project(2), acknowledge);
  const sessionId = await admin.create({
    hosts: forcedFails.hostNames,
    actions: [{ plugin: 'dummy', type: 'controller', metadata: { seconds: 12 } }],
  });
  const [fails, goesOn] = [1, 2].map(forcedFails.instance);
  await untilMoving(db, { instanceId: goesOn! });
  await eventually('the plug-in runs on the controller', async () => {
    const runs = await db.actionPluginInstance.count({ where: { sessionId } });
    return runs > 0 || undefined;
  });
  await endMove(db, { instanceId: fails! });
  await endMove(db, { instanceId: fails!, forced: true });
  await eventually('the host is to be given back', async () => {
    const failed = await db.sessionHost.count({ where: { sessionId, failure: { not: null } } });
    return failed > 0 || undefined;
  });
  await endMove(db, { instanceId: goesOn! });
  const { session, hosts, instances } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_FAILED');
  expect(toldOf(told, forcedFails.instance(1))).toEqual(['INSTANCE_ACTION_FALLBACK', 'INSTANCE_ACTION_FAILED']);
  expect(session.prev_state).toBe('PLANNED_MAINTENANCE');
  expect(session.failure).toContain(forcedFails.host('a'));
  expect(session.failure).toContain(forcedFails.instance(1));
  expect(hosts.map(({ hostname, maintained, disabled }) => ({ hostname, maintained, disabled }))).toEqual([
    { hostname: forcedFails.host('a'), maintained: false, disabled: false },
    { hostname: forcedFails.host('b'), maintained: true, disabled: false },
    { hostname: forcedFails.host('brain'), maintained: true, disabled: false },
  ]);
  expect(instances.find(({ instance_id }) => instance_id === forcedFails.instance(1))).toMatchObject({
    action_done: false,
    project_state: 'INSTANCE_ACTION_FAILED',
  });
  expect(await movesOf(db, forcedFails.instance(2))).toEqual([
    { action: 'LIVE_MIGRATE', forced: false, status: 'done' },
  ]);
  expect(await db.simHost.count({ where: { name: { in: [...forcedFails.hostNames] }, disabled: true } })).toBe(0);
});

story('waits for own actions, and live-migrates where the project does not act', async (stage) => {
  const { told, shown } = await wholeDone(stage);
  const [acts, idles] = [whole.instance(3), whole.instance(4)];
  expect(await movesOf(stage.db, acts)).toEqual([{ action: 'OWN_ACTION', forced: false, status: 'done' }]);
  expect(await movesOf(stage.db, idles)).toEqual([
    { action: 'OWN_ACTION', forced: false, status: 'aborted' },
    { action: 'LIVE_MIGRATE', forced: false, status: 'done' },
  ]);
  expect([shown(3), shown(4)]).toMatchObject([{ action: 'OWN_ACTION' }, { action: 'LIVE_MIGRATE' }]);
  expect(toldOf(told, idles)).toEqual(['INSTANCE_ACTION_DONE']);
});

/** Real time from the end of each impact to the beginning of the next, in ms; in the order of the moves. */
const gapsBetweenMoves = async (db: Database, instanceIds: readonly string[]): Promise<number[]> => {
  const moves = await db.simMove.findMany({
    where: { instanceId: { in: [...instanceIds] } },
    orderBy: { startedAt: 'asc' },
  });
  return moves.slice(1).map(({ startedAt }, index) => startedAt.getTime() - moves[index]!.endedAt!.getTime());
};

story('impacts one member at a time over two sessions that share a group', async ({ admin, db, manage }) => {
  manage(sharedGroup.project(1), acknowledge);
  const sessions = await Promise.all(['a', 'c'].map((name) => admin.create({ hosts: [sharedGroup.host(name)] })));
  for (const sessionId of sessions) await admin.until(sessionId, 'MAINTENANCE_DONE');
  const members = [1, 2, 3].map((n) => sharedGroup.instance(n));
  const gaps = await gapsBetweenMoves(db, members);
  expect(gaps.length).toBeGreaterThanOrEqual(2);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(2000); // recovery_time
});

story('keeps members of an anti-affinity group apart', async ({ admin, db, manage }) => {
  manage(apart.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: [apart.host('a'), apart.host('b')] });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const strict = await db.simInstance.findMany({ where: { groupId: apart.group(1) } });
  expect(new Set(strict.map(({ host }) => host)).size).toBe(3);
});

story('asks nothing about instances with lead_time 0, and obeys their group', async (stage) => {
  const { unasked } = await wholeDone(stage);
  const ids = [5, 6].map(whole.instance);
  expect(unasked.told.map(({ state }) => state)).not.toContain('PLANNED_MAINTENANCE');
  expect(await Promise.all(ids.map((id) => movesOf(stage.db, id)))).toEqual([
    [{ action: 'MIGRATE', forced: false, status: 'done' }],
    [{ action: 'LIVE_MIGRATE', forced: false, status: 'done' }],
  ]);
  const [gap] = await gapsBetweenMoves(stage.db, ids);
  expect(gap).toBeGreaterThanOrEqual(1000);
});

judgeTrace();
