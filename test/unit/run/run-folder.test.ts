/** A run of tests leaves neither a process nor a folder, however it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { eventually } from '../../waiting/eventually';

const hook = path.join(__dirname, '../../run/run-typescript.cjs');
const runFolder = path.join(__dirname, '../../run/run-folder.ts');
const memoryFolder = path.join(__dirname, '../../run/memory-folder.ts');
const cache = path.join(__dirname, '../../../cli/stack/cache.ts');

/**
 * A run that has started a service of its own process group, as those of the tests are, has a folder in memory, and
 * fills the user's cache.
 */
const program = `
  const { openRunFolder } = require(${JSON.stringify(runFolder)});
  const { spawn } = require('node:child_process');
  const { mkdirSync } = require('node:fs');
  const path = require('node:path');
  const { inMemory } = require(${JSON.stringify(memoryFolder)});
  const { cacheFolder, fillInCache } = require(${JSON.stringify(cache)});
  const { folder, close } = openRunFolder();
  mkdirSync(inMemory(folder), { recursive: true });
  const service = spawn(process.execPath, ['--eval', 'setInterval(() => undefined, 1000)'], { detached: true, stdio: 'ignore' });
  void fillInCache(path.join(cacheFolder(process.env), 'a-program'), async (growing) => {
    console.log(JSON.stringify({ folders: [folder, inMemory(folder), growing], pid: service.pid }));
    await new Promise(() => undefined);
  });
  process.on('message', () => void close().then(() => process.exit()));
  setInterval(() => undefined, 1000);
`;

/** A run that has started the other one, as that of everything starts that of the integration tests. */
const programAround = `
  const { openRunFolder } = require(${JSON.stringify(runFolder)});
  const { spawn } = require('node:child_process');
  openRunFolder();
  spawn(process.execPath, ${JSON.stringify(['--require', hook, '--eval', program])}, { stdio: 'inherit' });
  setInterval(() => undefined, 1000);
`;

let userCache: string;
beforeAll(() => (userCache = mkdtempSync(path.join(tmpdir(), 'parley-cache-'))));
afterAll(() => rmSync(userCache, { recursive: true }));

interface Begun {
  readonly folders: readonly string[];
  readonly pid: number;
}

const beginRun = async (text: string): Promise<Begun & { readonly run: ChildProcess }> => {
  const run = spawn(process.execPath, ['--require', hook, '--eval', text], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: { ...process.env, XDG_CACHE_HOME: userCache },
  });
  const [line] = (await once(createInterface({ input: run.stdout! }), 'line')) as [string];
  return { run, ...(JSON.parse(line) as Begun) };
};

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

it.each([
  { how: 'ends by itself', end: (run: ChildProcess) => run.send('close') },
  { how: 'is stopped by Ctrl-C', end: (run: ChildProcess) => run.kill('SIGINT') },
  { how: 'loses its terminal', end: (run: ChildProcess) => run.kill('SIGHUP') },
  { how: 'is killed', end: (run: ChildProcess) => run.kill('SIGKILL') },
  { how: 'is killed with the run around it', text: programAround, end: (run: ChildProcess) => run.kill('SIGKILL') },
])('leaves nothing when it $how', async ({ text = program, end }) => {
  const { run, folders, pid } = await beginRun(text);
  expect([isAlive(pid), ...folders.map(existsSync)]).toEqual([true, true, true, true]);
  end(run);
  await eventually('its service has ended', () => Promise.resolve(isAlive(pid) ? undefined : true));
  await eventually('its folders are gone', () => Promise.resolve(folders.some(existsSync) ? undefined : true));
});
