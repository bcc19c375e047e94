/** Questions about single instances: answered, refused, left open, and what their actions become. */
import { setTimeout as pause } from 'node:timers/promises';
import { addInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import { type Database, databaseNow } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { request } from '../requests/requests';
import { plannedEvents } from '../rig/event-log';
import { acknowledge, type PlannedEvent, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const vnf = (zone: Zone) => ({
  workflow: 'vnf',
  hosts: [zone.host('a')],
  actions: [{ plugin: 'dummy', type: 'host' }],
});

const isOwn = ({ state }: Pick<PlannedEvent, 'state'>): boolean =>
  state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

const groups = { 1: { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false } };
const hosts = { a: {}, b: {} };
/** Long enough for a busy machine to show it: a test ends the pause (endPause). */
const nackRetrySeconds = 600;
/** Long enough for an answer from a busy machine; nobody waits for its end. */
const patient = { group: 1, lead_time: 300 };

/** Each instance with a group of its own, so that none waits for another: whose question is which, by number. */
const [silent, busy, overriding, acting, idle] = [1, 2, 3, 4, 5] as const;
/** The two that nobody is asked about; of one group. */
const unasked = [6, 7] as const;
const numbers = [silent, busy, overriding, acting, idle, ...unasked];
/** One session for all whose questions come to a good end. */
const whole = aZone(0, {
  hosts: { a: { slots: numbers.length }, b: { slots: numbers.length } },
  groups: Object.fromEntries(
    [silent, busy, overriding, acting, idle, unasked[0]].map((number) => [number, { ...groups[1], project: number }]),
  ),
  instances: [
    [silent, 'a', { group: silent, project: silent, lead_time: 2, migration_type: 'OWN_ACTION' }],
    [busy, 'a', { ...patient, group: busy, project: busy }],
    [overriding, 'a', { ...patient, group: overriding, project: overriding }],
    [acting, 'a', { ...patient, group: acting, project: acting, resource_mitigation: true, acts_itself: false }],
    [idle, 'a', { ...patient, group: idle, project: idle, lead_time: 20, acts_itself: false }],
    ...unasked.map((number) => [number, 'a', { group: unasked[0], project: unasked[0], lead_time: 0 }] as const),
  ],
});
const refusing = aZone(2, {
  hosts: { a: {}, b: {} },
  groups: { ...groups, 2: { ...groups[1], project: 2 } },
  instances: [
    [1, 'a', patient],
    [2, 'a', { ...patient, group: 2, project: 2 }],
  ],
});
const late = aZone(3, {
  hosts,
  groups,
  instances: [
    [1, 'a', { group: 1, lead_time: 2 }],
    [2, 'a', { ...patient, move_s: 400 }],
  ],
});

const wavering = aZone(4, { hosts, groups, instances: [[1, 'a', patient]] });

const { story, judgeTrace } = tellSideBySide({
  zones: [whole, refusing, late, wavering],
  environment: { PARLEY_NACK_RETRY_SECONDS: String(nackRetrySeconds) },
});

const movesOf = (db: Database, zone: Zone, instance = 1) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { startedAt: 'asc' } });

const questionsOf = (db: Database, zone: Zone, instance = 1) =>
  db.question.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { createdAt: 'asc' } });

/** Ends the pause that follows the refusal, in the record that the service decides by. */
const endPause = async ({ db, rig }: Stage, zone: Zone, instance = 1): Promise<void> => {
  const { id, sessionId, hostname } = await eventually(`a refusal of instance ${instance} is recorded`, async () =>
    (await questionsOf(db, zone, instance)).find(({ answer }) => answer === 'NACK'),
  );
  const now = await databaseNow(db);
  await db.question.update({
    where: { id },
    data: { answeredAt: new Date(now.getTime() - nackRetrySeconds * 1000) },
  });
  await rig.services.workflowCalls.wakeHost(sessionId, hostname!);
};

/** The session over the whole zone; each of its projects answers by its policy. */
const policies = (): readonly (readonly [number, Policy])[] => {
  let refusals = 0;
  return [
    [silent, (event) => (isOwn(event) ? undefined : { answer: 'ACK' })],
    [busy, (event) => (isOwn(event) && (refusals += 1) === 1 ? { answer: 'NACK' } : { answer: 'ACK' })],
    [overriding, choosing(overriding, 'MIGRATE')],
    [acting, choosing(acting, 'OWN_ACTION')],
    [idle, choosing(idle, 'OWN_ACTION')],
    [unasked[0], acknowledge],
  ];
};

const choosing =
  (instance: number, action: string): Policy =>
  (event) => ({ answer: 'ACK', ...(isOwn(event) && { actions: { [whole.instance(instance)]: action } }) });

/** As the manager that acts late: replaces the instance once its own action is awaited. */
const replaceActing = async ({ db }: Stage): Promise<void> => {
  const { vcpus, memory_mb: memoryMb } = whole.slot;
  const { target } = await eventually('the own action is awaited', async () => {
    const [claim] = await db.claim.findMany({ where: { instanceId: whole.instance(acting) } });
    return claim?.action === 'OWN_ACTION' && claim.startedAt !== null ? claim : undefined;
  });
  // The target has capacity for as long as the claim is in flight, whoever else looks for some.
  await addInstance(db, { host: target, projectId: whole.project(acting), vcpus, memoryMb, moveSeconds: 1 });
  await removeInstance(db, whole.instance(acting));
};

const begin = async (stage: Stage) => {
  const managers = new Map(policies().map(([number, policy]) => [number, stage.manage(whole.project(number), policy)]));
  const sessionId = await stage.admin.create(vnf(whole));
  return { sessionId, managerOf: (number: number) => managers.get(number)! };
};
let begun: ReturnType<typeof begin> | undefined;
/** The same session for every story that asks for it. */
const session = (stage: Stage) => (begun ??= begin(stage));

const sessionDone = async (stage: Stage) => {
  const one = await session(stage);
  return { ...one, detail: await stage.admin.until(one.sessionId, 'MAINTENANCE_DONE') };
};

story('asks at the reply address of the instance, and takes silence for the default behaviour', async (stage) => {
  const { db } = stage;
  const { sessionId, managerOf } = await sessionDone(stage);
  const [asked] = managerOf(silent).told.filter(isOwn);
  expect(asked).toMatchObject({
    instance_ids: [whole.instance(silent)],
    allowed_actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  });
  expect(asked!.reply_url).toMatch(
    new RegExp(`/v1/maintenance/${sessionId}/${whole.project(silent)}/${whole.instance(silent)}$`),
  );
  const [question] = await questionsOf(db, whole, silent);
  const [move] = await movesOf(db, whole, silent);
  expect(question).toMatchObject({ status: 'closed', answer: null, windowSeconds: 2 });
  expect(move).toMatchObject({ action: 'LIVE_MIGRATE', status: 'done' });
  expect(move!.startedAt.getTime()).toBeGreaterThanOrEqual(question!.replyAt!.getTime());
});

story('asks again after a refusal, and goes on with what is answered then', async (stage) => {
  const { admin, db } = stage;
  const { sessionId } = await session(stage);
  await admin.untilReason(sessionId, ({ who, waiting_for, remaining_seconds }) => {
    // Its manager has less time for an answer.
    const isPause = remaining_seconds !== null && remaining_seconds > patient.lead_time;
    return who === whole.instance(busy) && waiting_for === 'answer' && isPause;
  });
  await endPause(stage, whole, busy);
  const { managerOf } = await sessionDone(stage);
  const questions = await questionsOf(db, whole, busy);
  expect(questions.map(({ answer }) => answer)).toEqual(['NACK', 'ACK']);
  const pauseMs = questions[1]!.createdAt.getTime() - questions[0]!.answeredAt!.getTime();
  expect(pauseMs).toBeGreaterThanOrEqual(nackRetrySeconds * 1000);
  expect(new Set(questions.map(({ claimId }) => claimId)).size).toBe(1);
  expect(managerOf(busy).replies.every(({ status }) => status === 200)).toBe(true);
});

story(
  'fails and names project and instance, when it is refused for good; the other project is not held up',
  async (stage) => {
    const { admin, db, manage } = stage;
    // The other project's move has begun when this one refuses: the session does not fail before, however busy the
    // machine.
    const never: Policy = async (event) => {
      if (!isOwn(event)) return { answer: 'ACK' };
      while ((await movesOf(db, refusing, 2)).length === 0) await pause(100);
      return { answer: 'NACK' };
    };
    manage(refusing.project(1), never);
    manage(refusing.project(2), acknowledge);
    const sessionId = await admin.create(vnf(refusing));
    await endPause(stage, refusing);
    const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
    expect(session.failure).toContain(
      `project ${refusing.project(1)} answered NACK_PREPARE_MAINTENANCE 2 times for instance vm-2-1 (${refusing.instance(1)})`,
    );
    expect(await movesOf(db, refusing, 1)).toEqual([]);
    expect(await movesOf(db, refusing, 2)).toHaveLength(1);
    expect(await db.claim.count({ where: { sessionId, phase: { in: ['asked', 'moving'] } } })).toBe(0);
    expect(await db.question.count({ where: { sessionId, status: 'open' } })).toBe(0);
    expect(await db.reservation.count({ where: { sessionId } })).toBe(0);
  },
);

story('asks nothing about an instance with lead_time 0, and keeps to the budget of its group', async (stage) => {
  const { db, events } = stage;
  const { sessionId, managerOf } = await sessionDone(stage);
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  const ids: readonly unknown[] = unasked.map(whole.instance);
  const done = plannedEvents(told, 'INSTANCE_ACTION_DONE').filter(({ instance_ids: id }) => ids.includes(id));
  expect(done).toHaveLength(2);
  expect(managerOf(unasked[0]).told.filter(isOwn)).toEqual([]);
  const claims = await db.claim.findMany({ where: { sessionId, instanceId: { in: unasked.map(whole.instance) } } });
  expect(claims.filter(({ askedAt }) => askedAt !== null)).toEqual([]);
  // One may have been put off before it began, where its place was still taken.
  expect(claims.filter(({ outcome }) => outcome !== 'dropped').map(({ outcome }) => outcome)).toEqual(['done', 'done']);
});

story('takes the action that the manager chose', async (stage) => {
  const { detail } = await sessionDone(stage);
  expect(await movesOf(stage.db, whole, overriding)).toMatchObject([
    { action: 'MIGRATE', forced: false, status: 'done' },
  ]);
  const own = detail.instances.filter(({ instance_id }) => instance_id === whole.instance(overriding));
  expect(own).toMatchObject([{ action: 'MIGRATE', action_done: true, host: whole.host('b') }]);
});

story(
  'holds the capacity of the replacement while a project acts on its own, until the old instance is gone',
  async (stage) => {
    await session(stage);
    await replaceActing(stage);
    const { sessionId } = await sessionDone(stage);
    const where = { sessionId, instanceId: whole.instance(acting) };
    expect(await stage.db.claim.findMany({ where })).toMatchObject([
      { action: 'OWN_ACTION', outcome: 'gone', target: whole.host('b') },
    ]);
  },
);

story('moves the instance itself, unasked, when the project does not carry out its own action', async (stage) => {
  await sessionDone(stage);
  expect(await questionsOf(stage.db, whole, idle)).toHaveLength(1);
  expect((await movesOf(stage.db, whole, idle)).map(({ action }) => action)).toEqual(['OWN_ACTION', 'LIVE_MIGRATE']);
});

story('takes a repeat for a repeat, and refuses what comes late or is not offered', async (stage) => {
  const { admin, db, manage } = stage;
  manage(late.project(1), (event) => (isOwn(event) ? undefined : { answer: 'ACK' }));
  const sessionId = await admin.create(vnf(late));
  const reply = (instance: number, body: object) =>
    admin.call('PUT', `/maintenance/${sessionId}/${late.project(1)}/${late.instance(instance)}`, body);
  const asked = async (instance: number) => {
    for (;;) {
      const [question] = await questionsOf(db, late, instance);
      if (question?.askedAt != null) return;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  };
  const state = 'ACK_PREPARE_MAINTENANCE';
  // One member at a time: the second is asked when the first has moved.
  await asked(1);
  expect((await reply(1, { state, instance_action: 'EVICTION' })).status).toBe(422);
  expect((await reply(2, { state })).status).toBe(422); // not asked yet
  await asked(2);
  expect(await reply(1, { state })).toMatchObject({ status: 422, body: { code: 'TOO_LATE' } });
  expect((await reply(2, { state, instance_action: 'MIGRATE' })).status).toBe(200);
  expect((await reply(2, { state, instance_action: 'MIGRATE' })).status).toBe(200); // a repeat
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const otherAnswer = await reply(2, { state: 'NACK_PREPARE_MAINTENANCE' });
  expect(otherAnswer).toMatchObject({ status: 422, body: { code: 'ALREADY_BEGUN' } });
  expect((await reply(2, { state, instance_action: 'MIGRATE' })).status).toBe(200);
  expect(await movesOf(db, late, 2)).toMatchObject([{ action: 'MIGRATE' }]);
});

story('does not move what was accepted and then refused while the session was paused', async (stage) => {
  const { admin, db, manage } = stage;
  const statuses: number[] = [];
  const manager = manage(wavering.project(1), async (event) => {
    if (!isOwn(event) || statuses.length > 0) return { answer: 'ACK' };
    const url = `/maintenance/${event.session_id}/${wavering.project(1)}/${wavering.instance(1)}`;
    const reply = async (state: string) => (await admin.call('PUT', url, { state })).status;
    await request(admin, event.session_id, 'pause');
    statuses.push(await reply(`ACK_${event.state}`), await reply(`NACK_${event.state}`));
    await request(admin, event.session_id, 'resume');
    return undefined;
  });
  const sessionId = await admin.create(vnf(wavering));
  await endPause(stage, wavering);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(statuses).toEqual([200, 200]);
  const questions = await questionsOf(db, wavering);
  expect(questions.map(({ answer }) => answer)).toEqual(['NACK', 'ACK']);
  const moves = await movesOf(db, wavering);
  expect(moves).toHaveLength(1);
  expect(moves[0]!.startedAt.getTime()).toBeGreaterThanOrEqual(questions[1]!.answeredAt!.getTime());
  expect(manager.replies.every(({ status }) => status === 200)).toBe(true);
});

judgeTrace();
