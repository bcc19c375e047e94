/**
 * What fits where, and what can be moved at all: resources of other names than vcpus and memory, labels, states of
 * instances, and hosts that are down.
 */
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { setDown, setState } from '../../../clouds/simulated/play-faults';
import type { Database } from '../../../prisma/database';
import { aZone, type Zone } from '../../builders/a-zone';
import { acknowledge } from '../rig/manager';
import { tellSideBySide } from '../rig/side-by-side';

const pcpu = (count: number) => ({ amounts: { pcpu: count } });

const pinned = aZone(0, {
  hosts: { a: pcpu(8), b: {}, c: {}, d: pcpu(8) },
  instances: [
    [1, 'a', pcpu(4)],
    [2, 'a', pcpu(4)],
  ],
});
const inZoneA = { labels: ['zone-a'] };
const needsZoneA = { needs: ['zone-a'] };
const zones = aZone(1, {
  hosts: { a: inZoneA, tight: { slots: 2 }, c: inZoneA },
  instances: [
    [1, 'a', needsZoneA],
    [2, 'a', needsZoneA],
  ],
});
const fullZone = aZone(2, {
  hosts: { a: inZoneA, full: inZoneA, empty: {} },
  instances: [
    [1, 'a', { ...needsZoneA, slots: 3 }],
    [2, 'full', { ...needsZoneA, slots: 3, project: 2 }],
    [3, 'a', { project: 2 }],
  ],
});
const later = aZone(3, {
  hosts: { a: {}, b: {}, c: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const stuck = aZone(4, {
  hosts: { a: {}, b: {}, c: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const down = aZone(5, {
  hosts: { a: {}, b: {}, c: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});
const nowhere = aZone(6, {
  hosts: { a: inZoneA, b: {}, c: {} },
  instances: [
    [1, 'a', needsZoneA],
    [2, 'b'],
  ],
});

const { story, judgeTrace } = tellSideBySide({ zones: [pinned, zones, fullZone, later, stuck, down, nowhere] });

/** Moves that the cloud was asked for, by the name of the target. */
const targetsOf = async (db: Database, zone: Zone): Promise<readonly string[]> => {
  const moves = await db.simMove.findMany({ where: { source: { in: [...zone.hostNames] } } });
  return moves.map(({ target }) => target);
};
const refusalsIn = (db: Database, zone: Zone): Promise<number> =>
  db.targetRefusal.count({ where: { target: { in: [...zone.hostNames] } } });

for (const [kind, zone, target] of [
  ['dedicated processors go to the host that has some free', pinned, 'd'],
  ['a label go to a host that has it, however tightly another one would fit', zones, 'c'],
] as const) {
  story(`instances that need ${kind}, and no move is refused`, async ({ admin, db, manage }) => {
    manage(zone.project(1), acknowledge);
    const sessionId = await admin.create({ hosts: [zone.host('a')], workflow: 'vnf' });
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await targetsOf(db, zone)).toEqual([zone.host(target), zone.host(target)]);
    expect(await refusalsIn(db, zone)).toBe(0);
  });
}

story('says what is missing where, asks those who could free it, and completes when they have', async (stage) => {
  const { admin, db, manage } = stage;
  manage(fullZone.project(1), acknowledge);
  const other = manage(fullZone.project(2), acknowledge);
  const sessionId = await admin.create({ hosts: [fullZone.host('a')], workflow: 'vnf' });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'room');
  expect(reason.because).toContain('more on 1 other host with label zone-a');
  await removeInstance(db, fullZone.instance(2));
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(other.told.map(({ state }) => state)).toContain('SCALE_IN');
});

story('works on other hosts first, and on this one as soon as its instance can be moved', async (stage) => {
  const { admin, db, manage } = stage;
  manage(later.project(1), acknowledge);
  await setState(db, later.instance(1), 'SUSPENDED');
  const hosts = [later.host('a'), later.host('b'), later.host('c')];
  const sessionId = await admin.create({ hosts, workflow: 'vnf', max_parallel_hosts: 1 });
  const reason = await admin.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'state');
  expect(reason).toMatchObject({ who: later.host('a'), subject: later.project(1) });
  expect(reason).toMatchObject({ owner: 'project', help: 'let its project resume it' });
  expect(reason.because).toMatch(/ it is SUSPENDED$/);
  await setState(db, later.instance(1), 'ACTIVE');
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});

story('fails, and names the instance, when only a host is left that holds what nobody moves', async (stage) => {
  const { admin, db, manage } = stage;
  manage(stuck.project(1), acknowledge);
  await setState(db, stuck.instance(1), 'ERROR');
  const sessionId = await admin.create({ hosts: [stuck.host('a'), stuck.host('b')], workflow: 'vnf' });
  const { session, hosts } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
  expect(session.failure).toMatch(/instance vm-4-1 .* cannot be moved, since it is ERROR/);
  const done = hosts.filter(({ maintained }) => maintained).map(({ hostname }) => hostname);
  expect(done).toEqual([stuck.host('b')]);
  expect(await db.simHost.count({ where: { name: stuck.host('a'), disabled: true } })).toBe(0);
});

for (const [kind, zone, failure] of [
  ['is down', down, 'it is down, so nobody can move instance vm-5-1'],
  ['holds what fits nowhere else', nowhere, 'no other enabled compute host with label zone-a is that large'],
] as const) {
  story(`goes on without a host that ${kind}, where one may fail`, async ({ admin, db, manage }) => {
    manage(zone.project(1), acknowledge);
    if (zone === down) await setDown(db, down.host('a'), true);
    const request = { hosts: [zone.host('a'), zone.host('b')], workflow: 'vnf', max_failed_hosts: 1 };
    const { hosts } = await admin.until(await admin.create(request), 'MAINTENANCE_DONE');
    expect(hosts).toMatchObject([
      { hostname: zone.host('a'), phase: 'set_aside', details: expect.stringContaining(failure) as string },
      { hostname: zone.host('b'), phase: 'maintained' },
    ]);
  });
}

judgeTrace();
