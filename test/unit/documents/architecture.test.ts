import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const { mayImport } = jest.requireActual<{
  readonly mayImport: Readonly<
    Record<string, { readonly all?: readonly string[]; readonly types?: readonly string[] }>
  >;
}>('../../../tools/who-may-import-whom.cjs');

const folders = Object.keys(mayImport);

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

it.each(folders)('%s imports only what stands above it', (folder) => {
  const { all = [], types = [] } = mayImport[folder]!;
  const above = folders.slice(0, folders.indexOf(folder));
  expect([...all, ...types].filter((other) => !above.includes(other))).toEqual([]);
});
