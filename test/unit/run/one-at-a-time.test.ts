/** Processes that need the same build wait for each other, and not for one that was killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { oneAtATime } from '../../run/one-at-a-time';

const hook = path.join(__dirname, '../../run/run-typescript.cjs');
const source = path.join(__dirname, '../../run/one-at-a-time.ts');

let folder: string;
let lock: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-lock-'));
  lock = path.join(folder, 'cache', 'lock');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('at most one is at work, also after one that failed', async () => {
  let [atWork, most] = [0, 0];
  const work = async (): Promise<void> => {
    most = Math.max(most, (atWork += 1));
    await new Promise(setImmediate);
    atWork -= 1;
    throw new Error('it could not be built');
  };
  const ends = await Promise.allSettled([1, 2, 3].map(() => oneAtATime(lock, work)));
  expect([most, ...ends.map(({ status }) => status)]).toEqual([1, 'rejected', 'rejected', 'rejected']);
});

it('nobody waits for a process that was killed', async () => {
  const program = `
    const { oneAtATime } = require(${JSON.stringify(source)});
    void oneAtATime(${JSON.stringify(lock)}, async () => {
      console.log('held');
      await new Promise((resolve) => setInterval(() => undefined, 1000));
    });`;
  const other = spawn(process.execPath, ['--require', hook, '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(other.stdout, 'data');
  const waiting = oneAtATime(lock, () => Promise.resolve('built'));
  other.kill('SIGKILL');
  await expect(waiting).resolves.toBe('built');
});
