import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const { mayImport } = jest.requireActual<{
  readonly mayImport: Readonly<
    Record<string, { readonly all?: readonly string[]; readonly types?: readonly string[] }>
  >;
}>('../../../dev/tools/who-may-import-whom.cjs');

const folders = Object.keys(mayImport);

const statement = /^(?:import|export)\s+(type\s+)?([^';]*?)\s*from\s+'(\.[^']*)'/gm;
const dynamic = /\bimport\(\s*'(\.[^']*)'/g;

/** The folder of the table that a path belongs to. */
const folderOf = (file: string): string | undefined => folders.find((folder) => `${file}/`.startsWith(`${folder}/`));

/** `{ type A, type B }`, which is the same as `type { A, B }`. */
const namesOnlyTypes = (names: string): boolean =>
  names.startsWith('{') &&
  names
    .slice(1, -1)
    .split(',')
    .every((name) => name.trim() === '' || name.trim().startsWith('type '));

interface Import {
  readonly to: string;
  readonly isType: boolean;
}

const importsOf = (file: string): readonly Import[] => {
  const text = readFileSync(path.join(root, file), 'utf8');
  const at = (specifier: string) => path.posix.join(path.posix.dirname(file), specifier);
  return [
    ...[...text.matchAll(statement)].map(([, type, names = '', specifier = '']) => ({
      to: at(specifier),
      isType: type !== undefined || namesOnlyTypes(names),
    })),
    ...[...text.matchAll(dynamic)].map(([, specifier = '']) => ({ to: at(specifier), isType: false })),
  ];
};

/** Which other folders the files of a folder import, of which `types` are imported as types alone. */
const importedBy = (folder: string): { readonly all: readonly string[]; readonly types: readonly string[] } => {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' });
  const found = files.filter((file) => /\.tsx?$/.test(file)).flatMap((file) => importsOf(`${folder}/${file}`));
  const foldersIn = (imports: readonly Import[]): string[] =>
    [...new Set(imports.flatMap(({ to }) => folderOf(to) ?? []))].filter((other) => other !== folder).sort();
  const all = foldersIn(found.filter(({ isType }) => !isType));
  return { all, types: foldersIn(found).filter((other) => !all.includes(other)) };
};

it('the page on the architecture shows each folder with all that it may import', () => {
  const page = readFileSync(path.join(root, 'docs/design/architecture.md'), 'utf8');
  const [, table] = /<!-- imports -->\n([^]*?)<!-- \/imports -->/.exec(page) ?? [];
  const rows = (table ?? '').trim().split('\n').slice(2);
  const shown = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  const expected = folders.map((folder) => {
    const { all = [], types = [] } = mayImport[folder]!;
    return [folder, all.join(', '), types.join(', ')];
  });
  expect(shown).toEqual(expected);
});

it.each(folders)('%s imports all that it may import, and nothing else', (folder) => {
  const { all = [], types = [] } = mayImport[folder]!;
  expect(importedBy(folder)).toEqual({ all: [...all].sort(), types: [...types].sort() });
});

it.each(folders)('%s imports only what stands above it', (folder) => {
  const { all = [], types = [] } = mayImport[folder]!;
  const above = folders.slice(0, folders.indexOf(folder));
  expect([...all, ...types].filter((other) => !above.includes(other))).toEqual([]);
});
