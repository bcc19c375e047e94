import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

/** Writes without end, and tells when what it writes has begun to fail; the demo shows its progress so. */
const command = `
  const { stopSignal } = require('./cli/stop-signal.ts');
  const signal = stopSignal();
  const timer = setInterval(() => { process.stdout.write('still here '); process.stderr.write('and here '); }, 1);
  process.stdout.once('error', () => process.send('unheard'));
  signal.addEventListener('abort', () => { clearInterval(timer); process.send(signal.reason.message); process.disconnect(); });
  process.send('ready');`;

it.each(['SIGHUP', 'SIGTERM'] as const)(
  'outlives a terminal that is closed, and is told to stop by %s',
  async (name) => {
    const execArgv = ['--require', './test/run/run-typescript.cjs', '--eval', command, '--'];
    const child = fork('parley', ['demo'], { cwd: root, execArgv, silent: true });
    expect(await once(child, 'message')).toContain('ready');
    child.stdout!.destroy();
    child.stderr!.destroy();
    expect(await once(child, 'message')).toContain('unheard');
    child.kill(name);
    expect(await once(child, 'message')).toContain(`stopped by ${name}`);
    expect(await once(child, 'exit')).toEqual([0, null]);
  },
);
