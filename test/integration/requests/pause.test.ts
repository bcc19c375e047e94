/**
 * Sessions paused in each phase: what is in flight goes on to its end, nothing new begins (by the records and the
 * cloud's own log), and after the resume they end well. Where nothing of the resume is to be seen that another story
 * shows, a session stays paused.
 */
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { endHeldMoves, held, heldMember, timeForHeldMoves } from '../rig/held-moves';
import { heldUntil } from '../rig/held-plugin';
import { acknowledge, type Manager } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { pauseAndSee, request, waitingOf } from './requests';

const two = { slots: 2 };

const told = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const asked = aZone(1, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const moving = aZone(2, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a', held],
    [2, 'b', held],
  ],
});
const maintaining = aZone(3, { hosts: { a: {}, b: {} }, instances: [[1, 'b']] });
const tight = aZone(4, {
  hosts: { a: two, b: two },
  instances: [
    [1, 'a'],
    [2, 'a'],
    [3, 'b', { project: 2 }],
    [4, 'b', { project: 2 }],
  ],
});
const complete = aZone(5, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const refusing = aZone(6, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const one = { group: 1 } as const;
const vnfAsked = aZone(7, {
  hosts: { a: {}, b: {} },
  groups: { 1: { anti_affinity_group: false, max_impacted_members: 1, recovery_time: 1 } },
  instances: [
    [1, 'a', { ...one, lead_time: 3600 }],
    [2, 'b', { ...one, lead_time: 3600 }],
  ],
});
const vnfMoving = aZone(8, {
  hosts: { a: {}, b: {}, empty: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 1 }, 2: { max_impacted_members: 2, recovery_time: 1 } },
  instances: [
    [1, 'a', { ...one, ...heldMember }],
    [2, 'b', { group: 2, ...heldMember }],
    [3, 'b', { ...one, ...heldMember }],
  ],
});

const mayFinish = aGate();
/** Works on its host until the test lets it finish. */
const gated = heldUntil('gated', () => mayFinish.passed);

const { story, judgeTrace } = tellSideBySide({
  zones: [told, asked, moving, maintaining, tight, complete, refusing, vnfAsked, vnfMoving],
  environment: { PARLEY_SIM_SPEED: '100', PARLEY_NACK_RETRIES: '3', ...timeForHeldMoves },
  actionPlugins: [gated],
});

const dummyOnHosts = { plugin: 'dummy', type: 'host' };

const isTold = ({ told: events }: Manager, wanted: string) =>
  eventually(`a project is asked about ${wanted}`, () => Promise.resolve(events.find(({ state }) => state === wanted)));

const startedMoving = ({ db }: Stage, zone: Zone, count = 1) =>
  eventually('instances move', async () => {
    const where = { instanceId: { in: zone.instances.map(({ instance_id }) => instance_id) }, status: 'running' };
    return (await db.simMove.count({ where })) >= count || undefined;
  });

/** Resumed it goes on at once and ends well. */
const resumeAndSee = async ({ admin }: Stage, sessionId: string): Promise<void> => {
  expect(await request(admin, sessionId, 'resume')).toMatchObject({ paused_at: null, taken_up: true });
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done).toMatchObject({ percent_done: 100, session: { paused_at: null } });
};

story('before its start: the time comes, the question ends in silence, and no plug-in begins', async (stage) => {
  const { admin, db, manage } = stage;
  const manager = manage(told.project(1), ({ state }) => (state === 'MAINTENANCE' ? undefined : 'silent'));
  const startMs = Date.now() + 8_000;
  const sessionId = await admin.create({
    hosts: told.hostNames,
    maintenance_at: new Date(startMs).toISOString(),
    actions: [{ plugin: 'dummy', type: 'pre' }, dummyOnHosts],
  });
  await isTold(manager, 'MAINTENANCE');
  const reply = await request(admin, sessionId, 'pause');
  expect(reply).toMatchObject({ state: 'MAINTENANCE', taken_up: true, aborting: false });
  await eventually('its start has passed', () => Promise.resolve(Date.now() > startMs || undefined));
  await pauseAndSee(stage, sessionId, { isSilent: true });
  expect(reply.in_flight.questions).toMatchObject([{ project_id: told.project(1), state: 'MAINTENANCE' }]);
  const question = await db.question.findFirstOrThrow({ where: { sessionId } });
  expect(question.status).toBe('closed'); // its manager had the time it was promised, and no more
});

story('while a project is asked about a host: its answer is taken, and acted on after the resume', async (stage) => {
  const { admin, db, manage } = stage;
  let mayAnswer = false;
  const manager = manage(asked.project(1), async ({ state }) => {
    if (state === 'PREPARE_MAINTENANCE')
      await eventually('it may answer', () => Promise.resolve(mayAnswer || undefined));
    return { answer: 'ACK' };
  });
  const sessionId = await admin.create({ hosts: asked.hostNames, actions: [dummyOnHosts] });
  await isTold(manager, 'PREPARE_MAINTENANCE');
  const { paused_at, in_flight } = await request(admin, sessionId, 'pause');
  expect(in_flight).toMatchObject({ hosts: [{ phase: 'emptying' }], questions: [{ state: 'PREPARE_MAINTENANCE' }] });
  expect([...(await waitingOf(admin, sessionId)).values()].sort()).toEqual(['answer', 'resume', 'resume']);
  mayAnswer = true;
  await pauseAndSee(stage, sessionId);
  const question = await db.question.findFirstOrThrow({ where: { sessionId, state: 'PREPARE_MAINTENANCE' } });
  expect(question.answer).toBe('ACK');
  const waiting = await waitingOf(admin, sessionId);
  expect([...waiting]).toEqual(
    expect.arrayContaining([...asked.hostNames, asked.instance(1), asked.instance(2)].map((who) => [who, 'resume'])),
  );
  expect((await request(admin, sessionId, 'pause')).paused_at).toBe(paused_at); // repeated it stays what it was
  await resumeAndSee(stage, sessionId);
  expect(await db.question.count({ where: { sessionId, state: 'PREPARE_MAINTENANCE' } })).toBe(1);
});

story('while an instance moves: the move ends, its host is not maintained, no other is opened', async (stage) => {
  const { admin, db, manage } = stage;
  manage(moving.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: moving.hostNames, actions: [dummyOnHosts] });
  await startedMoving(stage, moving);
  const reply = await pauseAndSee(stage, sessionId, { letEnd: () => endHeldMoves(db, moving.instances) });
  expect(reply.in_flight.instances).toMatchObject([{ action: 'LIVE_MIGRATE' }]);
  const moves = await db.simMove.findMany({
    where: { instanceId: String(reply.in_flight.instances[0]!['instance_id']) },
  });
  expect(moves.map(({ status }) => status)).toEqual(['done']);
});

story('while a host is in maintenance: it is finished, and no other is begun', async (stage) => {
  const { admin, events, manage } = stage;
  manage(maintaining.project(1), acknowledge);
  const sessionId = await admin.create({ hosts: maintaining.hostNames, actions: [{ plugin: 'gated', type: 'host' }] });
  await events.until(sessionId, 'maintenance.host', 'IN_MAINTENANCE');
  // The session may have decided already to leave START_MAINTENANCE; then it stays in the next state.
  await admin.until(sessionId, 'PLANNED_MAINTENANCE');
  const reply = await pauseAndSee(stage, sessionId, { letEnd: mayFinish.open });
  expect(reply.in_flight).toMatchObject({
    hosts: expect.arrayContaining([{ hostname: maintaining.host('a'), phase: 'maintaining' }]) as unknown,
  });
  const { hosts } = await admin.detail(sessionId);
  expect(hosts.find(({ hostname }) => hostname === maintaining.host('a'))).toMatchObject({
    maintained: true,
    disabled: false,
  });
});

story('in SCALE_IN: the window ends, and the next project is asked after the resume', async (stage) => {
  const { admin, db, manage } = stage;
  const silent = [1, 2].map((n) => manage(tight.project(n), () => undefined));
  const sessionId = await admin.create({ hosts: tight.hostNames, actions: [dummyOnHosts] });
  const asked = () => db.question.count({ where: { sessionId, state: 'SCALE_IN', askedAt: { not: null } } });
  await eventually('a project is asked to scale in', async () => (await asked()) > 0 || undefined);
  const reply = await pauseAndSee(stage, sessionId, { isSilent: true });
  expect(reply.state).toBe('SCALE_IN');
  expect(silent.map(({ replies }) => replies)).toEqual([[], []]);
  expect(await asked()).toBe(1);
  await request(admin, sessionId, 'resume');
  await eventually('the next project is asked', async () => (await asked()) > 1 || undefined);
});

story('in MAINTENANCE_COMPLETE: it is done after the resume only', async (stage) => {
  const { admin, manage } = stage;
  const manager = manage(complete.project(1), ({ state }) =>
    state === 'MAINTENANCE_COMPLETE' ? undefined : { answer: 'ACK' },
  );
  const sessionId = await admin.create({ hosts: complete.hostNames });
  await isTold(manager, 'MAINTENANCE_COMPLETE');
  expect(await pauseAndSee(stage, sessionId, { isSilent: true })).toMatchObject({ state: 'MAINTENANCE_COMPLETE' });
  await resumeAndSee(stage, sessionId);
});

story('after a refusal: the project is asked again after the resume', async (stage) => {
  const { admin, db, manage } = stage;
  let refusals = 0;
  manage(refusing.project(1), ({ state }) => {
    const refuses = state === 'PLANNED_MAINTENANCE' && refusals === 0;
    if (refuses) refusals += 1;
    return { answer: refuses ? 'NACK' : 'ACK' };
  });
  const sessionId = await admin.create({ hosts: refusing.hostNames });
  await eventually(
    'it is refused',
    async () => (await db.question.count({ where: { sessionId, answer: 'NACK' } })) > 0 || undefined,
  );
  await pauseAndSee(stage, sessionId);
  await resumeAndSee(stage, sessionId);
});

story('vnf, while an instance is asked: silence is acted on after the resume', async (stage) => {
  const { admin, db, manage } = stage;
  let isPaused = false;
  const manager = manage(vnfAsked.project(1), ({ state }) => {
    if (state !== 'PREPARE_MAINTENANCE') return { answer: 'ACK' };
    return isPaused ? 'silent' : undefined;
  });
  const sessionId = await admin.create({ workflow: 'vnf', hosts: vnfAsked.hostNames, actions: [dummyOnHosts] });
  const { instance_ids } = await isTold(manager, 'PREPARE_MAINTENANCE');
  const reply = await pauseAndSee(stage, sessionId, { isSilent: true });
  expect(reply.in_flight.questions).toMatchObject([{ instance_id: instance_ids[0] }]);
  expect(await db.question.count({ where: { sessionId, instanceId: { not: null }, status: 'closed' } })).toBe(1);
  expect((await waitingOf(admin, sessionId)).get(String(instance_ids[0]))).toBe('resume');
  isPaused = true;
  await request(admin, sessionId, 'resume');
  await eventually('it is moved', () =>
    db.simMove.findFirst({ where: { instanceId: instance_ids[0]! } }).then((move) => move ?? undefined),
  );
});

story('vnf, while instances of several hosts move: all of them end, nobody else is asked', async (stage) => {
  const { admin, db, manage } = stage;
  manage(vnfMoving.project(1), acknowledge);
  const sessionId = await admin.create({ workflow: 'vnf', hosts: vnfMoving.hostNames, actions: [dummyOnHosts] });
  // Before that a state may be over, and the next one decided on, in the moment of the pause.
  await admin.until(sessionId, 'PLANNED_MAINTENANCE');
  await startedMoving(stage, vnfMoving);
  const reply = await pauseAndSee(stage, sessionId, { letEnd: () => endHeldMoves(db, vnfMoving.instances) });
  expect(reply.in_flight.instances.length).toBeGreaterThan(0);
});

judgeTrace();
