import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { takeDataFolder } from '../../../cli/stack/only-one';

const root = path.join(__dirname, '../../..');
/** No process has this ID: Linux and macOS give out smaller ones. */
const nobodysPid = 2 ** 31 - 1;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'parley-only-one-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Takes each folder that it is sent and keeps it; answers with what came of that. */
const supervisor = `
  const { takeDataFolder } = require('./cli/stack/only-one.ts');
  process.on('message', (folder) =>
    takeDataFolder(folder).then(() => process.send('taken'), (error) => process.send(error.message)));
  process.send('ready');`;

const answerOf = async (child: ChildProcess): Promise<string> => ((await once(child, 'message')) as [string])[0];

const startSupervisor = async (): Promise<ChildProcess> => {
  const execArgv = ['--require', './test/run/run-typescript.cjs', '--eval', supervisor, '--'];
  const child = fork('parley', ['up'], { cwd: root, execArgv });
  await answerOf(child);
  return child;
};

it.each([
  { before: 'nobody', left: undefined },
  { before: 'a supervisor that was killed', left: nobodysPid },
])('gives a folder that $before had to one of those who want it at once; the others name it', async ({ left }) => {
  const supervisors = await Promise.all([1, 2, 3].map(startSupervisor));
  const pids = supervisors.map(({ pid }) => String(pid));
  try {
    for (let round = 1; round <= 10; round++) {
      const contested = path.join(folder, String(round));
      mkdirSync(contested);
      if (left !== undefined) symlinkSync(String(left), path.join(contested, 'supervisor.1'));
      const answers = supervisors.map(answerOf);
      for (const each of supervisors) each.send(contested);
      const outcomes = await Promise.all(answers);
      const winner = pids[outcomes.indexOf('taken')];
      const refusal = expect.stringContaining(`already runs on ${contested} (process ${winner})`) as string;
      expect(outcomes.toSorted()).toEqual([refusal, refusal, 'taken']);
    }
  } finally {
    for (const each of supervisors) each.disconnect();
    await Promise.all(supervisors.map((each) => once(each, 'exit')));
  }
});

it('keeps the folder until it is given free, whoever had it before', async () => {
  const giveFree = await takeDataFolder(folder);
  await takeDataFolder(folder);
  await giveFree();
  const other = await startSupervisor();
  other.send(folder);
  expect(await answerOf(other)).toBe('taken');
  await giveFree();
  await expect(takeDataFolder(folder)).rejects.toThrow(`(process ${String(other.pid)})`);
  other.disconnect();
  await once(other, 'exit');
  await (
    await takeDataFolder(folder)
  )();
});
