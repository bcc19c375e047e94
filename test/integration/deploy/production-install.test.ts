/**
 * A production install (deploy/production-install.mjs) runs a session, its API and its worker as processes of their
 * own, in a folder where they find nothing but what it holds.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort, isListening } from '../../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { aFleetFile, aFleetHost, aFleetInstance } from '../../builders/a-fleet-file';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { anAdmin } from '../rig/admin';
import { createNamespace } from '../rig/namespace';
import { testServices } from '../setup/services';
import { createTestDatabase, type TestDatabase } from '../setup/test-database';

const root = path.join(__dirname, '../../..');

describe('a production install', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-production-'));
  const running: ServiceProcess[] = [];
  let database: TestDatabase;
  let install: string;
  let environment: NodeJS.ProcessEnv;
  let port: number;

  interface Start {
    /** The version's own folder. */
    readonly of?: string;
    readonly port?: number;
  }

  const start = async (program: 'api' | 'worker', given: Start = {}): Promise<ServiceProcess> => {
    const { of = install, port: ownPort = port } = given;
    const name = `${program}-${String(running.length)}`;
    const service = await startProcess({
      name,
      command: process.execPath,
      args: [path.join(of, 'dist', program, 'main.js')],
      env: { ...environment, PARLEY_PORT: String(ownPort) },
      logFile: path.join(folder, `${name}.log`),
      pidFile: path.join(folder, `${name}.pid`),
      mark: of,
      stopSignal: 'SIGTERM',
    });
    running.push(service);
    return service;
  };

  const untilListening = (api: ServiceProcess, itsPort: number): Promise<void> =>
    waitUntilReady(api, {
      isReady: () => isListening(itsPort),
      withinMs: 300_000,
      logFile: path.join(folder, 'api-0.log'),
    });

  const claimsOf = async (sessionId: string): Promise<string[]> =>
    (await database.db.claim.findMany({ where: { sessionId } })).map(({ id }) => id);

  const run = (script: string) =>
    spawnSync(process.execPath, [path.join(install, 'dist', script)], { env: environment, encoding: 'utf8' });

  /** The command of a container's health check. */
  const health = (program: 'api' | 'worker') => run(`${program}/health/main.js`);

  beforeAll(async () => {
    install = path.join(folder, 'parley');
    execFileSync(process.execPath, [path.join(root, 'deploy/production-install.mjs'), install], { stdio: 'ignore' });
    database = await createTestDatabase();
    port = await anyFreePort();
    const { temporalAddress, kafkaBrokers } = testServices();
    const fleet = path.join(folder, 'fleet.json');
    const hosts = ['one', 'two'].map((name) => aFleetHost({ name, maintenance_s: 1 }));
    writeFileSync(fleet, JSON.stringify(aFleetFile({ hosts, instances: [aFleetInstance({ host: 'one' })] })));
    environment = {
      ...environmentOfRun(),
      DATABASE_URL: database.url,
      PARLEY_TEMPORAL_ADDRESS: temporalAddress,
      PARLEY_TEMPORAL_NAMESPACE: await createNamespace(temporalAddress),
      KAFKA_BROKERS: kafkaBrokers.join(','),
      PARLEY_KAFKA_TOPIC: 'production-install',
      PARLEY_PORT: String(port),
      PARLEY_FLEET: fleet,
      PARLEY_SIM_SPEED: '100',
      PARLEY_PROJECT_REPLY_SECONDS: '1',
    };
  });

  afterAll(async () => {
    for (const service of running) await service.stop();
    await database.drop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('is smaller than 250 MB', () => {
    const kilobytes = Number.parseInt(execFileSync('du', ['-sk', install], { encoding: 'utf8' }), 10);
    expect(kilobytes).toBeGreaterThan(10_000);
    expect(kilobytes).toBeLessThan(250_000);
  });

  it('takes a session to its end, and its health checks tell whether it can', async () => {
    expect(health('api').status).toBe(1);
    await untilListening(await start('api'), port);
    expect(health('api')).toMatchObject({ status: 0, stderr: '' });
    expect(health('worker')).toMatchObject({ status: 1, stderr: expect.stringContaining('no worker of') as string });
    const restored = run('worker/restored/main.js');
    expect(restored).toMatchObject({ status: 0, stdout: expect.stringContaining('may be started') as string });
    await start('worker');
    const admin = anAdmin(`http://127.0.0.1:${port}/v1`);
    const sessionId = await admin.create({ actions: [{ plugin: 'dummy', type: 'host' }] });
    const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(detail.percent_done).toBe(100);
    const listed = spawnSync(path.join(install, 'bin/parley'), ['list', '-o', 'name'], {
      env: {
        ...environmentOfRun(),
        PATH: `${path.dirname(process.execPath)}:${process.env['PATH'] ?? ''}`,
        PARLEY_URL: `http://127.0.0.1:${port}`,
      },
      encoding: 'utf8',
    });
    expect(listed).toMatchObject({ status: 0, stdout: `session/${sessionId}\n`, stderr: '' });
    expect(health('worker')).toMatchObject({ status: 0, stderr: '' });
    const tooEarly = { status: 1, stderr: expect.stringContaining('stop all workers') as string };
    expect(run('worker/restored/main.js')).toMatchObject(tooEarly);
  });

  it('goes on with a session under way beside an API and a worker of another build, also when its own are stopped', async () => {
    const old = [...running];
    const actions = [{ plugin: 'dummy', type: 'host', metadata: { seconds: 3 } }];
    const sessionId = await anAdmin(`http://127.0.0.1:${port}/v1`).create({ actions });
    const newPort = await anyFreePort();
    await untilListening(await start('api', { of: root, port: newPort }), newPort);
    await start('worker', { of: root });
    const admin = anAdmin(`http://127.0.0.1:${newPort}/v1`);
    const isUnderWay = async () =>
      (await database.db.sessionHost.count({ where: { sessionId, announcedAt: { not: null } } })) || undefined;
    await eventually({ what: 'a host is in maintenance', ...admin.watching(sessionId) }, isUnderWay);
    for (const service of old) await service.stop();
    const detail = await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(detail.percent_done).toBe(100);
    const moves = await database.db.simMove.findMany({ where: { claimId: { in: await claimsOf(sessionId) } } });
    expect(moves.map(({ status }) => status)).toEqual(['done']);
  });
});
