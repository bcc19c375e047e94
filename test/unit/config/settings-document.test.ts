import { readFileSync } from 'node:fs';
import path from 'node:path';
import { loadSettings } from '../../../config/settings';
import { envExample, settingsMarkdown } from '../../../config/settings-document';
import { allSettings } from '../../../config/settings-table';

const root = path.join(__dirname, '../../..');
const read = (file: string): string => readFileSync(path.join(root, file), 'utf8');

const withoutPadding = (markdown: string): string =>
  markdown
    .trim()
    .split('\n')
    .map((line) => line.replace(/-{3,}/g, '---').replace(/ +/g, ' '))
    .join('\n');

const assignments = (example: string): Record<string, string> =>
  Object.fromEntries([...example.matchAll(/^#([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!]));

describe('the settings as people read them', () => {
  it('are the table in docs/settings.md (npm run settings:table)', () => {
    const [, table] = /<!-- settings -->\n([^]*?)<!-- \/settings -->/.exec(read('docs/settings.md')) ?? [];
    expect(withoutPadding(table ?? '')).toBe(withoutPadding(settingsMarkdown()));
  });

  it('are all in .env.example (npm run --silent settings:example > .env.example)', () => {
    expect(read('.env.example')).toBe(envExample());
  });

  it('keep their defaults when the example is taken as it is', () => {
    const DATABASE_URL = 'postgresql://db/parley';
    expect(loadSettings({ ...assignments(envExample()), DATABASE_URL })).toEqual(loadSettings({ DATABASE_URL }));
    expect(Object.keys(assignments(envExample()))).toEqual(allSettings.map(({ name }) => name));
  });

  it('have a name each', () => {
    expect(new Set(allSettings.map(({ name }) => name)).size).toBe(allSettings.length);
  });
});
