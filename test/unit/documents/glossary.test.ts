import { readFileSync } from 'node:fs';
import path from 'node:path';
import { sessionStates } from '../../../rules/decisions/fleet/fleet';

const root = path.join(__dirname, '../../..');

/** The terms of the glossary in their order, without code marks. */
const terms = (): string[] => {
  const text = readFileSync(path.join(root, 'docs/glossary.md'), 'utf8');
  const [, table] = /<!-- glossary -->\n([^]*?)<!-- \/glossary -->/.exec(text) ?? [];
  const rows = (table ?? '').trim().split('\n').slice(2);
  return rows.map((row) => (row.split('|')[1] ?? '').replaceAll('`', '').trim());
};

const sortKey = (term: string): string => term.toLowerCase().replaceAll('_', ' ');

describe('the glossary', () => {
  it('has each term once, in alphabetical order', () => {
    const keys = terms().map(sortKey);
    expect(keys.length).toBeGreaterThan(0);
    expect(keys).toEqual([...new Set(keys)].sort());
  });

  it('has every state of a session', () => {
    expect(sessionStates.filter((state) => !terms().includes(state))).toEqual([]);
  });
});
