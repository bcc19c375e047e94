/** Owners who put work off by a time in their answers: it counts, and others are not held up meanwhile. */
import type { Database } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { plannedEvents } from '../rig/event-log';
import { acknowledge, type PlannedEvent, type Policy } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const session = (workflow: 'default' | 'vnf', zone: Zone, hosts: readonly string[]) => ({
  workflow,
  hosts: hosts.map(zone.host),
  actions: [{ plugin: 'dummy', type: 'host' }],
  postpone: { seconds: 7_200 },
});

const inSeconds = (seconds: number): Date => new Date(Date.now() + seconds * 1000);

const isOwn = ({ state }: Pick<PlannedEvent, 'state'>): boolean =>
  state === 'PREPARE_MAINTENANCE' || state === 'PLANNED_MAINTENANCE';

const group = { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false };
const patient = { group: 1, lead_time: 300 };
const hosts = { a: {}, b: {}, c: {} };

/** Two projects, each with an instance on a host of its own. */
const wholeSession = aZone(0, {
  ...{ hosts, groups: { 1: group, 2: { ...group, project: 2 } } },
  instances: [
    [1, 'a', patient],
    [2, 'b', { ...patient, group: 2, project: 2 }],
  ],
});
const one = { hosts: { a: {}, b: {} }, groups: { 1: group }, instances: [[1, 'a', patient]] } as const;
const instanceAlone = aZone(1, one);
const hostAlone = aZone(2, one);
const farAway = aZone(3, one);
const refusing = aZone(4, one);
const withoutLeave = aZone(5, one);
const takenAway = aZone(6, one);

const { story, judgeTrace } = tellSideBySide({
  zones: [wholeSession, instanceAlone, hostAlone, farAway, refusing, withoutLeave, takenAway],
  environment: { PARLEY_NACK_RETRY_SECONDS: '1' },
});

const movesOf = (db: Database, zone: Zone, instance = 1) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { startedAt: 'asc' } });

/** Answers the first such question with a time, and keeps the time. */
const puttingOff = (isMeant: (event: PlannedEvent) => boolean, seconds: number) => {
  const given: { notBefore?: Date } = {};
  const policy: Policy = (event) => {
    if (!isMeant(event) || given.notBefore) return { answer: 'ACK' };
    given.notBefore = inSeconds(seconds);
    return { answer: 'ACK', notBefore: given.notBefore };
  };
  return { given, policy };
};

story('begins with other hosts where a project puts the whole session off', async ({ admin, db, events, manage }) => {
  const zone = wholeSession;
  const { given, policy } = puttingOff(({ state }) => state === 'MAINTENANCE', 12);
  const manager = manage(zone.project(1), policy);
  manage(zone.project(2), acknowledge);
  const sessionId = await admin.create(session('vnf', zone, ['a', 'b']));
  const waits = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'owner_time');
  expect(waits).toMatchObject({ who: zone.host('a'), owner: 'project', subject_id: zone.project(1) });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [late, early] = [await movesOf(db, zone, 1), await movesOf(db, zone, 2)];
  expect(late[0]!.startedAt.getTime()).toBeGreaterThanOrEqual(given.notBefore!.getTime());
  expect(early[0]!.startedAt.getTime()).toBeLessThan(given.notBefore!.getTime());
  const [told] = manager.told;
  expect(Date.parse(`${told!.not_before_latest!}Z`)).toBeGreaterThan(inSeconds(3_600).getTime());
  const complete = plannedEvents(await events.until(sessionId, 'maintenance.session', 'MAINTENANCE_DONE'));
  expect(
    complete.filter(({ state, ...event }) => state === 'MAINTENANCE_COMPLETE' && 'not_before_latest' in event),
  ).toEqual([]);
});

story('moves one instance at its time, and asks about it once', async ({ admin, db, manage }) => {
  const { given, policy } = puttingOff(isOwn, 8);
  manage(instanceAlone.project(1), policy);
  const sessionId = await admin.create(session('vnf', instanceAlone, ['a']));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [move] = await movesOf(db, instanceAlone);
  expect(move!.startedAt.getTime()).toBeGreaterThanOrEqual(given.notBefore!.getTime());
  const instanceId = instanceAlone.instance(1);
  expect(await db.question.count({ where: { sessionId, instanceId } })).toBe(1);
  // What is put off counts against no limit meanwhile.
  const claims = await db.claim.findMany({ where: { sessionId, instanceId }, orderBy: { createdAt: 'asc' } });
  expect(claims.map(({ outcome }) => outcome)).toEqual(['dropped', 'done']);
  expect(claims[0]!.endedAt!.getTime()).toBeLessThan(given.notBefore!.getTime());
});

story('empties a host at the time that its project has set for it (default)', async ({ admin, db, manage }) => {
  const { given, policy } = puttingOff(isOwn, 8);
  manage(hostAlone.project(1), policy);
  const sessionId = await admin.create(session('default', hostAlone, ['a']));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [move] = await movesOf(db, hostAlone);
  expect(move!.startedAt.getTime()).toBeGreaterThanOrEqual(given.notBefore!.getTime());
});

story('gives a host back whose owner wants hours, and drains it once the owner wants less', async (stage) => {
  const { admin, db, manage } = stage;
  const { policy } = puttingOff(isOwn, 7_000);
  const manager = manage(farAway.project(1), policy);
  const sessionId = await admin.create(session('vnf', farAway, ['a']));
  await eventually('the host is given back', async () => {
    const host = await db.sessionHost.findFirst({ where: { sessionId } });
    return host?.phase === 'waiting' && host.firstDrainedAt !== null ? host : undefined;
  });
  const host = await db.simHost.findUnique({ where: { name: farAway.host('a') } });
  expect(host).toMatchObject({ disabled: false });
  await admin.untilReason(
    sessionId,
    ({ who, waiting_for }) => who === farAway.host('a') && waiting_for === 'owner_time',
  );
  expect(await movesOf(db, farAway)).toEqual([]);
  const asked = manager.told.find(isOwn)!;
  const path = asked.reply_url.replace(/^.*\/v1/, '');
  expect((await admin.call('PUT', path, { state: `ACK_${asked.state}` })).status).toBe(200);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await movesOf(db, farAway)).toHaveLength(1);
});

story('asks a project that refuses again in the middle of the time that it has', async ({ admin, db, manage }) => {
  let refusals = 0;
  manage(refusing.project(1), (event) =>
    isOwn(event) && (refusals += 1) === 1 ? { answer: 'NACK' } : { answer: 'ACK' },
  );
  const sessionId = await admin.create({ ...session('vnf', refusing, ['a']), postpone: { seconds: 30 } });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const where = { sessionId, instanceId: refusing.instance(1) };
  const [first, second] = await db.question.findMany({ where, orderBy: { createdAt: 'asc' } });
  const leftMs = first!.notBeforeLatest!.getTime() - first!.answeredAt!.getTime();
  expect(second!.createdAt.getTime() - first!.answeredAt!.getTime()).toBeGreaterThanOrEqual(leftMs / 2);
});

story('goes on as without leave once the admin has taken it away', async ({ admin, db, manage }) => {
  let refusals = 0;
  manage(takenAway.project(1), (event) =>
    isOwn(event) && (refusals += 1) === 1 ? { answer: 'NACK' } : { answer: 'ACK' },
  );
  const sessionId = await admin.create(session('vnf', takenAway, ['a']));
  await eventually('the project has refused', async () => {
    return (await db.question.count({ where: { sessionId, answer: 'NACK' } })) > 0 || undefined;
  });
  expect((await admin.call('PATCH', `/maintenance/${sessionId}`, { postpone: null })).status).toBe(200);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await db.question.count({ where: { sessionId, notBeforeLatest: { not: null } } })).toBe(0);
});

story('takes no time that nobody may set, and says which may be', async ({ admin, manage }) => {
  const zone = withoutLeave;
  manage(zone.project(1), ({ state }) => (state === 'MAINTENANCE' ? undefined : { answer: 'ACK' }));
  const given = session('vnf', zone, ['a']);
  const replyTo = (sessionId: string, times: object) =>
    admin.call('PUT', `/maintenance/${sessionId}/${zone.project(1)}`, { state: 'ACK_MAINTENANCE', ...times });
  const refusalOf = async (sessionId: string, notBefore: string) =>
    (await replyTo(sessionId, { not_before: notBefore })).body;
  const sessionId = await admin.create(given);
  const question = await eventually('the project is asked', async () => {
    const { body } = await admin.call('GET', `/questions?project_id=${zone.project(1)}`);
    return (
      body as { questions: { session_id: string; not_before_latest: string; reply_at: string | null }[] }
    ).questions.find((one) => one.session_id === sessionId && one.reply_at !== null);
  });
  const latest = question.not_before_latest;
  expect(await refusalOf(sessionId, '9999-12-31T23:59:59Z')).toMatchObject({
    ...{ code: 'NOT_BEFORE_REFUSED', hint: expect.stringContaining(latest) as string },
    errors: [{ pointer: '/not_before' }],
  });
  expect(await refusalOf(sessionId, '2001-01-01 00:00:00')).toMatchObject({ code: 'NOT_BEFORE_REFUSED' });
  expect(await refusalOf(sessionId, 'tomorrow')).toMatchObject({ errors: [{ pointer: '/not_before' }] });
  expect((await admin.call('PATCH', `/maintenance/${sessionId}`, { postpone: null })).status).toBe(200);
  expect((await replyTo(sessionId, {})).status).toBe(200);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

judgeTrace();
