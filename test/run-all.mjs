// Everything that CI runs: format, lint, types, unit tests, integration tests, tests on a real Nova, all of them even
// when one fails. Ends with a line "N passed, N failed" over the tests; a check or a run that broke down counts as one
// failed.
import { spawnSync } from 'node:child_process';
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
const runs = [script('generate'), script('check'), jest('unit'), jest('integration'), jest('openstack')];
const sum = (key) => runs.reduce((total, each) => total + each[key], 0);
const failed = sum('failed');
process.exitCode = failed === 0 ? 0 : 1;
console.log(`\n${sum('passed')} passed, ${failed} failed`);
