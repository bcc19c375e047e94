/**
 * The workflow `vnf` fails while instances are asked and moved, is put right and goes on there; it is reset by hand in
 * Temporal in the middle of things; and who has answered is asked again only where something has changed since. Its
 * states are those of `default` (plugins/workflows/vnf.ts): each of them fails in each-state.test.ts.
 */
import { failNextMoves } from '../../../clouds/simulated/edit-fleet';
import type { Database } from '../../../prisma/database';
import { hostWorkflowId } from '../../../temporal/workflow-messages';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { endMove, heldMember } from '../rig/held-moves';
import { heldUntil } from '../rig/held-plugin';
import { acknowledge, type PlannedEvent, type Policy } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';
import { askToContinue, continueFailed, untilDone, untilFailed } from './continued-session';
import { entryOf, resetByHand, resetOneByOne } from './reset-by-hand';
import { expectWorkDoneToStay, factsOf, hostsLeftDisabled, untilFailedAgain } from './session-facts';

const groups = {
  1: { max_impacted_members: 2, recovery_time: 0, anti_affinity_group: false, max_instances_per_host: 0 },
};
const asked = { group: 1, lead_time: 60, max_interruption_time: 60 };
const unasked = { ...asked, lead_time: 0 };

/** No instances: its sessions do not meet. */
const empty = aZone(0, {
  hosts: Object.fromEntries(['r1', 'e1'].map((name) => [name, {}])),
});
const preparing = aZone(3, { hosts: { a: {}, b: {} }, groups, instances: [[1, 'a', asked]] });
const planned = aZone(5, { hosts: { a: {}, b: {} }, groups, instances: [[1, 'a', { ...unasked, move_s: 400 }]] });
const moving = aZone(6, { hosts: { a: {}, b: {} }, groups, instances: [[1, 'a', { ...unasked, ...heldMember }]] });
const answering = aZone(7, {
  hosts: { a: {}, b: {} },
  groups,
  instances: [
    [1, 'a', asked],
    [2, 'a', asked],
  ],
});

/** Host r1 is in maintenance until its session has been reset. */
const hasBeenReset = aGate();
const untilReset = heldUntil('until-reset', () => hasBeenReset.passed);

const zones = [empty, preparing, planned, moving, answering];
const { story, judgeTrace } = tellSideBySide({
  zones,
  impactShare: 0.25,
  actionPlugins: [untilReset],
  // nobody is silent here, so that nobody waits for it
  environment: { PARLEY_PROJECT_REPLY_SECONDS: '60' },
});

const isOwn = ({ state }: PlannedEvent): boolean => state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';
const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });
const vnf = (zone: Zone, hosts: readonly string[], request: object = {}) => ({
  workflow: 'vnf',
  hosts: hosts.map((name) => zone.host(name)),
  actions: [action('pre'), action('host')],
  ...request,
});

const questionsOf = (db: Database, zone: Zone, instance: number) =>
  db.question.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { createdAt: 'asc' } });
const movesOf = (db: Database, zone: Zone, instance: number) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { startedAt: 'asc' } });

/** Fails in the state, is put right, goes on there; what was done stays done, and every host ends in use. */
const failAndGoOn = async (
  { rig, admin }: Stage,
  { sessionId, prevState }: { readonly sessionId: string; readonly prevState: string },
) => {
  const { session } = await untilFailed(admin, sessionId);
  expect(session.prev_state).toBe(prevState);
  const before = await factsOf(rig, sessionId);
  await continueFailed(admin, sessionId);
  const done = await untilDone(admin, sessionId);
  const after = await factsOf(rig, sessionId);
  expect(done.percent_done).toBe(100);
  expect(after.states[before.states.length]).toBe(prevState);
  expect(
    await hostsLeftDisabled(
      rig,
      done.hosts.map(({ hostname }) => String(hostname)),
    ),
  ).toEqual([]);
  return { before, after };
};

story('PREPARE_MAINTENANCE: who was told that its action failed is asked anew', async (stage) => {
  const { db, admin, manage } = stage;
  manage(preparing.project(1), acknowledge);
  await failNextMoves(db, 'vm-3-1', 2); // the live migration and the forced one
  const sessionId = await admin.create(vnf(preparing, ['a']));
  await failAndGoOn(stage, { sessionId, prevState: 'PREPARE_MAINTENANCE' });
  expect((await questionsOf(db, preparing, 1)).map(({ answer }) => answer)).toEqual(['ACK', 'ACK']);
  expect((await movesOf(db, preparing, 1)).map(({ status }) => status)).toEqual(['failed', 'failed', 'done']);
});

story('PLANNED_MAINTENANCE: twice, with a new worker in between and two requests at once', async (stage) => {
  const { rig, db, admin, manage } = stage;
  manage(planned.project(1), acknowledge);
  await failNextMoves(db, 'vm-5-1', 4);
  const sessionId = await admin.create(vnf(planned, ['a', 'b']));
  await untilFailed(admin, sessionId);
  const first = await factsOf(rig, sessionId);
  expect(first.maintained).toEqual([planned.host('b')]);
  await rig.restartWorker();
  const answers = await Promise.all([askToContinue(admin, sessionId), askToContinue(admin, sessionId)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 422]);
  await untilFailedAgain(rig, sessionId);
  const { after } = await failAndGoOn(stage, { sessionId, prevState: 'PLANNED_MAINTENANCE' });
  expectWorkDoneToStay(first, after);
  expect([...after.plugins.values()].map(({ attempts }) => attempts)).toEqual([1, 1, 1]);
});

story('a reset by hand while an instance moves moves it once', async (stage) => {
  const { rig, db, admin, manage } = stage;
  manage(moving.project(1), acknowledge);
  const sessionId = await admin.create(vnf(moving, ['a']));
  await eventually('it moves', async () => (await movesOf(db, moving, 1))[0]);
  await resetOneByOne(rig, sessionId, ['last', 'first']);
  await endMove(db, { instanceId: moving.instance(1) });
  await untilDone(admin, sessionId);
  expect((await movesOf(db, moving, 1)).map(({ status }) => status)).toEqual(['done']);
});

story(
  "resets by hand in a host's maintenance, to the last task and the very beginning, go on with it",
  async (stage) => {
    const { rig, admin } = stage;
    const actions = [action('pre'), { plugin: untilReset.name, type: 'host' }];
    const sessionId = await admin.create(vnf(empty, ['r1'], { actions }));
    await eventually('the host is in maintenance', async () => (await factsOf(rig, sessionId)).announced[0]);
    await resetOneByOne(rig, sessionId, ['last', 'first']);
    hasBeenReset.open();
    await untilDone(admin, sessionId);
    const { announced, plugins } = await factsOf(rig, sessionId);
    expect(announced).toEqual([empty.host('r1')]);
    expect([...plugins.values()].map(({ attempts }) => attempts)).toEqual([1, 1]);
  },
);

story('a reset by hand of the failed session comes out like a resume', async (stage) => {
  const { rig, admin } = stage;
  const actions = [action('pre'), action('host', { seconds: 1, fail_times: 1 })];
  const sessionId = await admin.create(vnf(empty, ['e1'], { actions }));
  await untilFailed(admin, sessionId);
  const before = await factsOf(rig, sessionId);
  await resetByHand(rig, sessionId, await entryOf(rig, sessionId, 'START_MAINTENANCE'));
  await eventually('it goes on', async () => (await admin.detail(sessionId)).session.failure === null || undefined);
  const done = await untilDone(admin, sessionId);
  expect(done.percent_done).toBe(100);
  expectWorkDoneToStay(before, await factsOf(rig, sessionId));
});

story('an answer that nobody acted upon counts after the resume, unless constraints have changed', async (stage) => {
  const { rig, db, admin, manage } = stage;
  let isSilent = true;
  const policy: Policy = (event) => (isOwn(event) && isSilent ? undefined : { answer: 'ACK' });
  manage(answering.project(1), policy);
  const sessionId = await admin.create(vnf(answering, ['a']));
  const [first] = await Promise.all(
    [1, 2].map((instance) =>
      eventually(`instance ${instance} is asked`, async () => {
        const [question] = await questionsOf(db, answering, instance);
        return question?.askedAt == null ? undefined : question;
      }),
    ),
  );
  // No workflow is left to act: they are ended in Temporal, and the sweeper finds out later.
  for (const id of [sessionId, hostWorkflowId(sessionId, answering.host('a'))]) {
    await rig.client.workflow.getHandle(id).terminate('by hand');
  }
  // The worker that attends the host learns so by a heartbeat.
  await eventually('nobody attends the host', async () => {
    const where = { sessionId, hostname: answering.host('a') };
    return (await db.sessionHost.findFirst({ where }))?.attendedUntil === null || undefined;
  });
  for (const instance of [1, 2]) {
    const url = `/maintenance/${sessionId}/${answering.project(1)}/${answering.instance(instance)}`;
    const answer = { state: `ACK_${first!.state}`, instance_action: 'MIGRATE' };
    expect((await admin.call('PUT', url, answer)).status).toBe(200);
  }
  isSilent = false;
  await untilFailed(admin, sessionId);
  const constraints = (await admin.call('GET', `/instance/${answering.instance(2)}`)).body as object;
  const changed = { ...constraints, max_interruption_time: 50 };
  expect((await admin.call('PUT', `/instance/${answering.instance(2)}`, changed)).status).toBe(200);
  await continueFailed(admin, sessionId);
  await untilDone(admin, sessionId);
  expect(await questionsOf(db, answering, 1)).toHaveLength(1);
  expect(await questionsOf(db, answering, 2)).toHaveLength(2);
  expect(await movesOf(db, answering, 1)).toMatchObject([{ action: 'MIGRATE', status: 'done' }]);
  expect(await movesOf(db, answering, 2)).toMatchObject([{ action: 'LIVE_MIGRATE', status: 'done' }]);
});

judgeTrace();
