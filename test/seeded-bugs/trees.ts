/**
 * Throw-away copies of the source tree, each with one bug: the working tree itself is never changed. They lie in one
 * folder, which is removed when the script ends; the folder of a script that was killed is removed by the next one.
 */
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdtemp, readdir, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isRunning } from '../../cli/stack/service-process';
import type { SeededBug } from './seeded-bug';

export const root = path.join(__dirname, '..', '..');

const folderPrefix = 'parley-seeded-bugs-';
/** Part of the command line of this script. */
const mark = 'test/seeded-bugs';

/** Its name tells whose it is. */
export const makeFolder = async (): Promise<string> =>
  realpath(await mkdtemp(path.join(tmpdir(), `${folderPrefix}${process.pid}-`)));

export const removeFolder = (folder: string): Promise<void> => rm(folder, { recursive: true, force: true });

export const removeFoldersOfKilledRuns = async (): Promise<void> => {
  for (const name of (await readdir(tmpdir())).filter((one) => one.startsWith(folderPrefix))) {
    const owner = Number.parseInt(name.slice(folderPrefix.length), 10);
    if (!(await isRunning(owner, mark))) await removeFolder(path.join(tmpdir(), name));
  }
};

/** Says of each bug that no longer fits the source what is wrong with it; nothing where all fit. */
export const misfits = (bugs: readonly SeededBug[]): readonly string[] =>
  bugs.flatMap(({ bug, file, find, tests }) => {
    const missing = [file, ...tests].filter((name) => !existsSync(path.join(root, name)));
    if (missing.length > 0) return [`${bug}: ${missing.join(', ')} is not there`];
    const count = readFileSync(path.join(root, file), 'utf8').split(find).length - 1;
    return count === 1 ? [] : [`${bug}: ${file} holds the text to find ${count} times, not once`];
  });

/** What is no source: large, or another run's. */
const leftOut = new Set(['node_modules', 'dist', 'coverage', '.git', '.parley']);

/** Copies the source tree; the copy shares the packages. */
export const copyTree = async (tree: string): Promise<void> => {
  const filter = (source: string) => !leftOut.has(path.relative(root, source));
  await cp(root, tree, { recursive: true, filter });
  await symlink(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
};

export const plant = async (tree: string, { file, find, replace }: SeededBug): Promise<void> => {
  const planted = path.join(tree, file);
  const text = await readFile(planted, 'utf8');
  await writeFile(
    planted,
    text.replace(find, () => replace),
  );
};
