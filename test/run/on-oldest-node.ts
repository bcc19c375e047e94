/**
 * Runs the unit tests and one whole session, the demo's, on the oldest Node.js that `engines` of package.json
 * allows; everything else is tested on that of tools/node. It is got from npm once and kept in the user's cache.
 * Arguments go to Jest. The demo runs what `npm run build` has made, and has to tell what is expected of it: no other
 * test runs it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { cacheFolder, fillInCache } from '../../cli/stack/cache';
import { anyFreePort } from '../../cli/stack/ports';
import { openRunFolder } from './run-folder';

const root = path.join(__dirname, '../..');
const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')) as { engines: { node: string } };
const version = `${engines.node.replace('>=', '')}.0`;
const platformPackage = `node-${process.platform}-${process.arch}`;

const run = (command: string, args: readonly string[]): boolean => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit' });
  if (error !== undefined) throw error;
  return status === 0;
};

const fetchNode = (folder: string): Promise<void> => {
  const args = ['install', '--prefix', folder, '--no-save', `${platformPackage}@${version}`];
  if (run('npm', args)) return Promise.resolve();
  return Promise.reject(new Error(`npm could not install Node.js ${version} (${platformPackage})`));
};

const findNode = async (): Promise<string> => {
  const folder = path.join(cacheFolder(process.env), `node-${version}`);
  const program = path.join(folder, 'node_modules', platformPackage, 'bin/node');
  if (!existsSync(program)) await fillInCache(folder, fetchNode);
  return program;
};

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

const main = async (): Promise<void> => {
  const { folder, close } = openRunFolder();
  const node = await findNode();
  console.log(`Node.js ${version}: unit tests`);
  const jest = ['node_modules/jest/bin/jest.js', '--selectProjects', 'unit', '--maxWorkers=100%'];
  const unitTestsPass = run(node, [...jest, ...process.argv.slice(2)]);
  console.log(`Node.js ${version}: the demo's session`);
  process.exitCode = (await runDemo(node, path.join(folder, 'demo'))) && unitTestsPass ? 0 : 1;
  await close();
};

void main();
