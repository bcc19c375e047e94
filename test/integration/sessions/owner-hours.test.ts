/** Owners who say once when they may be impacted: the hours in their terms count, as far as the session keeps them. */
import type { Database } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { acknowledge } from '../rig/manager';
import { type Stage, tellSideBySide } from '../rig/side-by-side';

const group = { max_impacted_members: 1, recovery_time: 0, anti_affinity_group: false };
const groups = { 1: group, 2: { ...group, project: 2 } };
const first = { group: 1, lead_time: 300 };
const second = { group: 2, project: 2, lead_time: 300 };
const apart = {
  ...{ hosts: { a: {}, b: {}, c: {} }, groups },
  instances: [
    [1, 'a', first],
    [2, 'b', second],
  ],
} as const;
const one = { hosts: { a: {}, b: {} }, groups: { 1: group }, instances: [[1, 'a', first]] } as const;
const byInstance = aZone(0, apart);
const byHost = aZone(1, apart);
const never = aZone(2, one);
const until = aZone(3, one);
const inParts = aZone(4, {
  ...{ hosts: { a: {}, b: {} }, groups },
  instances: [
    [1, 'a', first],
    [2, 'a', second],
  ],
});

const { story, judgeTrace } = tellSideBySide({
  zones: [byInstance, byHost, never, until, inParts],
  environment: { PARLEY_EXPECTED_MOVE_SECONDS: '2' },
});

const session = (workflow: 'default' | 'vnf', zone: Zone, names: readonly string[]) => ({
  workflow,
  hosts: names.map(zone.host),
  actions: [{ plugin: 'dummy', type: 'host' }],
});

const minute = 60_000;
const weekdays = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const clock = (ms: number): string => new Date(ms).toISOString().slice(11, 16);

/** The hours of that day in UTC, from one whole minute to another. */
const hoursBetween = (fromMs: number, toMs: number) => [
  { days: [weekdays[new Date(fromMs).getUTCDay()]], from: clock(fromMs), to: clock(toMs), time_zone: 'UTC' },
];

const nextMinuteMs = (): number => Math.ceil(Date.now() / minute + 0.1) * minute;

const store = async ({ admin }: Pick<Stage, 'admin'>, projectId: string, terms: object): Promise<void> => {
  expect(await admin.call('PUT', `/projects/${projectId}/terms`, terms)).toMatchObject({ status: 200 });
};

const movesOf = (db: Database, zone: Zone, instance: number) =>
  db.simMove.findMany({ where: { instanceId: zone.instance(instance) }, orderBy: { startedAt: 'asc' } });

for (const [workflow, zone] of [['vnf', byInstance] as const, ['default', byHost] as const]) {
  story(`impacts an instance in the hours of its owner alone, and others before (${workflow})`, async (stage) => {
    const { admin, db, manage } = stage;
    const opensMs = nextMinuteMs();
    await store(stage, zone.project(1), { hours: hoursBetween(opensMs, opensMs + 30 * minute) });
    for (const project of [1, 2]) manage(zone.project(project), acknowledge);
    const sessionId = await admin.create(session(workflow, zone, ['a', 'b']));
    const waits = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'owner_time');
    expect(waits).toMatchObject({ who: zone.host('a'), owner: 'project', subject_id: zone.project(1) });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    const [late, early] = [await movesOf(db, zone, 1), await movesOf(db, zone, 2)];
    expect(late.map(({ startedAt }) => startedAt.getTime() >= opensMs)).toEqual([true]);
    expect(early[0]!.startedAt.getTime()).toBeLessThan(opensMs);
  });
}

story('names both owners where no hour comes, and goes on once the admin ignores hours', async (stage) => {
  const { admin, manage } = stage;
  const today = new Date().toISOString().slice(0, 10);
  const over = [{ dates: [today], from: '00:00', to: '00:01', time_zone: 'Pacific/Kiritimati' }];
  await store(stage, never.project(1), { hours: over });
  manage(never.project(1), acknowledge);
  const request = { ...session('vnf', never, ['a']), state: 'MAINTENANCE', metadata: {} };
  const maintenance_at = new Date().toISOString();
  const plan = await admin.call('POST', '/maintenance/plan', { ...request, maintenance_at });
  expect(plan.body).toMatchObject({
    completes: false,
    blockers: expect.arrayContaining([
      expect.objectContaining({ kind: 'outside_owner_hours', owner: 'project', project_id: never.project(1) }),
    ]) as unknown,
  });
  const ignoring = await admin.call('POST', '/maintenance/plan', { ...request, maintenance_at, owner_hours: 'ignore' });
  expect(ignoring.body).toMatchObject({ completes: true });
  const sessionId = await admin.create(session('vnf', never, ['a']));
  const waits = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'owner_time');
  expect(waits).toMatchObject({ help: expect.stringContaining('owner_hours') as string });
  const changed = await admin.call('PATCH', `/maintenance/${sessionId}`, { owner_hours: 'ignore' });
  expect(changed).toMatchObject({ status: 200, body: { owner_hours: 'ignore' } });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

story('keeps hours until the time that the admin names', async (stage) => {
  const { admin, db, manage } = stage;
  const fromMs = nextMinuteMs() + 60 * minute;
  await store(stage, until.project(1), { hours: hoursBetween(fromMs, fromMs + 10 * minute) });
  manage(until.project(1), acknowledge);
  const time = new Date(Date.now() + 8_000);
  const sessionId = await admin.create({ ...session('vnf', until, ['a']), owner_hours: { until: time.toISOString() } });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const [move] = await movesOf(db, until, 1);
  expect(move!.startedAt.getTime()).toBeGreaterThanOrEqual(time.getTime());
});

story('drains a host in parts where the hours of its instances never meet', async (stage) => {
  const { admin, db, manage } = stage;
  const nowMs = Math.floor(Date.now() / minute) * minute;
  await store(stage, inParts.project(1), { hours: hoursBetween(nowMs, nowMs + 60 * minute) });
  await store(stage, inParts.project(2), { hours: hoursBetween(nowMs + 120 * minute, nowMs + 180 * minute) });
  for (const project of [1, 2]) manage(inParts.project(project), acknowledge);
  const sessionId = await admin.create(session('vnf', inParts, ['a']));
  await eventually('the first part has left, and the host is given back', async () => {
    const host = await db.sessionHost.findFirst({ where: { sessionId } });
    return host?.phase === 'waiting' && host.firstDrainedAt !== null ? host : undefined;
  });
  expect(await movesOf(db, inParts, 1)).toHaveLength(1);
  expect(await movesOf(db, inParts, 2)).toEqual([]);
  await admin.untilReason(sessionId, ({ subject_id: project }) => project === inParts.project(2));
  await store(stage, inParts.project(2), {});
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await movesOf(db, inParts, 1)).toHaveLength(1);
});

judgeTrace();
