/** Answers that a project changes, before and after what they allow has begun, and answers that nobody waits for. */
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { request } from '../requests/requests';
import { heldUntil } from '../rig/held-plugin';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const changesItsMind = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const vanishes = aZone(1, {
  hosts: { a: {}, b: {} },
  groups: { 1: { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false } },
  // Its manager has five minutes.
  instances: [[1, 'a', { group: 1, lead_time: 300 }]],
});
const refusesBeforeStart = aZone(2, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });

/** A plug-in that runs until the gate is open. */
const [pluginRuns, pluginMayEnd] = [aGate(), aGate()];
const gated = heldUntil('gated', () => {
  pluginRuns.open();
  return pluginMayEnd.passed;
});

const zones = [changesItsMind, vanishes, refusesBeforeStart];
const { story, judgeTrace } = tellSideBySide({ zones, actionPlugins: [gated] });

/** The answers to each question about the state, oldest first. */
const answersTo = async ({ db }: Stage, sessionId: string, state: string): Promise<readonly (string | null)[]> =>
  (await db.question.findMany({ where: { sessionId, state }, orderBy: { createdAt: 'asc' } })).map(
    ({ answer }) => answer,
  );

const replying =
  ({ admin }: Stage, projectId: string) =>
  async (sessionId: string, state: string): Promise<number> =>
    (await admin.call('PUT', `/maintenance/${sessionId}/${projectId}`, { state })).status;

story(
  'asks again what a project has refused after it had accepted it, until the session has gone on',
  async (stage) => {
    const { admin, db, manage } = stage;
    const projectId = changesItsMind.project(1);
    const statuses: number[] = [];
    const reply = replying(stage, projectId);
    manage(projectId, async ({ state, session_id: id }) => {
      if (state !== 'PLANNED_MAINTENANCE' || statuses.length > 1) return { answer: 'ACK' };
      await request(admin, id, 'pause');
      statuses.push(await reply(id, `ACK_${state}`), await reply(id, `NACK_${state}`));
      await request(admin, id, 'resume');
      return undefined;
    });
    const sessionId = await admin.create({
      hosts: changesItsMind.hostNames,
      actions: [{ plugin: 'gated', type: 'pre' }],
    });
    await pluginRuns.passed;
    statuses.push(await reply(sessionId, 'NACK_MAINTENANCE'));
    pluginMayEnd.open();
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await answersTo(stage, sessionId, 'MAINTENANCE')).toEqual(['NACK', 'ACK']);
    expect(await answersTo(stage, sessionId, 'PLANNED_MAINTENANCE')).toEqual(['NACK', 'ACK']);
    const moves = await db.simMove.findMany({ where: { instanceId: changesItsMind.instance(1) } });
    expect(moves.map(({ action }) => action)).toEqual(['LIVE_MIGRATE']);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await reply(sessionId, 'ACK_MAINTENANCE')).toBe(200);
    expect(await reply(sessionId, 'NACK_MAINTENANCE')).toBe(422);
  },
);

story('asks again at once what a project refuses before the session begins', async (stage) => {
  const { admin, manage } = stage;
  const projectId = refusesBeforeStart.project(1);
  manage(projectId, () => ({ answer: 'ACK' }));
  const sessionId = await admin.create({
    hosts: refusesBeforeStart.hostNames,
    maintenance_at: '2099-01-01 00:00:00',
  });
  const untilAnswered = (...answers: readonly string[]) =>
    eventually(`the answers are ${answers.join(', ')}`, async () => {
      const given = await answersTo(stage, sessionId, 'MAINTENANCE');
      return given.join() === answers.join() || undefined;
    });
  await untilAnswered('ACK');
  expect(await replying(stage, projectId)(sessionId, 'NACK_MAINTENANCE')).toBe(200);
  await untilAnswered('NACK', 'ACK');
  expect((await admin.detail(sessionId)).state).toBe('MAINTENANCE');
  await request(admin, sessionId, 'abort');
  await admin.until(sessionId, 'MAINTENANCE_FAILED');
});

story(
  'does not wait for an answer about instances that have gone, and takes it until its time is over',
  async (stage) => {
    const { admin, db, manage, rig } = stage;
    const sessionIsDone = aGate();
    const manager = manage(vanishes.project(1), async ({ state, session_id: id }) => {
      if (state !== 'PLANNED_MAINTENANCE') return { answer: 'ACK' };
      await removeInstance(db, vanishes.instance(1));
      // It looks by itself once a minute.
      await rig.services.workflowCalls.wakeHost(id, vanishes.host('a'));
      await sessionIsDone.passed;
      return { answer: 'ACK' };
    });
    const sessionId = await admin.create({ hosts: vanishes.hostNames });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    sessionIsDone.open();
    const replied = () => manager.replies.find(({ event }) => event.state === 'PLANNED_MAINTENANCE');
    await eventually('the late answer is taken', () => Promise.resolve(replied()));
    expect(replied()!.status).toBe(200);
    const question = await db.question.findFirstOrThrow({ where: { sessionId, state: 'PLANNED_MAINTENANCE' } });
    expect(question).toMatchObject({ status: 'unneeded', answer: 'ACK' });
  },
);

judgeTrace();
