/**
 * Everything that CI runs: lint, format, types, unit tests, unit tests and the demo on the oldest Node.js, sessions in
 * virtual time, tests on a real Nova, integration tests, tests on a real control plane of Kubernetes, and one session
 * on real kubelets where the machine can run those. All of them run even when one fails. Prints what each took, and
 * ends with a line "N passed, N failed" over the tests; a check or a run that broke down counts as one failed. With the
 * argument `quick` it runs what needs Node.js alone: checks, unit tests and sessions in virtual time.
 */
import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { processorSeconds, processorSecondsOfNewlyEnded } from './processor-time';
import { openRunFolder } from './run-folder';

const root = path.join(__dirname, '../..');
const results = path.join(root, 'coverage', 'results');
/** Each test file's cost, a line each (jest/environment.cjs). */
const fileCosts = path.join(results, 'file-costs.jsonl');

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Cost {
  readonly wallSeconds: number;
  readonly processorSeconds: number | undefined;
}

interface Outcome extends Counts, Cost {
  readonly name: string;
}

interface Ended extends Cost {
  readonly succeeded: boolean;
}

interface Part {
  readonly script: string;
  readonly args?: readonly string[];
  /** It runs beside another. What it says goes to coverage/results/<part>.log, and is told when it has ended. */
  readonly isAside?: boolean;
}

const npmRun = ({ script, args = [], isAside = false }: Part): Promise<Ended> => {
  const log = path.join(results, `${script.replace(':', '-')}.log`);
  const output = isAside ? openSync(log, 'a') : ('inherit' as const);
  if (!isAside) console.log(`\n> ${script}`);
  const begunMs = Date.now();
  return new Promise((resolve) => {
    const end = (succeeded: boolean): void => {
      const cost = { wallSeconds: (Date.now() - begunMs) / 1000, processorSeconds: processorSecondsOfNewlyEnded() };
      if (typeof output === 'number') {
        closeSync(output);
        console.log(`\n> ${script}\n${readFileSync(log, 'utf8')}`);
      }
      resolve({ succeeded, ...cost });
    };
    const child = spawn('npm', ['run', '--silent', script, '--', ...args], {
      cwd: root,
      stdio: ['ignore', output, output],
    });
    child.once('exit', (code) => end(code === 0));
    child.once('error', (error) => {
      console.log(error.message);
      end(false);
    });
  });
};

const check = async (script: string, isAside = false): Promise<Outcome> => {
  const { succeeded, ...cost } = await npmRun({ script, isAside });
  return { name: script, passed: 0, failed: succeeded ? 0 : 1, ...cost };
};

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

const tests = async (name: string, isAside = false, only: readonly string[] = []): Promise<Outcome> => {
  const file = path.join(results, `${name}.json`);
  const args = ['--json', `--outputFile=${file}`, ...only];
  const { succeeded, ...cost } = await npmRun({ script: `test:${name}`, args, isAside });
  const { numPassedTests, numFailedTests, numRuntimeErrorTestSuites } = readResult(file);
  const failed = numFailedTests + numRuntimeErrorTestSuites;
  return {
    name: `test:${name}`,
    passed: numPassedTests,
    failed: succeeded ? failed : Math.max(failed, 1),
    ...cost,
  };
};

type Row = readonly (() => Promise<Outcome>)[];

const inTurn = async (row: Row): Promise<readonly Outcome[]> => {
  const outcomes: Outcome[] = [];
  for (const run of row) outcomes.push(await run());
  return outcomes;
};

const sideBySide = async (...rows: readonly Row[]): Promise<readonly Outcome[]> =>
  (await Promise.all(rows.map(inTurn))).flat();

const formatAndTypes: Row = [
  () => check('check:format', true),
  () => check('check:types', true),
  () => check('check:imports', true),
];

/** The others take minutes more (docs/testing.md). */
const oneSession = ['--testPathPatterns', 'kubelets/session'];

const everything = async (): Promise<readonly Outcome[]> => {
  // Where they cannot be downloaded, they are built beside all else: only the last part waits for them.
  const kubernetesPrograms = check('test:kubernetes-programs', true);
  return [
    await check('test:programs'),
    // Nothing builds after this: another build would change files while tests use them.
    await check('build'),
    // Tests on a real Nova mostly wait, so what computes runs beside them, in two rows that take about as long.
    ...(await sideBySide(
      [() => tests('openstack')],
      [() => check('check:lint', true), () => tests('sessions', true)],
      [...formatAndTypes, () => tests('unit', true), () => tests('oldest-node-as-built', true)],
    )),
    await tests('integration-as-built'),
    await kubernetesPrograms,
    await tests('kubernetes-as-built'),
    await tests('kubelets-as-built', false, oneSession),
  ];
};

const quick = async (): Promise<readonly Outcome[]> => [
  await check('generate'),
  ...(await sideBySide(
    [() => check('check:lint-changed', true), () => tests('sessions', true)],
    [...formatAndTypes, () => tests('unit', true)],
  )),
];

const leftOutOfQuick =
  'left out: tests on PostgreSQL, Temporal, Kafka, Keystone, Nova and Kubernetes, in a browser, and on the oldest Node.js. ' +
  '`make test` runs them too.';

const inMinutes = (seconds: number): string => (seconds / 60).toFixed(1);

const printCosts = (outcomes: readonly Outcome[], wallSecondsInAll: number): void => {
  console.log('\nprocessor s   wall s');
  for (const { name, wallSeconds, processorSeconds: spent } of outcomes) {
    console.log(`${(spent?.toFixed(0) ?? '-').padStart(11)}${wallSeconds.toFixed(0).padStart(9)}   ${name}`);
  }
  const spent = processorSeconds();
  const processor = spent === undefined ? 'an unknown number of' : inMinutes(spent);
  console.log(`in all ${processor} processor-minutes, ${inMinutes(wallSecondsInAll)} minutes`);
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
  const begunMs = Date.now();
  const isQuick = process.argv[2] === 'quick';
  const outcomes = await (isQuick ? quick() : everything());
  await close();
  printFileCosts();
  printCosts(outcomes, (Date.now() - begunMs) / 1000);
  const failed = sum(outcomes, 'failed');
  process.exitCode = failed === 0 ? 0 : 1;
  if (isQuick) console.log(`\n${leftOutOfQuick}`);
  console.log(`\n${sum(outcomes, 'passed')} passed, ${failed} failed`);
};

void main();
