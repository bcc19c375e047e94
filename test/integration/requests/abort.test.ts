/**
 * Sessions aborted in each phase: afterwards no move is in flight and no host disabled that was not so before, the
 * session has failed, and a PUT goes on with it to its end: with one session of each kind, as all of them go on alike.
 */
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { aTightZone, aZone, type Zone } from '../../builders/a-zone';
import { eventually, longestMs } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed } from '../continue/continued-session';
import { endHeldMoves, held, heldMember, timeForHeldMoves } from '../rig/held-moves';
import { acknowledge, type Manager, staySilent } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { request } from './requests';

const isDisabled = { enabled: false };

const asked = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const moving = aZone(1, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a', held],
    [2, 'b', held],
  ],
});
const maintaining = aZone(2, { hosts: { a: {}, b: isDisabled } });
const tight = aTightZone(3);
const beginning = aZone(4, { hosts: { a: {}, b: {} } });
const vnfMixed = aZone(5, {
  hosts: { a: {}, b: {}, empty: {}, spare: { slots: 2 } },
  groups: { 1: { max_impacted_members: 1, recovery_time: 1 }, 2: { max_impacted_members: 2, recovery_time: 1 } },
  instances: [
    [1, 'a', { group: 1, lead_time: 3600 }],
    [2, 'b', { group: 2, ...heldMember }],
  ],
});
const failing = aZone(6, { hosts: { a: {}, b: {} } });
const paused = aZone(7, { hosts: { a: {}, b: {} }, instances: [[1, 'a', held]] });
const removed = aZone(8, { hosts: { a: {}, b: {} }, instances: [[1, 'a', held]] });
const waiting = aZone(9, { hosts: { a: {} } });

const goingOn = new Set<string>();

/** Takes hours until it is stopped, and no time once its session goes on again. */
const slowOnce: ActionPlugin = {
  name: 'slow-once',
  async run({ signal, session }) {
    if (!goingOn.has(session.id)) {
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('stopped'))));
    }
    return { state: 'done' };
  },
};

const { story, judgeTrace } = tellSideBySide({
  zones: [asked, moving, maintaining, tight, beginning, vnfMixed, failing, paused, removed, waiting],
  environment: { PARLEY_SIM_SPEED: '100', ...timeForHeldMoves },
  actionPlugins: [slowOnce],
});

const dummyOnHosts = { plugin: 'dummy', type: 'host' };
const slowOnHosts = { plugin: 'slow-once', type: 'host' };

const isTold = ({ told }: Manager, wanted: string) =>
  eventually(`a project is asked about ${wanted}`, () => Promise.resolve(told.find(({ state }) => state === wanted)));

const startedMoving = ({ db }: Stage, zone: Zone) =>
  eventually('an instance moves', async () => {
    const where = { instanceId: { in: zone.instances.map(({ instance_id }) => instance_id) }, status: 'running' };
    return (await db.simMove.count({ where })) || undefined;
  });

const pluginRuns = ({ db }: Stage, sessionId: string, count = 1) =>
  eventually('plug-ins run', async () => {
    const where = { sessionId, plugin: 'slow-once', status: 'running' };
    return (await db.actionPluginInstance.count({ where })) >= count || undefined;
  });

/** The cloud's view of the zone: as before the session, and nothing moves. */
const expectCloudLeftAlone = async ({ db }: Stage, zone: Zone): Promise<void> => {
  const disabled = await db.simHost.findMany({ where: { name: { in: [...zone.hostNames] }, disabled: true } });
  const beforehand = zone.hosts.filter(({ enabled }) => enabled === false).map(({ name }) => name);
  expect(disabled.map(({ name }) => name)).toEqual(beforehand);
  const instanceIds = zone.instances.map(({ instance_id }) => instance_id);
  expect(await db.simMove.count({ where: { instanceId: { in: instanceIds }, status: 'running' } })).toBe(0);
};

/** Aborts it, twice, and sees that it fails, with nothing left behind, soon after the last move has ended. */
const abortAndSee = async (stage: Stage, sessionId: string, zone: Zone) => {
  const { admin, db } = stage;
  const reply = await request(admin, sessionId, 'abort');
  expect(reply.taken_up).toBe(true);
  await request(admin, sessionId, 'abort');
  await endHeldMoves(db, zone.instances);
  const failed = await untilFailed(admin, sessionId);
  const failedMs = Date.now();
  const { session } = failed;
  expect(session).toMatchObject({ prev_state: reply.state, aborting: false, paused_at: null, waiting: [] });
  expect(session.failure).toContain('aborted by the admin');
  await expectCloudLeftAlone(stage, zone);
  const claims = await db.claim.findMany({ where: { sessionId } });
  const moves = await db.simMove.findMany({ where: { claimId: { in: claims.map(({ id }) => id) } } });
  const ends = moves.map(({ endedAt }) => endedAt?.getTime() ?? Infinity);
  expect(claims.filter(({ phase }) => phase === 'asked' || phase === 'moving')).toEqual([]);
  expect(await request(admin, sessionId, 'abort')).toMatchObject({ state: 'MAINTENANCE_FAILED', aborting: false });
  return { reply, failed, moves, lastMoveEndedMs: Math.max(...ends), failedMs };
};

/** PUT goes on from the state before, and the session ends well. */
const goOnAndSee = async ({ admin }: Stage, sessionId: string): Promise<void> => {
  goingOn.add(sessionId);
  await continueFailed(admin, sessionId);
  expect(await untilDone(admin, sessionId)).toMatchObject({ percent_done: 100, session: { failure: null } });
};

story('while a project is asked about a host', async (stage) => {
  const { admin, db, manage } = stage;
  let answers = false;
  const manager = manage(asked.project(1), ({ state }) =>
    state === 'PLANNED_MAINTENANCE' && !answers ? undefined : { answer: 'ACK' },
  );
  const sessionId = await admin.create({ hosts: asked.hostNames, actions: [dummyOnHosts] });
  await isTold(manager, 'PLANNED_MAINTENANCE');
  const { reply } = await abortAndSee(stage, sessionId, asked);
  expect(reply.in_flight.questions).toMatchObject([{ state: 'PLANNED_MAINTENANCE' }]);
  expect(await db.question.count({ where: { sessionId, status: 'open' } })).toBe(0);
  expect(await db.simMove.count({ where: { instanceId: asked.instance(1) } })).toBe(0);
  answers = true;
  await goOnAndSee(stage, sessionId);
});

story('while an instance moves, in PREPARE: the move comes to its end', async (stage) => {
  const { admin, manage } = stage;
  manage(moving.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: moving.hostNames, actions: [dummyOnHosts] });
  await startedMoving(stage, moving);
  const { moves, lastMoveEndedMs, failedMs } = await abortAndSee(stage, sessionId, moving);
  expect(moves.map(({ status }) => status)).toEqual(['done']);
  expect(failedMs - lastMoveEndedMs).toBeLessThan(longestMs);
});

story('while a plug-in runs on a host; one that was disabled beforehand stays so', async (stage) => {
  const { admin } = stage;
  const sessionId = await admin.create({ hosts: maintaining.hostNames, actions: [slowOnHosts] });
  await pluginRuns(stage, sessionId, 2);
  const { reply } = await abortAndSee(stage, sessionId, maintaining);
  expect(reply.in_flight.hosts.map(({ hostname }) => hostname)).toEqual(maintaining.hostNames);
  await goOnAndSee(stage, sessionId);
  await expectCloudLeftAlone(stage, maintaining);
});

story('in SCALE_IN', async (stage) => {
  const { admin, manage } = stage;
  const manager = manage(tight.project(1), ({ state }) => (state === 'SCALE_IN' ? undefined : { answer: 'ACK' }));
  const sessionId = await admin.create({ hosts: tight.hostNames, actions: [dummyOnHosts] });
  await isTold(manager, 'SCALE_IN');
  await abortAndSee(stage, sessionId, tight);
});

story('before the first state, while a plug-in of type pre runs', async (stage) => {
  const { admin } = stage;
  const actions = [{ plugin: 'slow-once', type: 'pre' }, dummyOnHosts];
  const sessionId = await admin.create({ hosts: beginning.hostNames, state: 'START_MAINTENANCE', actions });
  await pluginRuns(stage, sessionId);
  const { reply } = await abortAndSee(stage, sessionId, beginning);
  expect(reply.in_flight.plugins).toEqual([{ hostname: '', plugin: 'slow-once', type: 'pre' }]);
  await goOnAndSee(stage, sessionId);
});

story('vnf, while instances of several hosts are asked and move and another host is maintained', async (stage) => {
  const { admin, manage } = stage;
  let answers = false;
  const asked = vnfMixed.instance(1);
  const manager = manage(vnfMixed.project(1), ({ instance_ids: ids }) =>
    ids.includes(asked) && typeof ids !== 'string' && !answers ? undefined : { answer: 'ACK' },
  );
  const hosts = ['a', 'b', 'empty'].map((name) => vnfMixed.host(name));
  const sessionId = await admin.create({ workflow: 'vnf', hosts, actions: [slowOnHosts] });
  await pluginRuns(stage, sessionId);
  await startedMoving(stage, vnfMixed);
  await eventually('the other is asked', () =>
    Promise.resolve(manager.told.find(({ instance_ids: ids }) => typeof ids !== 'string' && ids.includes(asked))),
  );
  const { moves, lastMoveEndedMs, failedMs } = await abortAndSee(stage, sessionId, vnfMixed);
  expect(new Set(moves.map(({ status }) => status))).toEqual(new Set(['done']));
  expect(failedMs - lastMoveEndedMs).toBeLessThan(longestMs);
  answers = true;
  await goOnAndSee(stage, sessionId);
});

story('while it fails and another host is in maintenance: that one is given back at once', async (stage) => {
  const { admin } = stage;
  const sessionId = await admin.create({ hosts: failing.hostNames, actions: [slowOnHosts] });
  await pluginRuns(stage, sessionId, 2);
  await stage.db.sessionHost.update({
    where: { sessionId_hostname: { sessionId, hostname: failing.host('a') } },
    data: { phase: 'failed', failure: 'host a: broken' },
  });
  await eventually('it is failing', async () => {
    await stage.rig.services.workflowCalls.wakeSession(sessionId);
    return (await stage.db.session.findUniqueOrThrow({ where: { id: sessionId } })).stopping ?? undefined;
  });
  const { taken_up } = await request(admin, sessionId, 'abort');
  expect(taken_up).toBe(true);
  expect((await admin.call('POST', `/maintenance/${sessionId}/pause`)).status).toBe(422);
  const { session } = await untilFailed(admin, sessionId);
  expect(session.failure).toContain('host a: broken'); // what it failed of in the first place
  expect((await admin.call('POST', `/maintenance/${sessionId}/archive`)).body).toMatchObject({ archived: false });
  await eventually('it is archived', async () => {
    const { body } = await admin.call('GET', '/maintenance?archived=true');
    return (body as { session_id: string[] }).session_id.includes(sessionId) || undefined;
  });
  expect((await admin.detail(sessionId)).session.failure).toContain('host a: broken');
  await expectCloudLeftAlone(stage, failing);
});

story('while it is paused', async (stage) => {
  const { admin, manage } = stage;
  manage(paused.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: paused.hostNames, actions: [dummyOnHosts] });
  await startedMoving(stage, paused);
  await request(admin, sessionId, 'pause');
  await abortAndSee(stage, sessionId, paused);
});

story('and deleted while it ends: it goes away', async (stage) => {
  const { admin, db, manage } = stage;
  manage(removed.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: removed.hostNames });
  await startedMoving(stage, removed);
  expect(await request(admin, sessionId, 'abort')).toMatchObject({ aborting: true });
  const path = `/maintenance/${sessionId}`;
  expect((await admin.call('DELETE', path)).status).toBe(200);
  await endHeldMoves(db, removed.instances);
  await eventually('it is gone', async () => (await admin.call('GET', path)).status === 404 || undefined);
  await expectCloudLeftAlone(stage, removed);
});

story('while it waits for its start', async (stage) => {
  const { admin, manage } = stage;
  manage(waiting.project(1), staySilent);
  const sessionId = await admin.create({ hosts: waiting.hostNames, maintenance_at: '2099-01-01 00:00:00' });
  await eventually('it waits', async () => ((await admin.detail(sessionId)).session['updated_at'] ? true : undefined));
  await abortAndSee(stage, sessionId, waiting);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
});

judgeTrace();
