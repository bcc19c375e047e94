import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { anyFreePort } from '../../../cli/stack/ports';

/** `parley demo` as it is run: dist must be built (npm run test:integration builds it). */
const parley = path.join(__dirname, '../../../bin/parley');

describe('parley demo', () => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-demo-'));
  const demo = (port: number) =>
    spawn(process.execPath, [parley, 'demo'], {
      env: { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: String(port), PARLEY_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  let running: ReturnType<typeof demo>;

  beforeAll(() => chmodSync(dataDir, 0o755));

  afterAll(async () => {
    if (running.exitCode === null && running.kill('SIGTERM')) await once(running, 'exit');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('maintains its whole fleet within the limits of every group, and ends by itself', async () => {
    const port = await anyFreePort();
    running = demo(port);
    let output = '';
    running.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    running.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
    const [code] = (await once(running, 'close')) as [number | null];

    expect(output).toContain(`http://127.0.0.1:${port}/docs`);
    expect(output).toContain('session MAINTENANCE_DONE, 100 %');
    expect(output).toContain('vfw: switching over from fw-1 to fw-2');
    expect(output).toMatch(/Moves +\d+: .*1 MIGRATE \(forced\).*7 OWN_ACTION; fallbacks: 1\n/);
    expect(output).toMatch(/\n {2}mme +1 of 1\n/);
    expect(output).not.toContain('OVER ITS LIMIT');
    expect(code).toBe(0);
  });
});
