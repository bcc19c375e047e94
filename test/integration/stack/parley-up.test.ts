import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { localDatabaseUrl } from '../../../cli/stack/local-database';
import { anyFreePort } from '../../../cli/stack/ports';
import { sdkMetrics } from '../../builders/sdk-metrics';
import { eventually } from '../../waiting/eventually';

/** Runs `parley up` from dist, which must be built (npm run test:integration builds it). */
const root = path.join(__dirname, '../../..');
const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('parley up', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-up-'));
  const pidFiles = { postgres: 'postgres.pid', temporal: 'temporal.db.pid', api: 'api.pid', worker: 'worker.pid' };
  let port: number;
  let metricsPorts: { readonly api: number; readonly worker: number };
  const supervisors: ChildProcess[] = [];

  const pidOf = (file: string): number => Number(readFileSync(path.join(dataDir, file), 'utf8'));
  const pids = (): number[] => Object.values(pidFiles).map(pidOf);

  const up = (): { process: ChildProcess; output: () => string; exitCode: Promise<number | null> } => {
    const own = { DATABASE_URL: '', PARLEY_TEMPORAL_ADDRESS: '' };
    const child = spawn(process.execPath, [path.join(root, 'bin/parley'), 'up'], {
      env: {
        ...process.env,
        ...own,
        PARLEY_DATA_DIR: dataDir,
        PARLEY_PORT: String(port),
        PARLEY_API_METRICS_PORT: String(metricsPorts.api),
        PARLEY_WORKER_METRICS_PORT: String(metricsPorts.worker),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    supervisors.push(child);
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const exitCode = once(child, 'exit').then(([code]) => code as number | null);
    return { process: child, output: () => output, exitCode };
  };

  const isUp = ({ output }: { output: () => string }): Promise<true> =>
    eventually('Parley is up', () => Promise.resolve(output().includes('Parley is up') || undefined));

  const isReady = (): Promise<true> =>
    eventually('/readyz answers 200', async () => {
      const { status } = await fetch(`http://127.0.0.1:${port}/readyz`);
      return status === 200 || undefined;
    });

  const metricsAreServed = async (): Promise<void> => {
    const read = async (from: number) => (await fetch(`http://127.0.0.1:${from}/metrics`)).text();
    expect(await read(metricsPorts.api)).toMatch(/^parley_sessions\{state="MAINTENANCE"\} 0$/m);
    await eventually("the worker's own metrics and those of Temporal's SDK are there", async () => {
      const text = await read(metricsPorts.worker);
      const isThere = (name: string): boolean => text.includes(`\n# TYPE ${name} `);
      const ofSdk = Object.keys(sdkMetrics).filter((name) => sdkMetrics[name]?.isAlways);
      return /^parley_cloud_call/m.test(text) && ofSdk.every(isThere) ? true : undefined;
    });
  };

  const logLines = (name: string): string[] =>
    readFileSync(path.join(dataDir, 'logs', `${name}.log`), 'utf8')
      .trimEnd()
      .split('\n');

  const query = async (statement: string): Promise<unknown[]> => {
    const client = new Client({ connectionString: await localDatabaseUrl(dataDir) });
    await client.connect();
    try {
      return (await client.query<Record<string, unknown>>(statement)).rows;
    } finally {
      await client.end();
    }
  };

  beforeAll(async () => {
    chmodSync(dataDir, 0o755);
    port = await anyFreePort();
    metricsPorts = { api: await anyFreePort(), worker: await anyFreePort() };
  });

  afterAll(async () => {
    for (const supervisor of supervisors) {
      if (supervisor.exitCode !== null || supervisor.signalCode !== null) continue;
      supervisor.kill('SIGTERM');
      await once(supervisor, 'exit');
    }
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('runs the stack, outlives the death of each part and of itself, and stops cleanly', async () => {
    const first = up();
    await isUp(first);
    expect(first.output()).toContain(`http://127.0.0.1:${port}/docs`);
    await query('CREATE TABLE kept AS SELECT 7 AS value');
    await metricsAreServed();

    for (const [name, file] of Object.entries(pidFiles)) {
      const killed = pidOf(file);
      process.kill(killed, 'SIGKILL');
      await eventually(`${name} runs again`, () => Promise.resolve(pidOf(file) !== killed || undefined));
      await isReady();
    }

    // Parts that were away are a reason for warnings, from Temporal's native code as well.
    for (const line of [...logLines('worker'), ...logLines('api')]) {
      expect(line).toMatch(/^\{.*"time":"[^"]*Z".*\}$/);
      expect(() => JSON.parse(line) as unknown).not.toThrow();
    }

    const second = up();
    await expect(second.exitCode).resolves.toBe(1);
    expect(second.output()).toContain(`a stack already runs on ${dataDir}`);

    const leftOver = pids();
    first.process.kill('SIGKILL');
    await first.exitCode;
    const third = up();
    await isUp(third);
    expect(leftOver.filter(isAlive)).toEqual([]);
    await expect(query('SELECT value FROM kept')).resolves.toEqual([{ value: 7 }]);

    const running = pids();
    // a terminal that is closed: nobody reads any more, and SIGHUP comes
    third.process.stdout!.destroy();
    third.process.stderr!.destroy();
    third.process.kill('SIGHUP');
    await expect(third.exitCode).resolves.toBe(0);
    expect(running.filter(isAlive)).toEqual([]);
  });

  it('starts nothing where another service listens on its port, which would answer in its place', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port: taken } = other.address() as AddressInfo;
    const own = { DATABASE_URL: '', PARLEY_TEMPORAL_ADDRESS: '' };
    const child = spawn(process.execPath, [path.join(root, 'bin/parley'), 'up'], {
      env: { ...process.env, ...own, PARLEY_DATA_DIR: path.join(dataDir, 'other'), PARLEY_PORT: String(taken) },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    other.close();
    expect(code).toBe(1);
    expect(output).toContain(`port ${taken} of the API is taken`);
    expect(output).toContain('PARLEY_PORT');
  });

  it('says what is wrong with the settings and starts nothing', async () => {
    const child = spawn(process.execPath, [path.join(root, 'bin/parley'), 'up'], {
      env: { ...process.env, PARLEY_DATA_DIR: path.join(dataDir, 'none'), PARLEY_PORT: 'x', PARLEY_SIM_SPEED: '0' },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(1);
    expect(output).toMatch(/PARLEY_PORT is "x"[^]*PARLEY_SIM_SPEED is "0"/);
  });
});
