/**
 * One run of Jest over many trees, each a Jest project of its own: the services of integration tests start once for all
 * of them, and the bugs keep the workers busy side by side.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import type { Project } from './seeded-bug';
import { parseTestResults, type TestResults } from './test-results';
import { root } from './trees';

/** A tree, and what is run in it. */
export interface Trial {
  readonly tree: string;
  readonly tests: readonly string[];
  /** The workflows' bundle depends on what was changed in the tree. */
  readonly changesWorkflows: boolean;
}

export interface RunOfTests {
  readonly folder: string;
  readonly project: Project;
  /** The tree without a bug, from which the services are started. */
  readonly unchanged: Trial;
  readonly trials: readonly Trial[];
  readonly stopping: AbortSignal;
}

interface JestProject {
  readonly displayName: string;
  readonly globalSetup?: string;
  readonly globalTeardown?: string;
}

interface JestSettings {
  readonly projects: readonly JestProject[];
  readonly testTimeout: number;
}

const jestSettings = async (): Promise<JestSettings> => {
  const loaded: unknown = await import(path.join(root, 'jest.config.cjs'));
  return loaded as JestSettings;
};

const settingsOf = async (project: Project): Promise<JestProject> => {
  const { projects } = await jestSettings();
  const found = projects.find(({ displayName }) => displayName === project);
  if (found === undefined) throw new Error(`jest.config.cjs has no project ${project}`);
  return found;
};

const jestProjects = async ({ project, unchanged, trials }: RunOfTests): Promise<readonly object[]> => {
  const { globalSetup, globalTeardown, ...settings } = await settingsOf(project);
  const inTree = ({ tree, tests }: Trial) => ({
    ...settings,
    rootDir: tree,
    displayName: path.basename(tree),
    testMatch: tests.map((test) => `<rootDir>/${test}`),
  });
  const ownBundle = { setupFiles: ['<rootDir>/test/seeded-bugs/own-workflow-bundle.ts'] };
  return [
    { ...inTree(unchanged), ...(globalSetup !== undefined && { globalSetup, globalTeardown }) },
    ...trials.map((trial) => ({ ...inTree(trial), ...(needsBundle(project, trial) && ownBundle) })),
  ];
};

const needsBundle = (project: Project, { changesWorkflows }: Trial): boolean =>
  project === 'integration' && changesWorkflows;

const bundleWorkflows = async (tree: string): Promise<void> => {
  const workflowsPath = path.join(tree, 'workflows');
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  await writeFile(path.join(tree, 'test', 'seeded-bugs', 'workflow-bundle.js'), code);
};

/** @throws Error with the end of what Jest has said, where it has no results */
export const runTests = async (run: RunOfTests): Promise<TestResults> => {
  const { folder, project, trials } = run;
  for (const { tree } of trials.filter((trial) => needsBundle(project, trial))) await bundleWorkflows(tree);
  const [config, results, log] = ['config.json', 'results.json', 'log'].map((name) =>
    path.join(folder, `${project}.${name}`),
  ) as [string, string, string];
  const { testTimeout } = await jestSettings();
  await writeFile(config, JSON.stringify({ testTimeout, projects: await jestProjects(run) }));
  const options = ['--config', config, '--json', `--outputFile=${results}`, '--maxWorkers=2', '--watchman=false'];
  await callJest([...options, `--cacheDirectory=${path.join(folder, 'cache')}`], log, run.stopping);
  const text = await readFile(results, 'utf8').catch(async () => {
    throw new Error(
      `Jest has left no results of the ${project} tests:\n${(await readFile(log, 'utf8')).slice(-4_000)}`,
    );
  });
  return parseTestResults(text);
};

/** Returns when Jest has ended, well or not: bugs make tests fail. @throws Error where it was stopped */
const callJest = async (args: readonly string[], log: string, stopping: AbortSignal): Promise<void> => {
  const file = await open(log, 'w');
  const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
  const child = spawn(process.execPath, [jest, ...args], { cwd: root, stdio: ['ignore', file.fd, file.fd] });
  const stop = () => void child.kill('SIGTERM');
  stopping.addEventListener('abort', stop);
  await once(child, 'exit');
  stopping.removeEventListener('abort', stop);
  await file.close();
  stopping.throwIfAborted();
};
