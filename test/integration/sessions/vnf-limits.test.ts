/**
 * Constraints of the workflow `vnf` while it runs: changed, contradictory, impossible; and the cap on hosts at once.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { tsToMs } from '@temporalio/common/lib/time';
import { traceOf } from '../../../cli/trace/session-trace';
import { findSessionCourse } from '../../../prisma/session/session-trace';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed } from '../continue/continued-session';
import { endMove, heldMember } from '../rig/held-moves';
import { acknowledge, staySilent } from '../rig/manager';
import type { Rig } from '../rig/rig';
import { tellSideBySide } from '../rig/side-by-side';

const vnf = (zone: Zone, request: Readonly<Record<string, unknown>> = {}) => ({
  workflow: 'vnf',
  hosts: zone.hostNames,
  actions: [{ plugin: 'dummy', type: 'host' }],
  ...request,
});

const loose = { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false, max_instances_per_host: 0 };

const changed = aZone(0, {
  hosts: { a: {}, b: {} },
  groups: { 1: { ...loose, recovery_time: 600 } },
  instances: [
    [1, 'a', { group: 1, lead_time: 0 }],
    [2, 'a', { group: 1, lead_time: 0 }],
  ],
});
const capped = aZone(1, {
  hosts: { a: {}, b: {}, empty: {} },
  groups: { 1: { ...loose, max_impacted_members: 9 } },
  instances: [
    // Moves until the story has seen who waits for its host.
    [1, 'a', { ...heldMember, group: 1, lead_time: 0 }],
    [2, 'b', { group: 1, lead_time: 0 }],
  ],
});
const odd = aZone(3, {
  hosts: { a: { slots: 6 }, b: { slots: 6 }, c: { slots: 6 } },
  groups: {
    1: { ...loose, max_impacted_members: 99 },
    2: { ...loose },
    3: { max_impacted_members: 2, recovery_time: 0, anti_affinity_group: true, max_instances_per_host: 1 },
  },
  instances: [
    [1, 'a', { group: 1, lead_time: 0 }], // a budget above the group's size
    [2, 'a', { group: 3, lead_time: 0 }], // two of an anti-affinity group on one host
    [3, 'a', { group: 3, lead_time: 0 }],
    [4, 'b'], // in no group
  ],
});
const crossed = aZone(4, {
  hosts: { a: { slots: 7 }, b: { slots: 7 } },
  groups: { 1: loose, 2: { ...loose, project: 2 } },
  instances: [
    [1, 'a', { group: 1, slots: 4 }],
    [2, 'b', { group: 2, slots: 4, project: 2 }],
  ],
});
/** Their project lets the members share a host; the cloud does not, and keeps them apart from one of another group. */
const apart = aZone(5, {
  hosts: { a: {}, b: {}, c: { slots: 2 }, d: { slots: 3 } },
  groups: { 1: { ...loose, max_impacted_members: 2 }, 2: loose },
  serverGroups: { 1: { members: [1, 2, 3] } },
  instances: [
    [1, 'a', { group: 1, lead_time: 0 }],
    [2, 'b', { group: 1, lead_time: 0 }],
    [3, 'c', { group: 2, lead_time: 0 }],
  ],
});
/** The host that fits best refuses it. */
const refused = aZone(6, {
  hosts: { a: {}, b: { slots: 1 }, c: { slots: 2 } },
  instances: [[1, 'a', { refused_by: ['z6-b'] }]],
});
/** All that there is refuses it. */
const hopeless = aZone(7, { hosts: { a: {}, b: {} }, instances: [[1, 'a', { refused_by: ['z7-b'] }]] });
/** The cloud keeps them on one host, and the project of the first accepts to act and does not. */
const together = aZone(8, {
  hosts: { a: {}, b: {} },
  serverGroups: { 1: { policy: 'affinity', members: [1, 2] } },
  instances: [
    [1, 'a', { acts_itself: false }],
    [2, 'a'],
  ],
});
const { story, judgeTrace } = tellSideBySide({
  zones: [changed, capped, odd, crossed, apart, refused, hopeless, together],
  environment: { PARLEY_SCALE_IN_ROUNDS: '1' },
  impactShare: 0.25,
});

/** The time when the session was woken, in contrast to looking by itself. */
const signalTimes = async ({ client }: Rig, sessionId: string): Promise<readonly Date[]> => {
  const { events } = await client.workflow.getHandle(sessionId).fetchHistory();
  const signals = (events ?? []).filter(
    ({ workflowExecutionSignaledEventAttributes }) => workflowExecutionSignaledEventAttributes,
  );
  return signals.map(({ eventTime }) => new Date(tsToMs(eventTime)));
};

story(
  'wakes what waits when a group allows more, and lets recoveries that run go on',
  async ({ admin, db, manage, rig }) => {
    manage(changed.project(1), acknowledge);
    const sessionId = await admin.create(vnf(changed, { hosts: [changed.host('a')] }));
    const waits = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'recovery');
    expect(waits).toMatchObject({ subject: 'group-0-1' });
    expect(waits.remaining_seconds).toBeGreaterThan(500);
    await pause(1_100);
    const later = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'recovery');
    expect(later.remaining_seconds!).toBeLessThan(waits.remaining_seconds!);
    const storeGroup = (max_impacted_members: number) =>
      admin.call('PUT', `/instance_group/${changed.group(1)}`, {
        project_id: changed.project(1),
        group_id: changed.group(1),
        group_name: 'group-0-1',
        anti_affinity_group: false,
        max_instances_per_host: 0,
        max_impacted_members,
        recovery_time: 1,
        resource_mitigation: false,
      });
    // No work on this host can go on, so a signal that follows is the wake-up and not the report of the host.
    const changedAt = new Date();
    expect((await storeGroup(1)).status).toBe(200);
    await eventually({ what: 'the session is woken', ...admin.watching(sessionId) }, async () =>
      (await signalTimes(rig, sessionId)).find((at) => at >= changedAt),
    );
    expect(await db.claim.count({ where: { sessionId } })).toBe(1);
    expect((await storeGroup(2)).status).toBe(200);
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    const claims = await db.claim.findMany({ where: { sessionId }, orderBy: { createdAt: 'asc' } });
    const recoveries = claims.map(({ recoversAt, endedAt }) => recoversAt!.getTime() - endedAt!.getTime());
    expect(recoveries).toEqual([600_000, 1_000]);
    expect(claims[1]!.createdAt < claims[0]!.recoversAt!).toBe(true);
  },
);

story('has no more hosts under work at once than max_parallel_hosts, and says so', async (stage) => {
  const { admin, db, manage } = stage;
  manage(capped.project(1), acknowledge);
  const refused = await admin.call('POST', '/maintenance', {
    ...{ state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} },
    ...vnf(capped, { max_parallel_hosts: 0 }),
  });
  expect(refused.status).toBe(400);
  const sessionId = await admin.create(vnf(capped, { max_parallel_hosts: 1 }));
  const reason = await admin.untilReason(sessionId, ({ waiting_for, who }) => {
    return waiting_for === 'host' && capped.hostNames.includes(who);
  });
  expect(capped.hostNames).toContain(reason.subject);
  const waiting = await admin.untilReason(sessionId, ({ who }) => who === capped.instance(2));
  expect(waiting).toMatchObject({ waiting_for: 'host' });
  await endMove(db, { instanceId: capped.instance(1) });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const turns = traceOf((await findSessionCourse(db, sessionId))!)
    .map(({ event }) => event)
    .filter((event) => event === 'disable' || event === 'enable');
  expect(turns).toEqual(capped.hostNames.flatMap(() => ['disable', 'enable']));
});

story('takes constraints that do not match the fleet, and keeps them as far as that goes', async (stage) => {
  const { admin, db, manage } = stage;
  manage(odd.project(1), acknowledge);
  const sessionId = await admin.create(vnf(odd, { hosts: [odd.host('a')] }));
  const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(detail.hosts.every(({ maintained }) => maintained === true)).toBe(true);
  const apartNow = await db.simInstance.findMany({ where: { instanceId: { in: [odd.instance(2), odd.instance(3)] } } });
  expect(new Set(apartNow.map(({ host }) => host)).size).toBe(2);
});

story('fails and says which instance lacks which capacity, when two wait for each other', async ({ admin, manage }) => {
  manage(crossed.project(1), acknowledge);
  manage(crossed.project(2), acknowledge);
  const sessionId = await admin.create(vnf(crossed));
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  const { vcpus, memory_mb: memory } = crossed.slot;
  expect(session.failure).toContain(
    `host ${crossed.host('a')} cannot be drained: instance vm-4-1 (${crossed.instance(1)}) of project ` +
      `${crossed.project(1)} waits for capacity: ${vcpus} vcpus and ${memory} MB of memory missing`,
  );
  expect(session.failure).toMatch(/free that much there, or add or enable a compute host/);
});

story('keeps apart whom only the cloud keeps apart, and so is refused nothing', async ({ admin, db, manage }) => {
  manage(apart.project(1), staySilent);
  const hosts = [apart.host('a'), apart.host('b')];
  await admin.until(await admin.create(vnf(apart, { hosts })), 'MAINTENANCE_DONE');
  const members = [1, 2, 3].map(apart.instance);
  const at = await db.simInstance.findMany({ where: { instanceId: { in: members } }, select: { host: true } });
  expect(new Set(at.map(({ host }) => host)).size).toBe(3);
  expect(await db.targetRefusal.findMany({ where: { instanceId: { in: members } } })).toEqual([]);
});

story('tries a host that refused an instance no more, takes another one and says so', async ({ admin, db, manage }) => {
  manage(refused.project(1), staySilent);
  const sessionId = await admin.create(vnf(refused, { hosts: [refused.host('a')] }));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const claims = await db.claim.findMany({
    where: { sessionId },
    orderBy: { createdAt: 'asc' },
    select: { target: true, outcome: true },
  });
  expect(claims).toEqual([
    { target: refused.host('b'), outcome: 'refused' },
    { target: refused.host('c'), outcome: 'done' },
  ]);
  const [refusal] = await db.targetRefusal.findMany({ where: { instanceId: refused.instance(1) } });
  expect(refusal).toMatchObject({ target: refused.host('b'), reason: expect.stringContaining('refuse it') as string });
});

story('fails, and names host and reason, where every host refuses an instance', async ({ admin, db, manage }) => {
  manage(hopeless.project(1), staySilent);
  const sessionId = await admin.create(vnf(hopeless, { hosts: [hopeless.host('a')] }));
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain(`instance vm-7-1 (${hopeless.instance(1)})`);
  expect(session.failure).toMatch(/host z7-b refused it: .* told to refuse it/);
  expect(await db.claim.count({ where: { sessionId } })).toBe(1);
  // The target looks to the cloud as it did before.
  await db.simInstance.updateMany({ where: { instanceId: hopeless.instance(1) }, data: { refusedBy: [] } });
  await continueFailed(admin, sessionId);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

story('asks anew, after a resume, who has to act itself and did not', async ({ admin, db, manage }) => {
  const manager = manage(together.project(1), acknowledge);
  const idle = together.instance(1);
  const sessionId = await admin.create(vnf(together, { hosts: [together.host('a')] }));
  const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(
    /instance vm-8-1 .* could not be moved: the cloud does not move it, .* then continue the session/,
  );
  await db.simInstance.updateMany({ where: { instanceId: idle }, data: { actsItself: true } });
  await continueFailed(admin, sessionId);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const claims = await db.claim.findMany({ where: { sessionId, instanceId: idle }, orderBy: { createdAt: 'asc' } });
  expect(claims.map(({ action, outcome }) => `${action} ${outcome}`)).toEqual([
    'OWN_ACTION expired',
    'LIVE_MIGRATE failed',
    'OWN_ACTION done',
  ]);
  expect(await db.simMove.count({ where: { instanceId: idle, action: { not: 'OWN_ACTION' } } })).toBe(0);
  const asked = manager.told.filter(({ instance_ids: ids }) => ids.includes(idle) && typeof ids !== 'string');
  expect(asked.filter(({ reply_at }) => reply_at !== '').map(({ allowed_actions }) => allowed_actions)).toEqual([
    ['OWN_ACTION'],
    ['OWN_ACTION'],
  ]);
});

judgeTrace();
