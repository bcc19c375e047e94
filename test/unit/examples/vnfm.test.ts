import { readFileSync } from 'node:fs';
import path from 'node:path';

const source = readFileSync(path.join(__dirname, '../../../examples/vnfm/vnfm.ts'), 'utf8');

describe('the example of a VNFM', () => {
  it('is short enough to be read in one go', () => {
    expect(source.trimEnd().split('\n').length).toBeLessThan(150);
  });

  it('knows the service by its HTTP API alone', () => {
    const imported = [...source.matchAll(/from '([^']+)'/g)].map(([, name]) => name);
    expect(imported.every((name) => name?.startsWith('node:'))).toBe(true);
  });
});
