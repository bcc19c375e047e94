// Runs the unit tests and one whole session, the demo's, on the oldest Node.js that `engines` of package.json
// allows; everything else is tested on that of tools/node. It is got from npm once and kept in the user's cache.
// Arguments go to Jest. The demo runs what `npm run build` has made, and has to tell what is expected of it: no other
// test runs it.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '../..');
const { engines } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
const version = `${engines.node.replace('>=', '')}.0`;
const platformPackage = `node-${process.platform}-${process.arch}`;

const run = (command, args, options = {}) => {
  const { status, error } = spawnSync(command, args, { cwd: root, stdio: 'inherit', ...options });
  if (error !== undefined) throw error;
  return status === 0;
};

/** It is in the cache wholly or not at all. */
const fetchInto = (folder) => {
  mkdirSync(path.dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}-`);
  try {
    const args = ['install', '--prefix', temporary, '--no-save', `${platformPackage}@${version}`];
    if (!run('npm', args)) throw new Error(`npm could not install Node.js ${version} (${platformPackage})`);
    if (!existsSync(folder)) renameSync(temporary, folder);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};

const findNode = () => {
  const cache = path.join(process.env.XDG_CACHE_HOME ?? path.join(homedir(), '.cache'), 'parley');
  const folder = path.join(cache, `node-${version}`);
  const program = path.join(folder, 'node_modules', platformPackage, 'bin/node');
  if (!existsSync(program)) fetchInto(folder);
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
const runDemo = (node) => {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'parley-oldest-node-'));
  try {
    const env = { ...process.env, PARLEY_DATA_DIR: dataDir, PARLEY_LOG_LEVEL: 'silent' };
    const { status, error, stdout } = spawnSync(node, ['bin/parley', 'demo'], {
      cwd: root,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (error !== undefined) throw error;
    console.log(stdout);
    const missing = expectedOfDemo.filter((expected) => !expected.test(stdout));
    for (const each of missing) console.log(`FAIL the demo's output does not match ${each}`);
    return status === 0 && missing.length === 0;
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
};

const node = findNode();
console.log(`Node.js ${version}: unit tests`);
const jest = [
  'node_modules/jest/bin/jest.js',
  '--selectProjects',
  'unit',
  '--maxWorkers=100%',
  ...process.argv.slice(2),
];
const unitTestsPass = run(node, jest);
console.log(`Node.js ${version}: the demo's session`);
process.exitCode = runDemo(node) && unitTestsPass ? 0 : 1;
