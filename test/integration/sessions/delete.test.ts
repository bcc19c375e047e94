/** DELETE of sessions in every stage of their work: 200 at once, and soon afterwards nothing of them is left. */
import type { PlanBody } from '../../../api/schemas/plan-schemas';
import { findExpectedTimes } from '../../../prisma/times/find-expected-times';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const simSpeed = 100;

const done = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const waiting = aZone(1, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const moving = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a', { move_s: 4 * simSpeed }]] });
const maintaining = aZone(3, { hosts: { a: {}, b: { enabled: false } } });
const asking = aZone(4, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const failed = aZone(5, { hosts: { a: {} } });

/** Its project chooses an own action, for which it has ten minutes, and never carries it out. */
const aZoneOfOwnAction = (number: number): Zone =>
  aZone(number, { hosts: { a: {}, b: {} }, instances: [[1, 'a', { acts_itself: false }]] });
const acting = { default: aZoneOfOwnAction(6), vnf: aZoneOfOwnAction(7) };
const actingAborted = aZoneOfOwnAction(8);

const { story, judgeTrace } = tellSideBySide({
  zones: [done, waiting, moving, maintaining, asking, failed, ...Object.values(acting), actingAborted],
  environment: {
    PARLEY_SIM_SPEED: String(simSpeed),
    PARLEY_LIVE_MOVE_SECONDS: '20',
  },
});

const waitFor = (what: string, isSo: () => Promise<boolean>): Promise<true> =>
  eventually(what, async () => (await isSo()) || undefined);

/** Deletes it twice, waits until it is gone, and sees that nothing is left of it. */
const deleteAndSee = async ({ admin, db }: Stage, sessionId: string, zone: Zone): Promise<void> => {
  const path = `/maintenance/${sessionId}`;
  expect(await admin.call('DELETE', path)).toEqual({ status: 200, body: undefined });
  await waitFor('the session is gone', async () => {
    const { status } = await admin.call('GET', path);
    if (status === 404) return true;
    expect(await admin.call('DELETE', path)).toMatchObject({ status: 200 });
    return false;
  });
  expect(await admin.call('GET', `${path}/detail`)).toMatchObject({ status: 404 });
  expect((await admin.call('GET', '/maintenance')).body).not.toMatchObject({
    session_id: expect.arrayContaining([sessionId]) as string[],
  });
  const instanceIds = zone.instances.map(({ instance_id }) => instance_id);
  expect(await db.simMove.count({ where: { instanceId: { in: instanceIds }, status: 'running' } })).toBe(0);
  const disabled = await db.simHost.findMany({ where: { name: { in: [...zone.hostNames] }, disabled: true } });
  const beforehand = zone.hosts.filter(({ enabled }) => enabled === false).map(({ name }) => name);
  expect(disabled.map(({ name }) => name)).toEqual(beforehand);
};

/** The hosts are free: nothing would keep another session from maintaining them. */
const expectFree = async ({ admin }: Stage, zone: Zone): Promise<void> => {
  const answer = await admin.call('POST', '/maintenance/plan', {
    ...{ hosts: zone.hostNames, workflow: 'default', state: 'MAINTENANCE', metadata: {}, actions: [] },
    maintenance_at: '2026-01-01 00:00:00',
  });
  expect(answer).toMatchObject({ status: 200 });
  const { completes, blockers } = answer.body as PlanBody;
  expect(blockers.filter(({ severity }) => severity === 'stops')).toEqual([]);
  expect(completes).toBe(true);
};

/** They are: another session maintains them. */
const maintainAgain = async ({ admin }: Stage, zone: Zone): Promise<void> => {
  const sessionId = await admin.create({ hosts: zone.hostNames });
  const { percent_done } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(percent_done).toBe(100);
};

story('of a session that is done, but for how long things took: that is expected of the next one', async (stage) => {
  const { admin, db, manage } = stage;
  manage(done.project(1), acknowledge);
  const actions = [{ plugin: 'dummy', type: 'host' as const, metadata: {} }];
  const sessionId = await admin.create({ hosts: [done.host('a')], actions });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await deleteAndSee(stage, sessionId, done);
  const unseen = 1_000_000;
  const usual = { maintenanceSeconds: unseen, moveSeconds: unseen, answerSeconds: unseen };
  const times = await findExpectedTimes(db, { actions }, usual);
  const host = { name: done.host('a'), type: 'compute', isCompute: true } as const;
  expect(times.maintenanceSeconds(host)).toBeLessThan(unseen);
  const projectId = done.project(1);
  expect(times.moveSeconds({ projectId }, 'LIVE_MIGRATE')).toBeLessThan(unseen);
  expect(times.answerSeconds({ projectId, windowSeconds: unseen })).toBeLessThan(unseen);
});

story('of a session that waits for maintenance_at', async (stage) => {
  const { admin, events, manage } = stage;
  manage(waiting.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: waiting.hostNames, maintenance_at: '2099-01-01 00:00:00' });
  await events.until(sessionId, 'maintenance.planned', 'MAINTENANCE');
  await deleteAndSee(stage, sessionId, waiting);
  const reply = { state: 'ACK_MAINTENANCE' };
  const answer = await admin.call('PUT', `/maintenance/${sessionId}/${waiting.project(1)}`, reply);
  expect(answer.status).toBe(422);
  await expectFree(stage, waiting);
});

story('during a move, which comes to its end', async (stage) => {
  const { admin, db, manage } = stage;
  manage(moving.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: moving.hostNames });
  const instanceId = moving.instance(1);
  await waitFor('the move runs', async () => (await db.simMove.count({ where: { instanceId } })) > 0);
  await deleteAndSee(stage, sessionId, moving);
  const moves = await db.simMove.findMany({ where: { instanceId } });
  expect(moves.map(({ status }) => status)).toEqual(['done']);
  expect(await db.claim.count({ where: { sessionId, phase: { in: ['asked', 'moving'] } } })).toBe(0);
  await maintainAgain(stage, moving);
});

const startOwnAction = async (stage: Stage, zone: Zone, workflow: 'default' | 'vnf'): Promise<string> => {
  const { admin, db, manage } = stage;
  const actions = { [zone.instance(1)]: 'OWN_ACTION' };
  manage(zone.project(1), ({ state }) => ({ answer: 'ACK', ...(state === 'PLANNED_MAINTENANCE' && { actions }) }));
  const sessionId = await admin.create({ workflow, hosts: [zone.host('a')], state: 'PLANNED_MAINTENANCE' });
  await waitFor('the own action is awaited', async () => {
    const instanceId = zone.instance(1);
    return (await db.simMove.count({ where: { instanceId, action: 'OWN_ACTION', status: 'running' } })) > 0;
  });
  return sessionId;
};

const expectGivenUp = async ({ db }: Stage, zone: Zone): Promise<void> => {
  const claims = await db.claim.findMany({ where: { instanceId: zone.instance(1) } });
  expect(claims).toMatchObject([{ outcome: 'dropped', failure: expect.stringContaining('given up') as string }]);
};

for (const workflow of ['default', 'vnf'] as const) {
  story(`during an own action, which is given up (${workflow})`, async (stage) => {
    const zone = acting[workflow];
    await deleteAndSee(stage, await startOwnAction(stage, zone, workflow), zone);
    await expectGivenUp(stage, zone);
    await expectFree(stage, zone);
  });
}

story('after an abort during an own action, which the abort gives up', async (stage) => {
  const sessionId = await startOwnAction(stage, actingAborted, 'vnf');
  expect(await stage.admin.call('POST', `/maintenance/${sessionId}/abort`)).toMatchObject({ status: 200 });
  await stage.admin.until(sessionId, 'MAINTENANCE_FAILED');
  await expectGivenUp(stage, actingAborted);
  await deleteAndSee(stage, sessionId, actingAborted);
});

story('during the maintenance of a host, which is cancelled; what was disabled beforehand stays so', async (stage) => {
  const { admin, events } = stage;
  const sessionId = await admin.create({
    hosts: maintaining.hostNames,
    actions: [{ plugin: 'dummy', type: 'host', metadata: { seconds: 3600 } }],
  });
  await events.until(sessionId, 'maintenance.host', 'IN_MAINTENANCE');
  await deleteAndSee(stage, sessionId, maintaining);
  await expectFree(stage, maintaining);
});

story('while a project is asked about a host', async (stage) => {
  const { admin, db, manage } = stage;
  const manager = manage(asking.project(1), ({ state }) =>
    state === 'PLANNED_MAINTENANCE' ? undefined : { answer: 'ACK' },
  );
  const sessionId = await admin.create({ hosts: asking.hostNames });
  await waitFor('the question', () =>
    Promise.resolve(manager.told.some(({ state }) => state === 'PLANNED_MAINTENANCE')),
  );
  await deleteAndSee(stage, sessionId, asking);
  expect(await db.simMove.count({ where: { instanceId: asking.instance(1) } })).toBe(0);
  await expectFree(stage, asking);
});

story('of a session that failed and left its host disabled', async (stage) => {
  const { admin } = stage;
  const sessionId = await admin.create({
    hosts: failed.hostNames,
    actions: [{ plugin: 'dummy', type: 'host', metadata: { seconds: 0, fail_times: 99 } }],
  });
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(hosts[0]).toMatchObject({ disabled: true });
  await deleteAndSee(stage, sessionId, failed);
  await expectFree(stage, failed);
});

judgeTrace();
