/**
 * Sessions with maintenance windows that an admin changes while they run: outside nothing begins, what is under way
 * ends, a drained host goes back to use; also where the worker dies right after the change.
 */
import type { ActionPlugin } from '../../../plugins/actions/action-plugin';
import { aClosedWindow, anOpenWindow } from '../../builders/a-window';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { endHeldMoves, held, timeForHeldMoves } from '../rig/held-moves';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { begunSince, nothing } from './requests';

const simSpeed = 100;
const seconds = (real: number) => real * simSpeed;

const closed = aZone(0, { hosts: { a: {}, spare: {} }, instances: [[1, 'a']] });
const moving = aZone(1, {
  hosts: { a: { maintenance_s: seconds(1) }, b: {} },
  instances: [
    [1, 'a', held],
    [2, 'a', held],
  ],
});
const late = aZone(2, {
  hosts: { a: { maintenance_s: seconds(90_000) }, b: { maintenance_s: 1 } },
  instances: [[1, 'a']],
});

const moved = aZone(3, { hosts: { a: {}, spare: {} }, instances: [[1, 'a']] });

/** Its request does not say how long it takes, so what the cloud says of the host counts. */
const works: ActionPlugin = { name: 'works', run: () => Promise.resolve({ state: 'done' }) };

const { story, judgeTrace } = tellSideBySide({
  actionPlugins: [works],
  zones: [closed, moving, late, moved],
  environment: { PARLEY_SIM_SPEED: String(simSpeed), ...timeForHeldMoves },
});

const change = async ({ admin }: Stage, sessionId: string, body: object): Promise<void> => {
  const answer = await admin.call('PATCH', `/maintenance/${sessionId}`, body);
  expect(answer).toMatchObject({ status: 200, body });
};

story('outside of its windows a session asks nobody, and begins when they are taken away', async (stage) => {
  const { admin, db, manage } = stage;
  manage(closed.project(1), acknowledge);
  const windows = [aClosedWindow()];
  const sessionId = await admin.create({
    hosts: [closed.host('a')],
    windows,
    actions: [{ plugin: 'dummy', type: 'pre' }],
  });
  const reason = await admin.untilReason(sessionId, ({ who }) => who === closed.host('a'));
  expect(reason).toMatchObject({ waiting_for: 'time', because: 'its maintenance window opens then' });
  expect(reason.remaining_seconds).toBeGreaterThan(7 * 3600);
  await stage.rig.services.workflowCalls.wakeSession(sessionId);
  expect(await db.question.count({ where: { sessionId } })).toBe(0);
  await change(stage, sessionId, { windows: null });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

story('a session begins when its start is moved to now, and not before', async (stage) => {
  const { admin, db, manage } = stage;
  manage(moved.project(1), acknowledge);
  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();
  const sessionId = await admin.create({ hosts: [moved.host('a')], maintenance_at: inHours(1) });
  await eventually('its project has answered', async () => {
    const answered = await db.question.count({ where: { sessionId, status: 'answered' } });
    return answered > 0 || undefined;
  });
  await change(stage, sessionId, { maintenance_at: inHours(2) });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'time');
  expect(reason.remaining_seconds).toBeGreaterThan(5400);
  await stage.rig.restartWorker();
  await change(stage, sessionId, { maintenance_at: inHours(0) });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const late = await admin.call('PATCH', `/maintenance/${sessionId}`, { maintenance_at: inHours(1) });
  expect(late.status).toBe(422);
});

story('a window that is closed gives drained hosts back, though the worker dies right after it', async (stage) => {
  const { admin, db, manage, rig } = stage;
  manage(moving.project(1), acknowledge);
  const sessionId = await admin.create({ workflow: 'vnf', hosts: moving.hostNames, windows: [anOpenWindow()] });
  const hostOf = (hostname: string) => db.sessionHost.findFirstOrThrow({ where: { sessionId, hostname } });
  await eventually('an instance moves', async () => {
    const ids = (await db.claim.findMany({ where: { sessionId } })).map(({ id }) => id);
    return (await db.simMove.count({ where: { claimId: { in: ids }, status: 'running' } })) || undefined;
  });
  await change(stage, sessionId, { windows: [aClosedWindow()] });
  const { updatedAt } = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
  await rig.restartWorker();
  await endHeldMoves(db, moving.instances);
  const given = await eventually('its hosts are given back', async () => {
    const hosts = await db.sessionHost.findMany({ where: { sessionId } });
    return hosts.every(({ phase, disabled }) => !disabled && ['waiting', 'maintained'].includes(phase)) || undefined;
  });
  expect(given).toBe(true);
  expect(await hostOf(moving.host('a'))).toMatchObject({ phase: 'waiting', releases: 0 });
  const moves = await db.simMove.findMany({ where: { source: moving.host('a') } });
  expect(moves.map(({ status }) => status)).toEqual(['done']);
  expect(await begunSince(db, sessionId, updatedAt!)).toEqual(nothing);
});

story('a host that fits into no window says so and waits; others go on beside it', async (stage) => {
  const { admin, db, manage } = stage;
  manage(late.project(1), acknowledge);
  const deadline = new Date(Date.now() + 3_600_000).toISOString();
  const windows = [anOpenWindow(8)];
  const actions = [{ plugin: works.name, type: 'host' }];
  const sessionId = await admin.create({ workflow: 'vnf', hosts: late.hostNames, windows, deadline, actions });
  const reason = await admin.untilReason(
    sessionId,
    ({ who, waiting_for }) => who === late.host('a') && waiting_for === 'window',
  );
  expect(reason.because).toMatch(/^it is expected to take 15\d\d minutes, and the longest window has 960$/);
  await eventually('the other host is maintained', async () => {
    const { hosts } = await admin.detail(sessionId);
    return hosts.some(({ hostname, maintained }) => hostname === late.host('b') && maintained === true) || undefined;
  });
  // Said once, in the event and in the detail.
  const told = await db.event.findMany({ where: { sessionId, eventType: 'maintenance.session' } });
  const missed = told.flatMap(({ payload }) => (payload as Record<string, unknown>)['deadline_missed'] ?? []);
  expect(missed).toEqual(['expected']);
  expect((await admin.detail(sessionId)).session).toMatchObject({ deadline, deadline_missed: 'expected' });
  expect((await admin.detail(sessionId)).state).not.toMatch(/SCALE_IN|COMPLETE|DONE/);
  await change(stage, sessionId, {
    windows: [
      { ...anOpenWindow(), from: '00:00', to: '12:00' },
      { ...anOpenWindow(), from: '12:00', to: '00:00' },
    ],
  });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

judgeTrace();
