import { readFileSync } from 'node:fs';
import path from 'node:path';
import { scraped } from './scraped';
import { usedApiMetrics, usedWorkerMetrics } from './used-metrics';

const page = readFileSync(path.join(__dirname, '../../../../docs/monitoring.md'), 'utf8');

const wordsIn = (cell: string): string[] => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word!);

/** Name, type and labels of each row. */
const rowsOf = (table: string): [string, string, string[]][] => {
  const [, text = ''] = new RegExp(`<!-- ${table} -->\\n([^]*?)<!-- /${table} -->`).exec(page) ?? [];
  const rows = text.trim().split('\n').slice(2);
  return rows.map((row) => {
    const [, name = '', type = '', labels = ''] = row.split('|');
    return [wordsIn(name)[0]!, type.trim(), wordsIn(labels).sort()];
  });
};

it.each([
  { table: 'api metrics', exported: usedApiMetrics },
  { table: 'worker metrics', exported: usedWorkerMetrics },
])('docs/monitoring.md shows the $table as they are exported', async ({ table, exported }) => {
  const own = scraped(await exported()).filter(({ name }) => name.startsWith('parley_'));
  const found = own.map(({ name, type, samples }): [string, string, string[]] => [
    name,
    type,
    [...new Set(samples.flatMap(({ labels }) => Object.keys(labels)))].sort(),
  ]);
  expect(rowsOf(table).sort()).toEqual(found.sort());
});
