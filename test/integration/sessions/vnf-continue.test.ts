/** Sessions of `vnf` that fail and go on, are reset by hand, or are deleted in mid-work, with questions open. */
import type { Database } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed } from '../continue/continued-session';
import { resetByHand } from '../continue/reset-by-hand';
import { aGate } from '../events/a-gate';
import { heldUntil } from '../rig/held-plugin';
import type { PlannedEvent, Policy } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const groups = {
  1: { max_impacted_members: 2, recovery_time: 2, anti_affinity_group: false, max_instances_per_host: 0 },
};
/** Long enough for all that a story does while a question is open; nobody waits for its end. */
const asked = { group: 1, lead_time: 600 };
const zone = (number: number): Zone =>
  aZone(number, {
    hosts: { a: {}, b: {}, c: {}, d: { slots: 7 } },
    groups,
    instances: [
      [1, 'a', asked],
      [2, 'b', asked],
    ],
  });

const failing = zone(0);
const reset = zone(1);
const deleted = zone(2);

const mayFail = { a: aGate(), c: aGate() };
/** Fails on each host once, when the story lets it. */
const failsWhenLet = heldUntil(
  'fails-when-let',
  ({ host }) => (host?.name === failing.host('a') ? mayFail.a : mayFail.c).passed,
);

const { story, judgeTrace } = tellSideBySide({ zones: [failing, reset, deleted], actionPlugins: [failsWhenLet] });

const isOwn = ({ state }: PlannedEvent): boolean => state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

const vnf = (own: Zone, hosts: readonly string[], action: object = { plugin: 'dummy' }) => ({
  workflow: 'vnf',
  hosts: hosts.map((name) => own.host(name)),
  actions: [{ type: 'host', ...action }],
});

/** Says nothing of its instances until it is let. */
const answerWhenLet = () => {
  let isLet = false;
  const policy: Policy = (event) => (isOwn(event) && !isLet ? undefined : { answer: 'ACK' });
  return { policy, let: () => (isLet = true) };
};

const openQuestion = (db: Database, own: Zone, instance: number) =>
  eventually(`instance ${instance} is asked`, async () => {
    const question = await db.question.findFirst({ where: { instanceId: own.instance(instance), status: 'open' } });
    return question?.askedAt == null ? undefined : question;
  });

story('closes what was asked when it fails, and asks again when it is resumed', async ({ admin, db, manage }) => {
  const manager = answerWhenLet();
  manage(failing.project(1), manager.policy);
  // c is empty: its plug-in fails while an instance of a is asked.
  const sessionId = await admin.create(
    vnf(failing, ['a', 'c'], { plugin: failsWhenLet.name, metadata: { fail_times: 1 } }),
  );
  const before = await openQuestion(db, failing, 1);
  mayFail.c.open();
  await untilFailed(admin, sessionId);
  const [claim] = await db.claim.findMany({ where: { sessionId } });
  expect(claim).toMatchObject({ id: before.claimId, outcome: 'dropped', startedAt: null });
  // An instance whose project was asked may be out of service: it recovers.
  expect(claim!.recoversAt!.getTime() - claim!.endedAt!.getTime()).toBe(2_000);
  expect(await db.question.count({ where: { sessionId, status: 'open' } })).toBe(0);
  const url = `/maintenance/${sessionId}/${failing.project(1)}/${failing.instance(1)}`;
  expect((await admin.call('PUT', url, { state: `ACK_${before.state}` })).status).toBe(422);
  manager.let();
  await continueFailed(admin, sessionId);
  mayFail.a.open();
  await untilFailed(admin, sessionId);
  await continueFailed(admin, sessionId);
  const { hosts } = await untilDone(admin, sessionId);
  expect(hosts.every(({ maintained }) => maintained === true)).toBe(true);
  expect(await db.claim.count({ where: { sessionId, outcome: 'done' } })).toBe(1);
});

story('goes on with the questions that are open when it is reset by hand', async (stage) => {
  const { admin, db, manage } = stage;
  const manager = answerWhenLet();
  manage(reset.project(1), manager.policy);
  const sessionId = await admin.create(vnf(reset, ['a', 'b']));
  const [first] = await Promise.all([openQuestion(db, reset, 1), openQuestion(db, reset, 2)]);
  await resetByHand(stage.rig, sessionId, 'last');
  await resetByHand(stage.rig, sessionId, 'first');
  manager.let();
  const url = `/maintenance/${sessionId}/${reset.project(1)}`;
  const state = `ACK_${first.state}`;
  for (const instance of [1, 2]) {
    expect((await admin.call('PUT', `${url}/${reset.instance(instance)}`, { state })).status).toBe(200);
  }
  await untilDone(admin, sessionId);
  expect(await db.question.count({ where: { claimId: first.claimId } })).toBe(1);
});

story('gives its hosts back and lets the asked recover when it is deleted', async ({ admin, db, manage }) => {
  manage(deleted.project(1), answerWhenLet().policy);
  const sessionId = await admin.create(vnf(deleted, ['a', 'b']));
  await Promise.all([openQuestion(db, deleted, 1), openQuestion(db, deleted, 2)]);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await eventually('the session is gone', async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 ? true : undefined;
  });
  const claims = await db.claim.findMany({ where: { sessionId } });
  expect(claims.map(({ outcome }) => outcome)).toEqual(['dropped', 'dropped']);
  expect(await db.simHost.count({ where: { name: { in: deleted.hostNames.map(String) }, disabled: true } })).toBe(0);
  expect(await db.reservation.count({ where: { sessionId } })).toBe(0);
});

judgeTrace();
