/** A whole session that is frozen in its middle: what is under way ends, nothing begins, and it goes on afterwards. */
import { databaseNow } from '../../../prisma/database';
import { aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { aGate } from '../events/a-gate';
import { heldUntil } from '../rig/held-plugin';
import { acknowledge } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

// A freeze is for all sessions of a service, so there is one story here.
const zone = aZone(0, {
  hosts: { a: {}, b: {}, c: {} },
  groups: {},
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const mayEnd = aGate();
const held = heldUntil('held', () => mayEnd.passed);
const { story, judgeTrace } = tellSideBySide({ zones: [zone], actionPlugins: [held] });

story('ends the maintenance under way, begins no other, and goes on when the freeze is deleted', async (stage) => {
  const { admin, db, manage } = stage;
  manage(zone.project(1), acknowledge);
  const sessionId = await admin.create({
    workflow: 'vnf',
    hosts: [zone.host('a'), zone.host('b')],
    max_parallel_hosts: 1,
    actions: [{ plugin: held.name, type: 'host' }],
  });
  const hostsIn = (phase: string) => db.sessionHost.findMany({ where: { sessionId, phase } });
  const first = await eventually('a maintenance has begun', async () =>
    (await hostsIn('maintaining')).find(({ announcedAt }) => announcedAt !== null),
  );
  const freeze = {
    reason: 'the auditors are here',
    from: '2020-01-01T00:00:00Z',
    until: new Date(Date.now() + 48 * 3_600_000).toISOString(),
  };
  expect((await admin.call('PUT', '/freezes/audit', freeze)).status).toBe(200);
  mayEnd.open();
  const maintained = await eventually('the maintenance has ended', async () => (await hostsIn('maintained'))[0]);
  expect(maintained.hostname).toBe(first.hostname);
  const because = 'freeze audit (the auditors are here) keeps it from beginning before then';
  const reason = await admin.untilReason(sessionId, (one) => one.because === because);
  expect(reason).toMatchObject({ waiting_for: 'time', subject: freeze.until, owner: 'admin' });
  const other = first.hostname === zone.host('a') ? zone.host('b') : zone.host('a');
  // By its own decision, not because it has not looked yet.
  await eventually('a decision has found the session frozen', async () => {
    const { waiting } = await db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return JSON.stringify(waiting) === '[]' || undefined;
  });
  expect((await hostsIn('waiting')).map(({ hostname }) => hostname)).toEqual([other]);
  const thawedAt = await databaseNow(db);
  expect((await admin.call('DELETE', '/freezes/audit')).status).toBe(200);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  const hosts = await db.sessionHost.findMany({ where: { sessionId, hostname: other } });
  expect(hosts[0]?.firstDrainedAt?.getTime()).toBeGreaterThanOrEqual(thawedAt.getTime());
});

judgeTrace();
