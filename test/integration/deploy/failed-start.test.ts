/**
 * The built programs, where something that they need is not there. Each ends with 1 by itself, and tells in one line
 * what would help.
 */
import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:net';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';
import { environmentOfRun } from '../../run/environment-of-run';
import { type AuthorizingTemporal, startAuthorizingTemporal } from '../rig/authorizing-temporal';
import { createBareNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const root = path.resolve(__dirname, '../../..');
const host = '127.0.0.1';
/** Connecting to a Temporal that does not answer takes 10 s, and a program's last words 2 s. */
const withinMs = 60_000;

interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stderr: string;
}

/** A program that does not end by itself is killed, and its signal tells so. */
const run = (program: string, env: NodeJS.ProcessEnv): Promise<Ended> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'dist', program)], { env, timeout: withinMs });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    child.on('close', (code, signal) => resolve({ code, signal, stderr }));
  });

const listenOnAny = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
};

describe('a program that cannot start', () => {
  const taken = createServer();
  let database: TestDatabase;
  let authorizing: AuthorizingTemporal;
  let bareNamespace: string;
  let [takenPort, freePort] = [0, 0];
  let whole: NodeJS.ProcessEnv;
  beforeAll(async () => {
    database = await createTestDatabase();
    const { temporalAddress } = testServices();
    authorizing = await startAuthorizingTemporal(temporalAddress);
    bareNamespace = await createBareNamespace(temporalAddress);
    [takenPort, freePort] = [await listenOnAny(taken), await anyFreePort()];
    whole = {
      ...environmentOfRun(),
      DATABASE_URL: database.url,
      PARLEY_TEMPORAL_ADDRESS: temporalAddress,
      PARLEY_PORT: String(freePort),
    };
  });
  afterAll(async () => {
    taken.close();
    authorizing.stop();
    await database.drop();
  });

  const [api, worker, restored] = ['api/main.js', 'worker/main.js', 'worker/restored/main.js'] as const;
  const causes = [
    {
      cause: 'a setting is misspelt',
      programs: [api, worker, restored],
      env: () => ({ PARLEY_SIM_SPED: '1' }),
      told: 'PARLEY_SIM_SPED is no setting; the nearest is PARLEY_SIM_SPEED',
    },
    {
      cause: 'PostgreSQL is refused',
      programs: [api, worker, restored],
      env: () => ({ DATABASE_URL: `postgresql://parley:secret@${host}:${String(freePort)}/parley` }),
      told: /PostgreSQL at 127\.0\.0\.1:\d+\/parley does not answer: start it, or correct DATABASE_URL/,
    },
    {
      cause: 'Temporal is refused',
      programs: [api, worker, restored],
      env: () => ({ PARLEY_TEMPORAL_ADDRESS: `${host}:${String(freePort)}` }),
      told: /Temporal at 127\.0\.0\.1:\d+ does not answer: start it, or correct PARLEY_TEMPORAL_ADDRESS/,
    },
    {
      cause: 'the namespace does not exist',
      programs: [api, worker, restored],
      env: () => ({ PARLEY_TEMPORAL_NAMESPACE: 'of-nobody' }),
      told: 'temporal operator namespace create --namespace of-nobody',
    },
    {
      cause: 'Temporal lets nobody change the namespace',
      programs: [api, worker, restored],
      env: () => ({ PARLEY_TEMPORAL_ADDRESS: authorizing.address, PARLEY_TEMPORAL_NAMESPACE: bareNamespace }),
      told: /let an administrator of Temporal run "temporal operator namespace update .*" and "temporal operator search-/,
    },
    {
      cause: 'the fleet file does not exist',
      programs: [api, worker],
      env: () => ({ PARLEY_FLEET: '/nowhere/fleet.json' }),
      told: 'PARLEY_FLEET: /nowhere/fleet.json: ENOENT',
    },
    {
      cause: 'the port for metrics is taken',
      programs: [api],
      env: () => ({ PARLEY_API_METRICS_PORT: String(takenPort) }),
      told: 'PARLEY_API_METRICS_PORT: it is taken',
    },
    {
      cause: 'the port for metrics is taken',
      programs: [worker],
      env: () => ({ PARLEY_WORKER_METRICS_PORT: String(takenPort) }),
      told: 'PARLEY_WORKER_METRICS_PORT: it is taken',
    },
    {
      cause: 'the port is taken',
      programs: [api],
      env: () => ({ PARLEY_PORT: String(takenPort) }),
      told: 'PARLEY_PORT: it is taken',
    },
  ];

  it.each(causes)('ends where $cause: $programs', async ({ programs, env, told }) => {
    const ends = await Promise.all(programs.map((program) => run(program, { ...whole, ...env() })));
    for (const { code, signal, stderr } of ends) {
      expect({ code, signal }).toEqual({ code: 1, signal: null });
      expect(stderr).toMatch(told);
      expect(stderr).not.toMatch(/\n\s+at |secret/);
    }
  });
});
