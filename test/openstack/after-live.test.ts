/** Live migrations after which Nova's records do not say at once, or not at all, where the server runs. */
import type { CloudDriver, MoveRequest, MoveStatus } from '../../clouds/cloud-driver';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { aMove, watchMove } from './rig/a-move';
import { openDriver } from './rig/driver-under-test';
import { actOn, findServer, listMigrations, makeServer, until, untilSettled } from './rig/operator';
import { abortMigrations, listActions } from './rig/server-actions';
import { removeFault, setFault } from './rig/switches';

let database: TestDatabase;
let driver: CloudDriver;
beforeAll(async () => {
  database = await createTestDatabase();
  driver = openDriver(database.db, { PARLEY_OPENSTACK_MOVES_PER_HOST: '0', PARLEY_OPENSTACK_NO_HOST_SECONDS: '0' });
});
afterAll(() => database.drop());

const untilOver = (move: MoveRequest): Promise<MoveStatus> => watchMove(driver, move);

const countActions = async (serverId: string, kind: string): Promise<number> =>
  (await listActions(serverId)).filter(({ action }) => action === kind).length;

const untilRunning = (serverId: string): Promise<true> =>
  until('the live migration runs', async () =>
    (await listMigrations(serverId)).some(({ status }) => status === 'running') ? true : undefined,
  );

const untilMigration = (serverId: string, wanted: string): Promise<true> =>
  until(`the migration is ${wanted}`, async () =>
    (await listMigrations(serverId))[0]?.status === wanted ? true : undefined,
  );

describe('a server in ERROR after a live migration that had begun', () => {
  it('on its source, by an older Nova, is neither reset nor moved, and both hosts are named', async () => {
    const server = await makeServer({ name: 'lost', host: 'compute-1' });
    await setFault(server.id, { fail: 'lost' });
    const move = aMove(server);
    await driver.startMove(move);
    const status = await untilOver(move);
    expect(status).toMatchObject({ kind: 'failed', isBlocked: true });
    expect(JSON.stringify(status)).toMatch(/ERROR on compute-1: its guest may run on compute-2/);
    await expect(driver.forceMove(move)).rejects.toThrow(/may run on compute-2/);
    expect(await driver.findInstance(server.id)).toMatchObject({
      departure: {
        kind: 'held',
        why: { owner: 'operator', because: expect.stringMatching(/compute-1 .* host compute-2/) as string },
      },
    });
    const next = aMove(server, { target: 'compute-3' });
    await expect(driver.startMove(next)).rejects.toThrow(/error/);
    await expect(driver.forceMove(next)).rejects.toThrow(/error/);
    expect(await findServer(server.id)).toMatchObject({ status: 'ERROR', 'OS-EXT-SRV-ATTR:host': 'compute-1' });
    expect(await listMigrations(server.id)).toHaveLength(1);
  });

  it('at the target, by a newer Nova, is done, and what is wrong is told', async () => {
    const server = await makeServer({ name: 'arrived', host: 'compute-1' });
    await setFault(server.id, { fail: 'arrive' });
    const move = aMove(server);
    await driver.startMove(move);
    const trouble = expect.stringMatching(/arrived on compute-2; Nova has set the server to ERROR/) as string;
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2', trouble });
    expect(await driver.forceMove(move)).toEqual({ kind: 'done', host: 'compute-2', trouble });
    expect(await listMigrations(server.id)).toHaveLength(1);
  });

  it.each([
    { what: 'failed', abort: false },
    { what: 'aborted by an operator', abort: true },
  ])('on its source, as libvirt leaves one that $what, is reset and moved live again', async ({ abort }) => {
    const server = await makeServer({ name: 'rolled-back', host: 'compute-1' });
    await setFault(server.id, { as_libvirt: true, seconds: 3600, ...(abort ? {} : { fail: 'run', seconds: 1 }) });
    const move = aMove(server);
    await driver.startMove(move);
    await untilRunning(server.id);
    if (abort) await abortMigrations(server.id);
    await untilMigration(server.id, 'error'); // no look has shown that it was rolled back
    await removeFault(server.id);
    const reason = expect.stringContaining('the guest had not left compute-1') as string;
    expect(await untilOver(move)).toEqual({ kind: 'again', reason });
    expect(await untilSettled(server.id)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': 'compute-1' });
    const next = aMove(server);
    await driver.startMove(next);
    expect(await untilOver(next)).toEqual({ kind: 'done', host: 'compute-2' });
    expect(await countActions(server.id, 'migrate')).toBe(0);
  });

  it('is not taken for failed in the second before Nova sets it to ERROR', async () => {
    const server = await makeServer({ name: 'too-early', host: 'compute-1' });
    await setFault(server.id, { as_libvirt: true, fail: 'run', times: 9 });
    const move = aMove(server);
    await driver.startMove(move);
    await untilMigration(server.id, 'failed');
    expect(await driver.observeMove(move)).toMatchObject({ kind: 'running' });
    expect((await untilOver(move)).kind).toBe('again');
    // The next one that fails so is forced, from a server that is well.
    const next = aMove(server);
    await driver.startMove(next);
    expect((await untilOver(next)).kind).toBe('failed');
    expect(await findServer(server.id)).toMatchObject({ status: 'ACTIVE' });
    await driver.forceMove(next);
    expect(await untilOver(next)).toEqual({ kind: 'done', host: 'compute-2' });
  });
});

it('a migration that Nova calls completed while its server stays MIGRATING is told, and never forced', async () => {
  const server = await makeServer({ name: 'held', host: 'compute-1' });
  await setFault(server.id, { stuck: true });
  const move = aMove(server);
  await driver.startMove(move);
  const stuck = await until('Nova is quoted', async () => {
    const status = await driver.observeMove(move);
    return status.kind === 'running' && status.isStuck === true ? status : undefined;
  });
  expect(stuck.progress).toMatch(/the migration is completed, and still shows the server as migrating on compute-1/);
  expect(await driver.forceMove(move)).toMatchObject({ kind: 'running' });
  expect(await countActions(server.id, 'migrate')).toBe(0);
  await actOn(server.id, { 'os-resetState': { state: 'active' } });
});

it('a server that an operator moves back at once is moved live again, and after the third time left alone', async () => {
  const server = await makeServer({ name: 'wanted', host: 'compute-1' });
  const ends: MoveStatus[] = [];
  for (const time of [1, 2, 3, 4]) {
    const move = aMove(server);
    await driver.startMove(move);
    await until(`it is away for the ${time}th time`, async () =>
      (await findServer(server.id))?.['OS-EXT-SRV-ATTR:host'] === 'compute-2' ? true : undefined,
    );
    await untilSettled(server.id);
    await actOn(server.id, { 'os-migrateLive': { host: 'compute-1', block_migration: 'auto' } });
    await until('it is back', async () =>
      (await findServer(server.id))?.['OS-EXT-SRV-ATTR:host'] === 'compute-1' ? true : undefined,
    );
    await untilSettled(server.id);
    ends.push(await untilOver(move));
  }
  expect(ends.map(({ kind }) => kind)).toEqual(['again', 'again', 'again', 'failed']);
  expect(ends.at(-1)).toMatchObject({ isBlocked: true });
  expect(JSON.stringify(ends[0])).toMatch(/was completed, and the server is on compute-1 again: user \w+ has moved it/);
  expect(await countActions(server.id, 'migrate')).toBe(0);
});
