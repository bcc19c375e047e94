import { execFileSync } from 'node:child_process';
import { type } from '../../../builders/typed-command';
import { type FakeApi, startFakeApi } from './fake-api';

let api: FakeApi;
beforeAll(async () => {
  api = await startFakeApi();
});
afterAll(() => api.close());

describe('completion', () => {
  it.each([
    { words: [], fits: ['list', 'watch', 'demo'] },
    { words: ['hosts'], fits: ['list', 'skip', 'retry', 'first'] },
    { words: ['list'], fits: ['--output', '--url'] },
    { words: ['list', '-o'], fits: ['json', 'yaml', 'name'] },
    { words: ['completion'], fits: ['bash', 'zsh', 'fish'] },
  ])('after $words offers $fits', async ({ words, fits }) => {
    const { out } = await type(api, ['__complete', '--', ...words]);
    expect(out.split('\n')).toEqual(expect.arrayContaining(fits));
    expect(out).not.toContain('__complete');
  });

  it('is a script that bash reads', async () => {
    const { out } = await type(api, ['completion', 'bash']);
    execFileSync('bash', ['-n'], { input: out });
    expect(out).toContain('__complete');
  });

  it('refuses another shell', async () => {
    expect((await type(api, ['completion', 'tcsh'])).exitCode).toBe(2);
  });
});
