/** Throw-away copies of the source tree, each with one bug: the working tree itself is never changed. */
import { existsSync, readFileSync } from 'node:fs';
import { cp, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { SeededBug } from './seeded-bug';

export const root = path.join(__dirname, '..', '..');

/** Says of each bug that no longer fits the source what is wrong with it; nothing where all fit. */
export const misfits = (bugs: readonly SeededBug[]): readonly string[] =>
  bugs.flatMap(({ bug, file, find, tests }) => {
    const missing = [file, ...tests].filter((name) => !existsSync(path.join(root, name)));
    if (missing.length > 0) return [`${bug}: ${missing.join(', ')} is not there`];
    const count = readFileSync(path.join(root, file), 'utf8').split(find).length - 1;
    return count === 1 ? [] : [`${bug}: ${file} holds the text to find ${count} times, not once`];
  });

/** Files that are not source: large, or another run's. */
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
