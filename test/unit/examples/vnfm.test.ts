import { readFileSync } from 'node:fs';
import path from 'node:path';

const source = readFileSync(path.join(__dirname, '../../../examples/vnfm/vnfm.ts'), 'utf8');

describe('the example of a VNFM', () => {
  it('is short enough to be read in one go', () => {
    expect(source.trimEnd().split('\n').length).toBeLessThan(75);
  });

  it('imports nothing of the service but what managers are made with', () => {
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imported.every((name) => name === 'parley/manager' || name?.startsWith('node:'))).toBe(true);
  });
});
