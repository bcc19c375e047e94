/** The built programs, told to stop while they wait at their start: each says for what it waits, and ends. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import path from 'node:path';
import { Client } from 'pg';
import { anyFreePort } from '../../../cli/stack/ports';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const root = path.resolve(__dirname, '../../..');
/** Longer than a program's last words take, and far shorter than any wait. */
const endsWithinMs = 60_000;

/** A service that was told to stop ends well; the program after a restore has not done its work. */
const programs = [
  { program: 'api/main.js', code: 0 },
  { program: 'worker/main.js', code: 0 },
  { program: 'worker/restored/main.js', code: 1 },
] as const;

const silent = createServer();
let database: TestDatabase;
let holder: Client;
let port: number;
beforeAll(async () => {
  database = await createTestDatabase();
  port = await anyFreePort();
  holder = new Client({ connectionString: database.url });
  await holder.connect();
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
});
afterAll(async () => {
  silent.close();
  await holder.end();
  await database.drop();
});

const start = (program: string, temporalAddress: string) => {
  const env = {
    ...environmentOfRun(),
    DATABASE_URL: database.url,
    PARLEY_TEMPORAL_ADDRESS: temporalAddress,
    PARLEY_PORT: String(port),
  };
  const child = spawn(process.execPath, [path.join(root, 'dist', program)], { env, timeout: endsWithinMs * 3 });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (piece: Buffer) => (output += piece.toString()));
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  return { child, ended, output: () => output };
};

it.each(programs)('$program says why it waits for the database, and ends by SIGTERM', async ({ program, code }) => {
  await holder.query('SELECT pg_advisory_lock(7004)'); // as a process that migrates
  const running = start(program, testServices().temporalAddress);
  await eventually('the program says why it waits', () =>
    Promise.resolve(/migration of the database waits for other processes/.test(running.output()) || undefined),
  );
  running.child.kill('SIGTERM');
  await expect(running.ended).resolves.toEqual([code, null]);
  expect(running.output()).toMatch(/stopped while waiting for the database to be migrated/);
  await holder.query('SELECT pg_advisory_unlock(7004)');
});

it.each(programs)('$program ends by SIGTERM while Temporal says nothing', async ({ program, code }) => {
  const asked = once(silent, 'connection');
  const running = start(program, `127.0.0.1:${String((silent.address() as AddressInfo).port)}`);
  await asked;
  running.child.kill('SIGTERM');
  await expect(running.ended).resolves.toEqual([code, null]);
  expect(running.output()).toMatch(/stopped while waiting for Temporal at/);
});
