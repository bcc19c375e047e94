/** Facts about real Novas that a driver must know, each observed on the real Nova. */
import type { CloudDriver, MoveRequest, MoveStatus, RunningMove } from '../../clouds/cloud-driver';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { eventually } from '../waiting/eventually';
import { aMove, watchMove } from './rig/a-move';
import { openDriver } from './rig/driver-under-test';
import {
  enableOnly,
  findServer,
  listMigrations,
  makeAntiAffinityGroup,
  makeServer,
  makeServers,
  until,
} from './rig/operator';
import { audit, setFault } from './rig/switches';

let database: TestDatabase;
let driver: CloudDriver;
/** Believes Nova at once that there is no valid host. */
let hasty: CloudDriver;
beforeAll(async () => {
  database = await createTestDatabase();
  const unbounded = { PARLEY_OPENSTACK_MOVES_PER_HOST: '0' };
  driver = openDriver(database.db, unbounded);
  hasty = openDriver(database.db, { ...unbounded, PARLEY_OPENSTACK_NO_HOST_SECONDS: '0' });
});
afterAll(() => database.drop());

const untilOver = (move: MoveRequest, watcher = driver): Promise<MoveStatus> => watchMove(watcher, move);

describe('a move that Nova accepts', () => {
  it('and that never happens is asked for on other targets, in the words of Nova, and can then be made by force', async () => {
    const server = await makeServer({ name: 'refused-later', host: 'compute-1' });
    await setFault(server.id, { fail: 'check', times: 3 });
    for (const target of ['compute-2', 'compute-3']) {
      const move = aMove(server, { target });
      expect(await hasty.startMove(move)).toEqual({ kind: 'running' });
      const status = await untilOver(move, hasty);
      expect(status).toMatchObject({ kind: 'refused' });
      expect(JSON.stringify(status)).toMatch(new RegExp(` to ${target} failed: .*(told to refuse it|No valid host)`));
    }
    const last = aMove(server);
    await hasty.startMove(last);
    expect(await untilOver(last, hasty)).toMatchObject({ kind: 'failed' });
    expect(await findServer(server.id)).toMatchObject({ 'OS-EXT-SRV-ATTR:host': 'compute-1', status: 'ACTIVE' });
    await driver.forceMove(last);
    expect(await untilOver(last)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it.each([
    {
      what: "that the target's processor does not suit",
      fault: { fail: 'cpu', times: 1 },
      says: "Unacceptable CPU info: CPU doesn't have compatibility",
    },
    {
      what: 'that the target refuses in words that no table has',
      fault: { odd_check: ['compute-2'] },
      says: 'the planets are not in line',
    },
    {
      what: 'that fails while it runs, although its action ends without a message',
      fault: { fail: 'run', times: 1 },
      says: 'the migration ended as failed',
    },
  ] as const)('and $what is refused there in the words of Nova, and goes elsewhere live', async ({ fault, says }) => {
    const server = await makeServer({ name: 'choosy', host: 'compute-1' });
    await setFault(server.id, fault);
    const move = aMove(server);
    await driver.startMove(move);
    expect(await untilOver(move)).toMatchObject({
      kind: 'refused',
      reason: expect.stringContaining(says) as string,
    });
    const elsewhere = aMove(server, { target: 'compute-3' });
    await driver.startMove(elsewhere);
    expect(await untilOver(elsewhere)).toEqual({ kind: 'done', host: 'compute-3' });
  });

  it('and that fails while it runs on a second target as well has failed', async () => {
    const server = await makeServer({ name: 'failing', host: 'compute-1' });
    await setFault(server.id, { fail: 'run', times: 2 });
    for (const [target, kind] of [
      ['compute-2', 'refused'],
      ['compute-3', 'failed'],
    ] as const) {
      const move = aMove(server, { target });
      await driver.startMove(move);
      expect(await untilOver(move)).toMatchObject({ kind });
      expect(await findServer(server.id)).toMatchObject({ 'OS-EXT-SRV-ATTR:host': 'compute-1', status: 'ACTIVE' });
    }
  });

  it('and that lasts too long is hastened by force, and needs no second move', async () => {
    const server = await makeServer({ name: 'slow', host: 'compute-1' });
    await setFault(server.id, { seconds: 3600 });
    const move = aMove(server);
    await driver.startMove(move);
    await until('the live migration runs', async () =>
      (await listMigrations(server.id)).some(({ status }) => status === 'running') ? true : undefined,
    );
    await driver.forceMove(move);
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
    expect(await listMigrations(server.id)).toHaveLength(1);
  });
});

describe('a live migration', () => {
  const untilIt = (move: MoveRequest, what: string, isSo: (status: RunningMove) => boolean): Promise<RunningMove> =>
    eventually({ what, pollMs: 500 }, async () => {
      const status = await driver.observeMove(move);
      return status.kind === 'running' && isSo(status) ? status : undefined;
    });

  it('that Nova has not begun is known to wait, and when it has begun, since when', async () => {
    const server = await makeServer({ name: 'prepared', host: 'compute-1' });
    await setFault(server.id, { prepare_seconds: 3600, seconds: 3600 });
    const move = aMove(server);
    await driver.startMove(move);
    const waiting = await untilIt(move, 'it waits', ({ isQueued }) => isQueued === true);
    expect(waiting).toEqual({ kind: 'running', isQueued: true, progress: 'Nova has not begun it' });
    await setFault(server.id, { seconds: 3600 });
    const begun = await untilIt(move, 'it runs', ({ isQueued }) => isQueued !== true);
    expect(begun.beganAt).toBeInstanceOf(Date);
    await driver.forceMove(move);
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it('that copies on is known to make progress, with how much is left', async () => {
    const server = await makeServer({ name: 'copied', host: 'compute-1' });
    await setFault(server.id, { seconds: 120, progress: true });
    const move = aMove(server);
    await driver.startMove(move);
    const first = await untilIt(move, 'it makes progress', ({ progressAt }) => progressAt !== undefined);
    expect(first.progress).toMatch(/^\d+ of 1024 MB of memory and disks are left to copy, and no less since /);
    const isLater = ({ progressAt }: RunningMove) => progressAt!.getTime() > first.progressAt!.getTime();
    await untilIt(move, 'it makes more', isLater);
    await driver.forceMove(move);
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });
});

describe('members of one anti-affinity group', () => {
  it('that are sent to one host at once end apart: one is refused, or each for the other, and goes elsewhere by force', async () => {
    const group = await makeAntiAffinityGroup('two-at-once');
    await enableOnly(['compute-1', 'compute-2']);
    const servers = await makeServers([
      { name: 'first', group },
      { name: 'second', group },
    ]);
    await enableOnly(['compute-1', 'compute-2', 'compute-3', 'compute-4']);
    const moves = servers.map((server) =>
      aMove(server, { source: server['OS-EXT-SRV-ATTR:host']!, target: 'compute-3' }),
    );
    await Promise.all(moves.map((move) => hasty.startMove(move)));
    const landings = await Promise.all(moves.map(async (move) => ({ move, status: await untilOver(move, hasty) })));
    const refused = landings.filter(({ status }) => status.kind === 'failed' || status.kind === 'refused');
    expect(refused).not.toEqual([]);
    await audit();
    for (const [index, { move, status }] of refused.entries()) {
      expect(JSON.stringify(status)).toMatch(/affinity|No valid host/i);
      // When both were refused, compute-3 is free for the second.
      const elsewhere = { ...move, target: index === 0 ? 'compute-4' : 'compute-3' };
      await hasty.forceMove(elsewhere);
      expect(await untilOver(elsewhere)).toEqual({ kind: 'done', host: elsewhere.target });
    }
    const ended = await Promise.all(moves.map(({ instanceId }) => findServer(instanceId)));
    expect(ended).toMatchObject([{ status: 'ACTIVE' }, { status: 'ACTIVE' }]);
    expect(ended.map((server) => server!['OS-EXT-SRV-ATTR:host']).toSorted()).toEqual(['compute-3', 'compute-4']);
  });
});

describe('"No valid host"', () => {
  it('for a host that a member has just left goes by itself: Nova refuses the host, and says yes later', async () => {
    const group = await makeAntiAffinityGroup('leaving');
    await enableOnly(['compute-1', 'compute-2']);
    const servers = await makeServers([
      { name: 'stayer', group },
      { name: 'leaver', group },
    ]);
    await enableOnly(['compute-1', 'compute-2', 'compute-3']);
    await audit();
    const on = (host: string) => servers.find((server) => server['OS-EXT-SRV-ATTR:host'] === host)!;
    const leaving = aMove(on('compute-1'), { target: 'compute-3' });
    await driver.startMove(leaving);
    expect(await untilOver(leaving)).toEqual({ kind: 'done', host: 'compute-3' });
    const following = aMove(on('compute-2'), { source: 'compute-2', target: 'compute-1' });
    await driver.startMove(following);
    expect(await untilOver(following)).toMatchObject({ kind: 'refused', passesInSeconds: 180 });
    expect(await listMigrations(following.instanceId)).toHaveLength(1);
    await audit(); // comes by itself every two minutes
    const later = aMove(on('compute-2'), { source: 'compute-2', target: 'compute-1' });
    await driver.startMove(later);
    expect(await untilOver(later)).toEqual({ kind: 'done', host: 'compute-1' });
  });

  it('is told in the words of Nova, and asked for once', async () => {
    const group = await makeAntiAffinityGroup('too-close');
    await enableOnly(['compute-1', 'compute-2']);
    const servers = await makeServers([
      { name: 'one', group },
      { name: 'other', group },
    ]);
    const other = servers.find((server) => server['OS-EXT-SRV-ATTR:host'] === 'compute-2')!;
    const move = aMove(other, { source: 'compute-2', target: 'compute-1', action: 'MIGRATE' });
    await hasty.startMove(move);
    expect(await untilOver(move, hasty)).toMatchObject({
      kind: 'refused',
      reason: expect.stringMatching(/ to compute-1 failed: .*No valid host/) as string,
    });
    expect(await listMigrations(move.instanceId)).toHaveLength(1);
  });
});
