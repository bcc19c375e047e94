/** Links between pages lead to files that exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.join(__dirname, '../../..');
const pagesIn = (folder: string): string[] =>
  readdirSync(path.join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name));

const linksIn = (page: string): string[] =>
  [...readFileSync(path.join(root, page), 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
    ([, target = '']) => target,
  );

it.each([...pagesIn('.'), ...pagesIn('docs'), ...pagesIn('docs/design')])('%s links to files that exist', (page) => {
  const missing = linksIn(page).filter((target) => !existsSync(path.join(root, path.dirname(page), target)));
  expect(missing).toEqual([]);
});
