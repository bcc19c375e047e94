import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');

/** Folders that the project did not write, or that only a build writes. */
const notOurs = new Set(['.git', '.parley', '.prisma', 'coverage', 'dist', 'node_modules', 'production']);
const topFolders = readdirSync(root, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !notOurs.has(entry.name))
  .map(({ name }) => name);

const filesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => !file.split(path.sep).some((part) => notOurs.has(part)))
    .map((file) => path.posix.join(folder, file));

const files = [...topFolders.flatMap(filesIn), 'CONTRIBUTING.md', 'README.md'];
const known = new Set(files);

const namedFile = new RegExp(`(?<![\\w./@-])(?:${topFolders.join('|')})/[\\w./-]+\\.(?:ts|mjs|cjs|md|prisma)\\b`, 'g');

it('every file that a comment or a document names is there', () => {
  const read = files.filter((file) => /\.(?:md|ts|mjs|cjs|prisma)$/.test(file));
  const missing = read.flatMap((file) => {
    const named = readFileSync(path.join(root, file), 'utf8').match(namedFile) ?? [];
    return named.filter((name) => !known.has(name)).map((name) => `${file} names ${name}`);
  });
  expect(missing).toEqual([]);
});
