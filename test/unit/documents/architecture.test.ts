import { readFileSync } from 'node:fs';
import path from 'node:path';

interface Rule {
  readonly name: string;
  readonly from: { readonly path?: string };
  readonly to: { readonly pathNot?: readonly string[] };
}

const { forbidden } = jest.requireActual<{ readonly forbidden: readonly Rule[] }>('../../../.dependency-cruiser.cjs');

/** Rooms are at the top: the rules of their inner folders begin with more than a name. */
const rooms = forbidden.flatMap(({ name, from, to }) => {
  const room = /^\^(\w+)\/$/.exec(from.path ?? '')?.[1];
  if (room === undefined || !name.startsWith('what-')) return [];
  const allowed = (to.pathNot ?? []).map((pattern) => pattern.replaceAll(/[\^/]/g, ''));
  return [{ room, imports: allowed.filter((other) => other !== room) }];
});

it('the page on the architecture shows each room with all that it may import', () => {
  const page = readFileSync(path.join(__dirname, '../../../docs/design/architecture.md'), 'utf8');
  const [, table] = /<!-- imports -->\n([^]*?)<!-- \/imports -->/.exec(page) ?? [];
  const rows = (table ?? '').trim().split('\n').slice(2);
  const shown = rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
  expect(rooms.length).toBeGreaterThan(10);
  expect(shown).toEqual(rooms.map(({ room, imports }) => [room, imports.join(', ')]));
});

it('each room imports only rooms above it', () => {
  const names = rooms.map(({ room }) => room);
  const wrong = rooms.flatMap(({ room, imports }) =>
    imports.filter((other) => names.indexOf(other) >= names.indexOf(room)).map((other) => `${room} imports ${other}`),
  );
  expect(wrong).toEqual([]);
});
