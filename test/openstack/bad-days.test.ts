/**
 * Days on which OpenStack is not well: what is tried again, what is refused and in which words, and that nothing hangs.
 */
import { randomUUID } from 'node:crypto';
import { anyFreePort } from '../../cli/stack/ports';
import { type CloudDriver, CloudRefusal, type MoveRequest, type MoveStatus } from '../../clouds/cloud-driver';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { aMove, watchMove } from './rig/a-move';
import { openDriver } from './rig/driver-under-test';
import { type FaultyService, openFaultyKeystone, openFaultyNova } from './rig/faulty-nova';
import {
  actOn,
  deleteServer,
  enableOnly,
  findServer,
  listComputes,
  listMigrations,
  makeServer,
  until,
} from './rig/operator';
import { removeFault, setFault, startCompute, stopCompute } from './rig/switches';

let database: TestDatabase;
let nova: FaultyService;
let keystone: FaultyService;
let driver: CloudDriver;

/** A driver of its own, whose ways to Keystone and Nova go through the faulty services. */
const aDriver = (environment: Readonly<Record<string, string>> = {}): CloudDriver =>
  openDriver(database.db, {
    OS_AUTH_URL: keystone.url,
    OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url,
    PARLEY_OPENSTACK_NO_HOST_SECONDS: '0',
    ...environment,
  });

beforeAll(async () => {
  database = await createTestDatabase();
  [nova, keystone] = await Promise.all([openFaultyNova(), openFaultyKeystone()]);
  driver = aDriver();
  await driver.ping();
});
afterEach(() => {
  nova.heal();
  keystone.heal();
});
afterAll(async () => {
  await Promise.all([nova.close(), keystone.close()]);
  await database.drop();
});

const untilOver = (move: MoveRequest): Promise<MoveStatus> => watchMove(driver, move);

const errorOf = async (call: Promise<unknown>): Promise<Error> => {
  const thrown: unknown = await call.then(
    () => new Error('nothing was thrown'),
    (error: unknown) => error,
  );
  return thrown as Error;
};

const logins = (): number => keystone.calls.filter(({ path }) => path.endsWith('/auth/tokens')).length;

describe('letting us in', () => {
  it('wrong credentials are reported with the user and the settings to check, never with the password', async () => {
    const error = await errorOf(aDriver({ OS_PASSWORD: 'a-wrong-secret' }).listHosts());
    expect(error.name).toBe('KeystoneRefusal');
    expect(error.message).toMatch(/does not let user parley in \(401\): .*Check the OS_\* settings\.$/s);
    expect(JSON.stringify(error) + error.message + (error.stack ?? '')).not.toContain('a-wrong-secret');
  });

  it('a token that Nova refuses in the middle is replaced once, by one login for all who wait', async () => {
    const before = logins();
    for (const path of [/servers\/detail/, /os-server-groups/, /os-services/])
      nova.answerOnce({ path }, { status: 401 });
    await Promise.all([driver.listInstances(), driver.listGroups(), driver.listHosts()]);
    expect(logins()).toBe(before + 1);
  });

  it('a user who is refused for good is told so after one more login', async () => {
    const before = logins();
    nova.answerAlways({}, { status: 401, body: { error: { message: 'not with me' } } });
    expect((await errorOf(driver.listInstances())).message).toContain('Nova answered 401 to GET');
    expect(logins()).toBe(before + 1);
  });

  it('while Keystone is away, the token that is held goes on serving', async () => {
    keystone.answerAlways({}, 'silence');
    await expect(driver.listInstances()).resolves.toBeDefined();
  });
});

describe('answers that are none', () => {
  it('an endpoint that does not answer is given up within the time limit, and used again when it does', async () => {
    const hasty = aDriver({ PARLEY_OPENSTACK_TIMEOUT_SECONDS: '3' });
    // Each call may take too long on a busy machine; what has succeeded is kept.
    await until('it is logged in and has negotiated the micro-version', async () => {
      await hasty.findInstance(randomUUID());
      return true;
    });
    nova.answerAlways({}, 'silence');
    const error = await errorOf(hasty.listInstances());
    expect(error.message).toMatch(/GET .*\/servers\/detail.* got no answer: none within 3 s/);
    nova.heal();
    await expect(driver.listInstances()).resolves.toBeDefined();
  });

  it('an address where nobody listens is named', async () => {
    const authUrl = `http://127.0.0.1:${await anyFreePort()}/v3`;
    const error = await errorOf(aDriver({ OS_AUTH_URL: authUrl }).ping());
    expect(error.message).toContain(`Keystone does not answer at ${authUrl}/auth/tokens: `);
    expect(error.message).toContain('ECONNREFUSED');
  });

  it.each([
    { answer: '429, with the pause that Nova asks for', status: 429, headers: { 'retry-after': '1' }, leastMs: 1000 },
    { answer: '503', status: 503, headers: {}, leastMs: 0 },
    { answer: '500', status: 500, headers: {}, leastMs: 0 },
  ])('a listing is tried again after $answer', async ({ status, headers, leastMs }) => {
    nova.answerOnce({ path: /servers\/detail/ }, { status, headers }, 2);
    const startedMs = Date.now();
    await expect(driver.listInstances()).resolves.toBeDefined();
    expect(Date.now() - startedMs).toBeGreaterThanOrEqual(2 * leastMs);
  });

  it('5xx without end is reported in the words of Nova, and is no refusal: it may be tried later', async () => {
    nova.answerAlways(
      { path: /servers\/detail/ },
      { status: 503, body: { error: { message: 'the database is away' } } },
    );
    const error = await errorOf(driver.listInstances());
    expect(error).not.toBeInstanceOf(CloudRefusal);
    expect(error.message).toContain('Nova answered 503 to GET /v2.1/servers/detail: the database is away');
  });
});

describe('asking for a move', () => {
  it('whose answer is lost is not asked for twice: the next call finds what Nova began', async () => {
    const server = await makeServer({ name: 'unheard', host: 'compute-1' });
    const move = aMove(server);
    nova.answerOnce({ method: 'POST', path: /action/ }, 'lost answer');
    expect((await errorOf(driver.startMove(move))).name).toBe('NoAnswer');
    expect((await driver.startMove(move)).kind).not.toBe('failed');
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
    expect(await listMigrations(server.id)).toHaveLength(1);
  });

  it('that Nova never got is asked for again', async () => {
    const server = await makeServer({ name: 'unsaid', host: 'compute-1' });
    const move = aMove(server);
    nova.answerOnce({ method: 'POST', path: /action/ }, { status: 502 });
    expect((await errorOf(driver.startMove(move))).message).toContain('502');
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it('too soon (429) is repeated within the call', async () => {
    const server = await makeServer({ name: 'too-soon', host: 'compute-1' });
    const move = aMove(server);
    nova.answerOnce({ method: 'POST', path: /action/ }, { status: 429 });
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it('of a server that Nova does something else with (409) is refused with server and hosts named', async () => {
    const server = await makeServer({ name: 'busy', host: 'compute-1' });
    const conflict = { conflictingRequest: { message: 'Cannot do it while the instance is being backed up' } };
    nova.answerOnce({ method: 'POST', path: /action/ }, { status: 409, body: conflict });
    const error = await errorOf(driver.startMove(aMove(server)));
    expect(error).toBeInstanceOf(CloudRefusal);
    expect(error.message).toContain(`busy (${server.id}) from compute-1 to compute-2: Cannot do it while`);
  });

  it('of a server that has just become busy (409) begins later, and is no refusal', async () => {
    const server = await makeServer({ name: 'busier', host: 'compute-1' });
    const message = `Cannot 'os-migrateLive' instance ${server.id} while it is in task_state image_backup`;
    nova.answerOnce({ method: 'POST', path: /action/ }, { status: 409, body: { conflictingRequest: { message } } });
    const move = aMove(server);
    expect(await driver.startMove(move)).toEqual({ kind: 'later', waitsFor: 'instance', because: message });
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it('whose target policy keeps us from naming is left to the scheduler, and the service knows', async () => {
    const other = aDriver(); // services are known for some seconds, and these are others
    await enableOnly(['compute-1', 'compute-4']);
    const server = await makeServer({ name: 'untargeted', host: 'compute-1' });
    expect(await other.choosesTarget()).toBe(true);
    const forbidden = { forbidden: { message: "Policy doesn't allow migrate_live:host to be performed." } };
    nova.answerOnce({ method: 'POST', path: /action/ }, { status: 403, body: forbidden });
    const move = aMove(server, { target: 'compute-4' });
    expect(await other.startMove(move)).toEqual({ kind: 'running' });
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-4' });
    expect(await driver.choosesTarget()).toBe(false);
    await enableOnly(['compute-1', 'compute-2', 'compute-3']);
  });
});

it('moves that are looked at together cost Nova one list, however many they are', async () => {
  const together = aDriver({ PARLEY_OPENSTACK_MOVES_PER_HOST: '0' });
  const servers = [];
  for (const number of [1, 2, 3, 4, 5]) servers.push(await makeServer({ name: `flock-${number}`, host: 'compute-1' }));
  for (const { id } of servers) await setFault(id, { seconds: 15 });
  const moves = servers.map((server) => aMove(server));
  for (const move of moves) expect(await together.startMove(move)).toEqual({ kind: 'running' });
  const before = nova.calls.length;
  const seen = await Promise.all(moves.map((move) => together.observeMove(move)));
  expect(seen.map(({ kind }) => kind)).toEqual(moves.map(() => 'running'));
  const looks = nova.calls.slice(before).filter(({ path }) => !path.includes('/migrations'));
  expect(looks.map(({ path }) => path.replace(/^.*\/servers\//, '').split('?')[1])).toContain(
    'all_tenants=1&status=MIGRATING&status=RESIZE',
  );
  expect(looks.length).toBeLessThanOrEqual(3);
  for (const move of moves) expect(await watchMove(together, move)).toEqual({ kind: 'done', host: 'compute-2' });
});

describe('servers and hosts that are not well', () => {
  it('a server in ERROR is not moved, and is named', async () => {
    const server = await makeServer({ name: 'broken', host: 'compute-1' });
    await actOn(server.id, { 'os-resetState': { state: 'error' } });
    const error = await errorOf(driver.startMove(aMove(server)));
    expect(error).toBeInstanceOf(CloudRefusal);
    expect(error.message).toContain(`broken (${server.id})`);
    expect(error.message).toContain('error');
  });

  it('a server that ends in ERROR after its migration was rolled back is reset, and moves live again', async () => {
    const server = await makeServer({ name: 'breaking', host: 'compute-1' });
    await setFault(server.id, { seconds: 4, fail: 'run' });
    const move = aMove(server);
    await driver.startMove(move);
    await actOn(server.id, { 'os-resetState': { state: 'error' } });
    await until('the live migration is over', async () =>
      (await listMigrations(server.id)).some(({ status }) => ['failed', 'error'].includes(status)) ? true : undefined,
    );
    expect(await untilOver(move)).toMatchObject({ kind: 'again' });
    const next = aMove(server);
    await driver.startMove(next);
    expect(await untilOver(next)).toEqual({ kind: 'done', host: 'compute-2' });
    expect(await findServer(server.id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('a server deleted in the middle of a cold move is gone', async () => {
    const server = await makeServer({ name: 'vanishing', host: 'compute-1' });
    await setFault(server.id, { cold_seconds: 3 });
    const move = aMove(server, { action: 'MIGRATE' });
    await driver.startMove(move);
    await deleteServer(server.id);
    expect(await untilOver(move)).toEqual({ kind: 'gone' });
  });

  it('a cold move that does not end cannot be aborted, which is said, and it may still come through', async () => {
    const server = await makeServer({ name: 'endless', host: 'compute-1' });
    await setFault(server.id, { cold_seconds: 3600 });
    const move = aMove(server, { action: 'MIGRATE' });
    await driver.startMove(move);
    expect(await driver.abortMove(move)).toEqual({ kind: 'running' });
    await removeFault(server.id);
    expect(await untilOver(move)).toEqual({ kind: 'done', host: 'compute-2' });
  });

  it('a cold move that nobody watches any more is confirmed when it has arrived', async () => {
    const server = await makeServer({ name: 'forgotten', host: 'compute-1' });
    const move = aMove(server, { action: 'MIGRATE' });
    await driver.startMove(move);
    const told = await until('it is told as over', async () =>
      (await driver.watchLeftOvers!()).find(({ claimId, host }) => claimId === move.claimId && host !== undefined),
    );
    expect(told).toMatchObject({ host: 'compute-2', words: expect.stringContaining(server.id) as string });
    expect(await findServer(server.id)).toMatchObject({ status: 'ACTIVE' });
  });

  it('a host whose compute service is down is seen to be, and is no target', async () => {
    const server = await makeServer({ name: 'staying', host: 'compute-1' });
    await stopCompute('compute-3');
    await until('compute-3 is down', async () =>
      (await listComputes()).some(({ host, state }) => host === 'compute-3' && state === 'down') ? true : undefined,
    );
    const seen = (await driver.listHosts()).find(({ name }) => name === 'compute-3');
    expect(seen).toMatchObject({ isUp: false, enabled: true });
    const error = await errorOf(driver.startMove(aMove(server, { target: 'compute-3' })));
    expect(error).toBeInstanceOf(CloudRefusal);
    expect(error.message).toContain('nova-compute on compute-3 is down');
    await startCompute('compute-3');
  });
});
