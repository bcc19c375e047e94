/**
 * The workflows' bundle for tests. It is kept until a source or a package changes, since webpack takes some seconds for
 * it, in each of the test files and runs that need it.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { bundleWorkflowCode, DefaultLogger } from '@temporalio/worker';
import { workflowsPath } from '../../worker/make-worker';

const root = path.join(__dirname, '../..');
const cache = path.join(root, 'node_modules/.cache/workflow-bundle');
const holdsNoSources = new Set(['node_modules', 'dist', 'production', 'coverage', 'test', '.parley']);

/** Makes the digest of all sources, whichever of them the workflows import, and of the versions of all packages. */
const digestOfSources = (): string => {
  const digest = createHash('sha256').update(root);
  const sources = globSync('**/*.ts', { cwd: root, exclude: (name) => holdsNoSources.has(name) });
  for (const file of ['package-lock.json', ...sources.sort()]) {
    digest.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return digest.digest('hex');
};

/** Under a name of its own first: other processes do the same at the same time. */
const keep = async (file: string, code: string): Promise<void> => {
  const growing = `${file}.${process.pid}-${Math.random()}`;
  await mkdir(cache, { recursive: true });
  await writeFile(growing, code);
  await rename(growing, file);
};

/** @returns its code */
export const keptBundle = async (): Promise<string> => {
  const file = path.join(cache, `${digestOfSources()}.js`);
  const kept = await readFile(file, 'utf8').catch(() => undefined);
  if (kept !== undefined) return kept;
  const { code } = await bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
  await keep(file, code);
  return code;
};
