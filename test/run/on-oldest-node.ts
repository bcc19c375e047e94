/**
 * Runs the unit tests and one whole session, the demo's, on the oldest Node.js that Parley allows; everything else is
 * tested on that of dev/tools/node. Arguments go to Jest. The demo runs what `npm run build` has made, and has to tell
 * what is expected of it: no other test runs it.
 */
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { anyFreePort } from '../../cli/stack/ports';
import { findOldestNode, oldestNodeVersion } from './oldest-node';
import { openRunFolder } from './run-folder';

const root = path.join(__dirname, '../..');

/** The demo's fleet is maintained within the limits of every group. */
const expectedOfDemo = [
  /http:\/\/127\.0\.0\.1:\d+\/docs/,
  /session MAINTENANCE_DONE, 100 %/,
  /vfw: switching over from fw-1 to fw-2/,
  /Moves +\d+: .*1 MIGRATE \(forced\).*7 OWN_ACTION; fallbacks: 1\n/,
  /\n {2}mme +1 of 1\n/,
  /^(?!.*OVER ITS LIMIT)/s,
];

/** It ends by itself. */
const runDemo = async (node: string, dataDir: string): Promise<boolean> => {
  const port = String(await anyFreePort()); // the demo's usual one may be that of another run
  const env = { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_PORT: port, PARLEY_LOG_LEVEL: 'silent' };
  const { status, error, stdout } = spawnSync(node, ['bin/parley', 'demo'], {
    cwd: root,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (error !== undefined) throw error;
  console.log(stdout);
  const missing = expectedOfDemo.filter((expected) => !expected.test(stdout));
  for (const each of missing) console.log(`FAIL the demo's output does not match ${String(each)}`);
  return status === 0 && missing.length === 0;
};

const runUnitTests = (node: string): boolean => {
  const args = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--maxWorkers=100%'];
  const { status, error } = spawnSync(node, [...args, ...process.argv.slice(2)], { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status === 0;
};

const main = async (): Promise<void> => {
  const { folder, close } = openRunFolder();
  const node = await findOldestNode();
  console.log(`Node.js ${oldestNodeVersion}: unit tests`);
  const unitTestsPass = runUnitTests(node);
  console.log(`Node.js ${oldestNodeVersion}: the demo's session`);
  process.exitCode = (await runDemo(node, path.join(folder, 'demo'))) && unitTestsPass ? 0 : 1;
  await close();
};

void main();
