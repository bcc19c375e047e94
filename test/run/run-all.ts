/**
 * Everything that CI runs: format, lint, types, unit tests, integration tests, tests on a real Nova, unit tests and the
 * demo on the oldest Node.js, sessions in virtual time, all of them even when one fails. Prints what each took, and
 * ends with a line "N passed, N failed" over the tests; a check or a run that broke down counts as one failed. With the
 * argument `quick` it runs what a person wants to know before a commit: checks, unit tests and one whole session.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { processorSeconds } from './processor-time';
import { openRunFolder } from './run-folder';

const root = path.join(__dirname, '../..');
const results = path.join(root, 'coverage', 'results');
/** Each test file's cost, a line each (jest/environment.cjs). */
const fileCosts = path.join(results, 'file-costs.jsonl');

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Outcome extends Counts {
  readonly name: string;
  readonly wallSeconds: number;
  readonly processorSeconds: number | undefined;
}

/** @returns whether it succeeded, and what it said where that is kept */
const npmRun = (script: string, args: readonly string[], isKept = false): Promise<[boolean, string]> =>
  new Promise((resolve) => {
    const stdio = isKept ? ('pipe' as const) : ('inherit' as const);
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
      cwd: root,
      stdio: ['ignore', stdio, stdio],
    });
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.once('error', (error) => resolve([false, error.message]));
    child.once('close', (code) => resolve([code === 0, said]));
  });

const measured = async (name: string, run: () => Promise<Counts>): Promise<Outcome> => {
  console.log(`\n> ${name}`);
  const [begunMs, before] = [Date.now(), processorSeconds()];
  const counts = await run();
  const after = processorSeconds();
  const spent = before === undefined || after === undefined ? undefined : after - before;
  return { name, ...counts, wallSeconds: (Date.now() - begunMs) / 1000, processorSeconds: spent };
};

/** The parts take a core each, and their output does not mix. */
const checks = (...scripts: readonly string[]): Promise<Outcome> =>
  measured(scripts.join(', '), async () => {
    const ended = await Promise.all(
      scripts.map(async (script) => {
        const [succeeded, said] = await npmRun(script, [], true);
        console.log(`\n> ${script}\n${said}`);
        return succeeded;
      }),
    );
    return { passed: 0, failed: ended.filter((succeeded) => !succeeded).length };
  });

interface JestResult {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly numRuntimeErrorTestSuites: number;
}

const readResult = (file: string): JestResult => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as JestResult;
  } catch {
    return { numPassedTests: 0, numFailedTests: 0, numRuntimeErrorTestSuites: 0 };
  }
};

const sum = (counts: readonly Counts[], key: keyof Counts): number => counts.reduce((all, each) => all + each[key], 0);

const countTests = async (name: string, isKept = false): Promise<Counts & { readonly said: string }> => {
  const file = path.join(results, `${name}.json`);
  const [succeeded, said] = await npmRun(`test:${name}`, ['--json', `--outputFile=${file}`], isKept);
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readResult(file);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return { passed: numPassedTests, failed: succeeded ? failed : Math.max(failed, 1), said };
};

const tests = (name: string): Promise<Outcome> => measured(`test:${name}`, () => countTests(name));

/** Tests that mostly wait, and beside them others, one after the other. What the first said follows, unmixed. */
const testsBeside = (waiting: string, ...others: readonly string[]): Promise<Outcome> =>
  measured([waiting, ...others].map((name) => `test:${name}`).join(', '), async () => {
    const first = countTests(waiting, true);
    const counts: Counts[] = [];
    for (const name of others) counts.push(await countTests(name));
    const { said, ...firstCounts } = await first;
    console.log(`\n> test:${waiting}\n${said}`);
    counts.push(firstCounts);
    return { passed: sum(counts, 'passed'), failed: sum(counts, 'failed') };
  });

const everything = async (): Promise<readonly Outcome[]> => [
  await checks('generate'),
  await checks('check:lint', 'check:format', 'check:types'),
  await tests('unit'),
  await tests('integration'),
  // The demo runs what test:integration has built. Another build would change files while the tests on a Nova use them.
  await testsBeside('openstack', 'oldest-node-as-built', 'sessions'),
];

const quick = async (): Promise<readonly Outcome[]> => [
  await checks('generate'),
  await checks('check:lint-changed', 'check:format', 'check:types'),
  await tests('unit'),
  await tests('one-session'),
];

const inMinutes = (seconds: number): string => (seconds / 60).toFixed(1);

const printCosts = (outcomes: readonly Outcome[]): void => {
  console.log('\nprocessor s   wall s');
  for (const { name, wallSeconds, processorSeconds: spent } of outcomes) {
    console.log(`${(spent?.toFixed(0) ?? '-').padStart(11)}${wallSeconds.toFixed(0).padStart(9)}   ${name}`);
  }
  const spent = processorSeconds();
  const wall = outcomes.reduce((sum, { wallSeconds }) => sum + wallSeconds, 0);
  const processor = spent === undefined ? 'an unknown number of' : inMinutes(spent);
  console.log(`in all ${processor} processor-minutes, ${inMinutes(wall)} minutes`);
};

/** The dearest test files: cost follows the queries and processes of their sessions. */
const printFileCosts = (): void => {
  const lines = existsSync(fileCosts) ? readFileSync(fileCosts, 'utf8').trim().split('\n') : [];
  const costs = lines.map((line) => JSON.parse(line) as { readonly file: string; readonly processorSeconds: number });
  const dearest = costs.sort((a, b) => b.processorSeconds - a.processorSeconds).slice(0, 15);
  console.log('\nprocessor s   without the services that all files share');
  for (const { file, processorSeconds: spent } of dearest) console.log(`${spent.toFixed(0).padStart(11)}   ${file}`);
};

const main = async (): Promise<void> => {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  process.env['PARLEY_TEST_COSTS'] = fileCosts;
  const { close } = openRunFolder();
  const outcomes = await (process.argv[2] === 'quick' ? quick() : everything());
  await close();
  printFileCosts();
  printCosts(outcomes);
  const failed = sum(outcomes, 'failed');
  process.exitCode = failed === 0 ? 0 : 1;
  console.log(`\n${sum(outcomes, 'passed')} passed, ${failed} failed`);
};

void main();
