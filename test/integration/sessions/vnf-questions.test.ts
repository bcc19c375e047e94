/** Questions about single instances: answered, refused, left open, and what their actions become. */
import { setTimeout as pause } from 'node:timers/promises';
import { addInstance, removeInstance } from '../../../clouds/simulated/edit-fleet';
import type { Database } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { request } from '../control/requests';
import { plannedEvents } from '../rig/event-log';
import { acknowledge, type PlannedEvent, type Policy } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const vnf = (zone: Zone) => ({
  workflow: 'vnf',
  hosts: [zone.host('a')],
  actions: [{ plugin: 'dummy', type: 'host' }],
});

const isOwn = ({ state }: Pick<PlannedEvent, 'state'>): boolean =>
  state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

const groups = { 1: { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false } };
const hosts = { a: {}, b: {} };
/** Long enough for a busy machine to show it. */
const nackRetrySeconds = 4;
/** Long enough for an answer from a busy machine; nobody waits for its end. */
const patient = { group: 1, lead_time: 60 };

const silent = aZone(0, {
  hosts,
  groups,
  instances: [[1, 'a', { group: 1, lead_time: 2, migration_type: 'OWN_ACTION' }]],
});
const busy = aZone(1, { hosts, groups, instances: [[1, 'a', patient]] });
const refusing = aZone(2, {
  hosts: { a: {}, b: {} },
  groups: { ...groups, 2: { ...groups[1], project: 2 } },
  instances: [
    [1, 'a', patient],
    [2, 'a', { ...patient, group: 2, project: 2 }],
  ],
});
const unasked = aZone(3, {
  hosts,
  groups,
  instances: [
    [1, 'a', { group: 1, lead_time: 0 }],
    [2, 'a', { group: 1, lead_time: 0 }],
    [3, 'a', { group: 1, lead_time: 0 }],
  ],
});
const overriding = aZone(4, { hosts, groups, instances: [[1, 'a', patient]] });
const acting = aZone(5, {
  hosts,
  groups,
  instances: [[1, 'a', { ...patient, resource_mitigation: true, acts_itself: false }]],
});
const idle = aZone(6, { hosts, groups, instances: [[1, 'a', { ...patient, lead_time: 20, acts_itself: false }]] });
const late = aZone(7, {
  hosts,
  groups,
  instances: [
    [1, 'a', { group: 1, lead_time: 2 }],
    [2, 'a', { ...patient, move_s: 400 }],
  ],
});

const wavering = aZone(8, { hosts, groups, instances: [[1, 'a', patient]] });

const { story, judgeTrace } = tellSideBySide({
  zones: [silent, busy, refusing, unasked, overriding, acting, idle, late, wavering],
  environment: { PARLEY_NACK_RETRY_SECONDS: String(nackRetrySeconds) },
});

const movesOf = (db: Database, zone: Zone, instance = 1) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { startedAt: 'asc' } });

const questionsOf = (db: Database, zone: Zone, instance = 1) =>
  db.question.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { createdAt: 'asc' } });

story('asks at the reply address of the instance, and takes silence for the default behaviour', async (stage) => {
  const { admin, db, manage } = stage;
  const manager = manage(silent.project(1), (event) => (isOwn(event) ? undefined : { answer: 'ACK' }));
  const sessionId = await admin.create(vnf(silent));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [asked] = manager.told.filter(isOwn);
  expect(asked).toMatchObject({
    instance_ids: [silent.instance(1)],
    allowed_actions: ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION'],
  });
  expect(asked!.reply_url).toMatch(
    new RegExp(`/v1/maintenance/${sessionId}/${silent.project(1)}/${silent.instance(1)}$`),
  );
  const [question] = await questionsOf(db, silent);
  const [move] = await movesOf(db, silent);
  expect(question).toMatchObject({ status: 'closed', answer: null, windowSeconds: 2 });
  expect(move).toMatchObject({ action: 'LIVE_MIGRATE', status: 'done' });
  expect(move!.startedAt.getTime()).toBeGreaterThanOrEqual(question!.replyAt!.getTime());
});

story('asks again after a refusal, and goes on with what is answered then', async ({ admin, db, manage }) => {
  let refusals = 0;
  const manager = manage(busy.project(1), (event) =>
    isOwn(event) && (refusals += 1) === 1 ? { answer: 'NACK' } : { answer: 'ACK' },
  );
  const sessionId = await admin.create(vnf(busy));
  await admin.untilReason(sessionId, ({ who, waiting_for, remaining_seconds }) => {
    // Its manager has 60 s for an answer.
    const isPause = remaining_seconds !== null && remaining_seconds <= nackRetrySeconds;
    return who === busy.instance(1) && waiting_for === 'answer' && isPause;
  });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const questions = await questionsOf(db, busy);
  expect(questions.map(({ answer }) => answer)).toEqual(['NACK', 'ACK']);
  const pauseMs = questions[1]!.createdAt.getTime() - questions[0]!.answeredAt!.getTime();
  expect(pauseMs).toBeGreaterThanOrEqual(nackRetrySeconds * 1000);
  expect(new Set(questions.map(({ claimId }) => claimId)).size).toBe(1);
  expect(manager.replies.every(({ status }) => status === 200)).toBe(true);
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
  const { admin, db, events, manage } = stage;
  manage(unasked.project(1), acknowledge);
  const sessionId = await admin.create(vnf(unasked));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const told = await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE');
  expect(plannedEvents(told).filter((event) => isOwn(event as unknown as PlannedEvent))).toEqual([]);
  expect(plannedEvents(told, 'INSTANCE_ACTION_DONE')).toHaveLength(3);
  expect(await db.claim.count({ where: { sessionId, askedAt: { not: null } } })).toBe(0);
});

story('takes the action that the manager chose', async ({ admin, db, manage }) => {
  manage(overriding.project(1), (event) => ({
    answer: 'ACK',
    ...(isOwn(event) && { actions: { [overriding.instance(1)]: 'MIGRATE' } }),
  }));
  const sessionId = await admin.create(vnf(overriding));
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await movesOf(db, overriding)).toMatchObject([{ action: 'MIGRATE', forced: false, status: 'done' }]);
  expect(detail.instances).toMatchObject([{ action: 'MIGRATE', action_done: true, host: overriding.host('b') }]);
});

story(
  'holds the capacity of the replacement while a project acts on its own, until the old instance is gone',
  async (stage) => {
    const { admin, db, manage } = stage;
    const { vcpus, memory_mb: memoryMb } = acting.slot;
    manage(acting.project(1), (event) => {
      if (!isOwn(event)) return { answer: 'ACK' };
      setTimeout(() => void replace().catch(() => undefined), 500);
      return { answer: 'ACK', actions: { [acting.instance(1)]: 'OWN_ACTION' } };
    });
    const replace = async () => {
      const [claim] = await db.claim.findMany({ where: { instanceId: acting.instance(1) } });
      // The target has capacity for as long as the claim is in flight, whoever else looks for some.
      await addInstance(db, { host: claim!.target, projectId: acting.project(1), vcpus, memoryMb, moveSeconds: 1 });
      await removeInstance(db, acting.instance(1));
    };
    const sessionId = await admin.create(vnf(acting));
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await db.claim.findMany({ where: { sessionId } })).toMatchObject([
      { action: 'OWN_ACTION', outcome: 'gone', target: acting.host('b') },
    ]);
  },
);

story('moves the instance itself, unasked, when the project does not carry out its own action', async (stage) => {
  const { admin, db, manage } = stage;
  manage(idle.project(1), (event) => ({
    answer: 'ACK',
    ...(isOwn(event) && { actions: { [idle.instance(1)]: 'OWN_ACTION' } }),
  }));
  const sessionId = await admin.create(vnf(idle));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await questionsOf(db, idle)).toHaveLength(1);
  expect((await movesOf(db, idle)).map(({ action }) => action)).toEqual(['OWN_ACTION', 'LIVE_MIGRATE']);
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
