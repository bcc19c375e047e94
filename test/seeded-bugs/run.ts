/**
 * Tries whether the tests notice bugs (bugs.ts): each is put into a copy of the source tree, and the test files named
 * for it have to fail there. Prints a table; ends with an error where a bug is missed, where nothing could be found
 * out about one, or where one no longer fits the source. An argument chooses the bugs whose file or text holds it.
 */
import path from 'node:path';
import { openRunFolder } from '../run/run-folder';
import { seededBugs } from './bugs';
import { runTests, type Trial } from './run-tests';
import { type Project, projectOf, projects, type SeededBug } from './seeded-bug';
import { heading, row } from './table';
import { copyTree, misfits, plant } from './trees';
import { type Verdict, verdictOn } from './verdict';

/** The files that become part of a workflow's bundle. */
const workflowFolders = ['workflows/', 'plugins/workflows/', 'rules/decisions/'];

const makeTrial = async (tree: string, bug: SeededBug): Promise<Trial> => {
  await copyTree(tree);
  await plant(tree, bug);
  const changesWorkflows = workflowFolders.some((folder) => bug.file.startsWith(folder));
  return { tree, tests: bug.tests, changesWorkflows };
};

interface Trying {
  readonly folder: string;
  readonly project: Project;
  readonly bugs: readonly SeededBug[];
  readonly stopping: AbortSignal;
}

const tryBugs = async ({ folder, project, bugs, stopping }: Trying): Promise<readonly Verdict[]> => {
  const unchangedTree = path.join(folder, `${project}-without-bugs`);
  await copyTree(unchangedTree);
  const trials: Trial[] = [];
  for (const [index, bug] of bugs.entries())
    trials.push(await makeTrial(path.join(folder, `${project}-${index}`), bug));
  const tests = [...new Set(bugs.flatMap((bug) => bug.tests))];
  const unchanged = { tree: unchangedTree, tests, changesWorkflows: false };
  const results = await runTests({ folder, project, unchanged, trials, stopping });
  return trials.map((trial) => verdictOn({ results, unchangedTree, ...trial }));
};

const chosenBy = (text: string) =>
  seededBugs.filter(({ bug, file, tests }) => [bug, file, ...tests].some((one) => one.includes(text)));

/** @returns whether all of them were caught */
const tryAll = async (folder: string, stopping: AbortSignal): Promise<boolean> => {
  const bugs = chosenBy(process.argv[2] ?? '');
  const verdicts: Verdict[] = [];
  console.log(heading);
  for (const project of projects) {
    const ofProject = bugs.filter((bug) => projectOf(bug) === project);
    if (ofProject.length === 0) continue;
    const found = await tryBugs({ folder, project, bugs: ofProject, stopping });
    for (const [index, verdict] of found.entries()) console.log(row(ofProject[index]!, verdict));
    verdicts.push(...found);
  }
  const caught = verdicts.filter(({ kind }) => kind === 'caught').length;
  console.log(`\n${caught} of ${bugs.length} bugs caught`);
  for (const because of new Set(verdicts.flatMap((verdict) => verdict.because ?? []))) console.error(`\n${because}`);
  return caught === bugs.length;
};

const stopOnSignals = (): AbortSignal => {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => stopping.abort());
  return stopping.signal;
};

const main = async (): Promise<boolean> => {
  const unfit = misfits(seededBugs);
  if (unfit.length > 0) {
    console.error(`These bugs do not fit the source any more; mend test/seeded-bugs/bugs.ts:\n${unfit.join('\n')}`);
    return false;
  }
  const stopping = stopOnSignals();
  const { folder, close } = openRunFolder();
  try {
    return await tryAll(folder, stopping);
  } catch (error) {
    if (!stopping.aborted) throw error;
    console.error('stopped before all bugs were tried');
    return false;
  } finally {
    await close();
  }
};

void main().then(
  (isAllCaught) => {
    process.exitCode = isAllCaught ? 0 : 1;
  },
  (error: unknown) => {
    console.error(error);
    process.exitCode = 1;
  },
);
