// Everything that CI runs: format, lint, types, unit tests, these and a session on the oldest Node.js, sessions in
// virtual time, integration tests, tests on a real Nova, all of them even when one fails. Ends with a line "N
// passed, N failed" over the tests; a check or a run that broke down counts as one failed.
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';

const root = path.dirname(import.meta.dirname);
const results = path.join(root, 'coverage', 'results');

const run = (command, ...args) => {
  console.log(`\n> ${[command, ...args].join(' ')}`);
  return spawnSync(command, args, { cwd: root, stdio: 'inherit' }).status === 0;
};

const readResult = (file) => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  }
};

const script = (name) => ({ passed: 0, failed: run('npm', 'run', '--silent', name) ? 0 : 1 });

const mostOutputBytes = 64 * 1024 * 1024;

const end = (name) =>
  new Promise((resolve) => {
    const options = { cwd: root, maxBuffer: mostOutputBytes };
    execFile('npm', ['run', '--silent', name], options, (error, stdout, stderr) => {
      console.log(`\n> npm run --silent ${name}\n${stdout}${stderr}`);
      resolve({ passed: 0, failed: error === null ? 0 : 1 });
    });
  });

// Each takes one core; what they say does not mix.
const sideBySide = (...names) => {
  console.log(`\n> npm run --silent ${names.join(', ')}, side by side`);
  return Promise.all(names.map(end));
};

const jest = (project) => {
  const file = path.join(results, `${project}.json`);
  const outcome = ['--json', `--outputFile=${file}`];
  const succeeded = run('npm', 'run', '--silent', `test:${project}`, '--', ...outcome);
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readResult(file);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: succeeded ? failed : Math.max(failed, 1) };
};

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });
const runs = [
  script('generate'),
  ...(await sideBySide('check:lint', 'check:format', 'check:types')),
  jest('unit'),
  jest('oldest-node'),
  jest('sessions'),
  jest('integration'),
  jest('openstack'),
];
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const failed = sum('failed');
process.exitCode = failed === 0 ? 0 : 1;
console.log(`\n${sum('passed')} passed, ${failed} failed`);
