/**
 * Scripts and modules in processes of their own: what they are told, what becomes of their output, and how they end.
 */
import { execFile, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { ActionPluginRun } from '../../../plugins/actions/action-plugin';
import { downloadedPlugin } from '../../../plugins/actions/downloaded-plugin';
import { runPluginProcess } from '../../../plugins/actions/plugin-process';
import { script } from '../../../plugins/actions/script';
import { eventually } from '../../waiting/eventually';

const runTypeScript = path.join(__dirname, '../../run/run-typescript.cjs');

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'parley-plugins-'));
  await mkdir(path.join(directory, 'actions'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

const inActions = (name: string): string => path.join(directory, 'actions', name);

const aRun = (changes: Partial<ActionPluginRun> = {}): ActionPluginRun => ({
  session: { id: '5f6c3c57-7d0b-4c0e-9a53-6d2f3f1c0003', workflow: 'default', state: 'PLANNED_MAINTENANCE' },
  host: { name: 'compute-1', type: 'compute' },
  metadata: {},
  earlierAttempts: 2,
  directory,
  signal: new AbortController().signal,
  log: () => undefined,
  ...changes,
});

const runScript = async (body: string, changes: Partial<ActionPluginRun> = {}) => {
  await writeFile(inActions('work.sh'), `#!/bin/sh\n${body}\n`, { mode: 0o700 });
  return script.run(aRun({ metadata: { script: 'work.sh' }, ...changes }));
};

const runModule = async (name: string, source: string, changes: Partial<ActionPluginRun> = {}) => {
  await writeFile(inActions(name), source);
  return downloadedPlugin(name, inActions(name)).run(aRun(changes));
};

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

const pidIn = async (file: string): Promise<number> =>
  eventually(`${file} holds a process ID`, async () => {
    const text = existsSync(file) ? await readFile(file, 'utf8') : '';
    return text.endsWith('\n') ? Number(text) : undefined;
  });

const untilGone = (pid: number) =>
  eventually(`process ${pid} is gone`, () => Promise.resolve(isAlive(pid) ? undefined : true));

describe('a script', () => {
  it('is told host, session and metadata in its environment, and nothing of the service', async () => {
    process.env['DATABASE_URL'] = 'postgresql://secret@localhost/parley';
    const { state } = await runScript('env | sort', { metadata: { script: 'work.sh', level: 3 } });
    delete process.env['DATABASE_URL'];
    const variables = new Map(
      (state ?? '').split('\n').map((line): [string, string] => {
        const [name = '', value = ''] = line.split(/=(.*)/s);
        return [name, value];
      }),
    );
    expect([...variables.keys()].filter((name) => !['PWD', 'SHLVL', '_', 'OLDPWD'].includes(name)).sort()).toEqual([
      'HOME',
      'LANG',
      'MAINTENANCE_DIRECTORY',
      'MAINTENANCE_EARLIER_ATTEMPTS',
      'MAINTENANCE_HOST',
      'MAINTENANCE_HOST_TYPE',
      'MAINTENANCE_METADATA',
      'MAINTENANCE_SESSION_ID',
      'MAINTENANCE_STATE',
      'MAINTENANCE_WORKFLOW',
      'PATH',
    ]);
    expect(Object.fromEntries(variables)).toMatchObject({
      MAINTENANCE_HOST: 'compute-1',
      MAINTENANCE_HOST_TYPE: 'compute',
      MAINTENANCE_STATE: 'PLANNED_MAINTENANCE',
      MAINTENANCE_METADATA: '{"script":"work.sh","level":3}',
      MAINTENANCE_DIRECTORY: directory,
      MAINTENANCE_EARLIER_ATTEMPTS: '2',
    });
  });

  it('has its output in the log and its last lines in the state', async () => {
    const logged: string[] = [];
    const { state } = await runScript('for n in $(seq 1 50); do echo line $n; done; echo warned >&2; printf end', {
      log: (line) => void logged.push(line),
    });
    expect(logged).toHaveLength(52);
    expect(state?.split('\n')).toHaveLength(20);
    expect(state).toContain('line 50');
    expect(state).toContain('warned');
    expect(state).toContain('end');
  });

  it.each([
    {
      situation: 'exits with another code than 0',
      body: 'echo no luck; exit 3',
      because: 'ended with exit code 3: no luck',
    },
    { situation: 'is ended by a signal', body: 'kill -KILL $$', because: 'was ended by SIGKILL' },
    { situation: 'calls what is not there', body: 'no-such-command', because: /ended with exit code 127: .*not found/ },
  ])('fails where it $situation', async ({ body, because }) => {
    const failed = runScript(body);
    await expect(failed).rejects.toThrow(because);
    await expect(failed).rejects.toMatchObject({ name: 'ActionPluginFailure' });
  });

  it.each([
    { situation: 'no name', metadata: {} },
    { situation: 'a number', metadata: { script: 7 } },
    { situation: 'a file outside', metadata: { script: '../../../../bin/sh' } },
    { situation: 'an absolute path', metadata: { script: '/bin/sh' } },
    { situation: 'what is not there', metadata: { script: 'nothing.sh' } },
    { situation: 'a file without the right to run', metadata: { script: 'plain.txt' } },
    { situation: 'a folder', metadata: { script: '.' } },
  ])('is not run where metadata names $situation', async ({ metadata }) => {
    await writeFile(inActions('plain.txt'), 'text', { mode: 0o600 });
    await expect(script.run(aRun({ metadata }))).rejects.toThrow('is not an executable file of the packages');
  });

  it('cannot be started without a program to run it', async () => {
    await writeFile(inActions('lost.sh'), '#!/no/such/program\n', { mode: 0o700 });
    await expect(script.run(aRun({ metadata: { script: 'lost.sh' } }))).rejects.toThrow(/cannot be started: .*ENOENT/);
  });

  it('bounds what it prints: endless lines, and what no database stores', async () => {
    const { state } = await runScript(`head -c 3000000 /dev/zero | tr '\\0' x; echo; printf 'a\\0b\\033[31m\\n'`);
    expect(state?.length).toBeLessThanOrEqual(4_000);
    expect(state).toContain('a b');
    expect(state?.replaceAll('\n', '')).not.toMatch(/\p{Cc}/u);
  });

  it('is ended with all its children when it is cancelled, also where it does not want to', async () => {
    const cancelled = new AbortController();
    const child = path.join(directory, 'child');
    const running = runScript(
      `trap '' TERM; sh -c 'trap "" TERM; echo $$ > ${child}; while :; do sleep 1; done' & wait`,
      {
        signal: cancelled.signal,
      },
    );
    running.catch(() => undefined);
    const pid = await pidIn(child);
    cancelled.abort();
    await expect(running).rejects.toMatchObject({ name: 'ActionPluginFailure' });
    await untilGone(pid);
  });

  it('ends what it left running when it ends itself', async () => {
    const child = path.join(directory, 'left');
    await runScript(`sh -c 'echo $$ > ${child}; exec sleep 600' & while [ ! -s ${child} ]; do sleep 0.1; done`);
    await untilGone(await pidIn(child));
  });

  it('is ended when the worker is killed', async () => {
    const child = path.join(directory, 'orphan');
    await writeFile(inActions('work.sh'), `#!/bin/sh\necho $$ > ${child}\nexec sleep 600\n`, { mode: 0o700 });
    const program = `
      const { script } = require(${JSON.stringify(path.join(__dirname, '../../../plugins/actions/script.ts'))});
      void script.run({ ...${JSON.stringify(aRun({ metadata: { script: 'work.sh' } }))},
        signal: new AbortController().signal, log: () => undefined });`;
    const worker = spawn(process.execPath, ['--require', runTypeScript, '-e', program], { stdio: 'ignore' });
    const pid = await pidIn(child);
    worker.kill('SIGKILL');
    await untilGone(pid);
  });
});

describe('a module', () => {
  it.each([
    {
      kind: 'an ES module',
      name: 'esm.mjs',
      source: 'export default { name: "esm", run: async () => ({ state: "done" }) };',
    },
    {
      kind: 'an ES module with a named export',
      name: 'named.mjs',
      source: 'export const run = async () => ({ state: "done" });',
    },
    {
      kind: 'CommonJS',
      name: 'plain.cjs',
      source: 'module.exports = { name: "plain", run: () => ({ state: "done" }) };',
    },
    { kind: 'CommonJS by its ending .js', name: 'plain.js', source: 'exports.run = () => ({ state: "done" });' },
    {
      kind: 'compiled to CommonJS',
      name: 'compiled.js',
      source: 'exports.__esModule = true; exports.default = { run: () => ({ state: "done" }) };',
    },
  ])('may be $kind', async ({ name, source }) => {
    expect(await runModule(name, source)).toEqual({ state: 'done' });
  });

  it('is given what it may know', async () => {
    const source = `export const run = ({ signal, log, ...rest }) => ({ state: JSON.stringify(rest) + signal.aborted });`;
    const { state } = await runModule('told.mjs', source, { metadata: { level: 3 } });
    const { session, host, metadata, earlierAttempts } = aRun({ metadata: { level: 3 } });
    expect(state).toBe(`${JSON.stringify({ session, host, metadata, directory, earlierAttempts })}false`);
  });

  it('has its last lines as state where it returns none', async () => {
    const source = 'export const run = ({ log }) => { log("one"); console.error("two"); };';
    expect(await runModule('silent.mjs', source)).toEqual({ state: expect.stringMatching(/one|two/) as string });
  });

  it.each([
    { situation: 'throws', source: 'export const run = () => { throw new Error("no luck"); };', because: /^no luck/ },
    {
      situation: 'rejects with no error',
      source: 'export const run = () => Promise.reject("no luck");',
      because: /^no luck/,
    },
    { situation: 'exports no run', source: 'export const walk = 1;', because: /exports no function named run/ },
    { situation: 'cannot be read', source: 'export const run = (', because: /Unexpected end of input/ },
    { situation: 'imports what is not there', source: 'import "./nothing.mjs";', because: /Cannot find module/ },
    {
      situation: 'exits',
      source: 'export const run = () => process.exit(0);',
      because: /without a result \(exit code 0\)/,
    },
    {
      situation: 'crashes',
      source: 'export const run = () => new Promise(() => setTimeout(() => { throw new Error("late"); }));',
      because: /without a result \(exit code 1\).*late/s,
    },
    {
      situation: 'exhausts its memory',
      source: 'export const run = () => process.abort();',
      because: /without a result \(SIGABRT\)/,
    },
  ])('fails where it $situation', async ({ source, because }) => {
    const failed = runModule('failing.mjs', source);
    await expect(failed).rejects.toThrow(because);
    await expect(failed).rejects.toMatchObject({ name: 'ActionPluginFailure' });
  });

  it('is told by its signal that it is to end', async () => {
    const cancelled = new AbortController();
    const ready = path.join(directory, 'ready');
    const source = `import { writeFileSync } from 'node:fs';
      export const run = ({ signal }) => new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('tidied up')));
        writeFileSync(${JSON.stringify(ready)}, process.pid + '\\n');
      });`;
    const file = inActions('patient.mjs');
    await writeFile(file, source);
    const run = { ...aRun({ signal: cancelled.signal }), directory };
    // Nobody waits for the end of this time: the process ends by itself.
    const running = runPluginProcess({ kind: 'module', file }, run, { graceMs: 600_000 });
    running.catch(() => undefined);
    await pidIn(ready);
    cancelled.abort();
    await expect(running).rejects.toThrow(/tidied up/);
  });
});

it('the example package runs', async () => {
  const packages = path.join(__dirname, '../../../examples/packages');
  const copy = await mkdtemp(path.join(tmpdir(), 'parley-example-'));
  await promisify(execFile)('cp', ['-r', `${packages}/.`, copy]);
  const metadata = { script: 'upgrade.sh', least_release: '2026.1' };
  const run = aRun({ directory: copy, metadata });
  const upgraded = await script.run(run);
  expect(upgraded.state).toContain('compute-1 has release 2026.2');
  expect((await script.run(run)).state).toContain('already');
  const checked = downloadedPlugin('check-release', path.join(copy, 'actions', 'check-release.mjs')).run(run);
  expect(await checked).toEqual({ state: 'release 2026.2' });
  await rm(copy, { recursive: true, force: true });
});
