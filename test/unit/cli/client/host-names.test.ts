import type { Api } from '../../../../cli/client/api';
import { hostsNamed, sessionOfHost } from '../../../../cli/client/host-names';
import { matchesGlob } from '../../../../rules/words/globs';

const known = () => Promise.resolve(['rack7-1', 'rack7-2', 'rack8-1']);

describe('the names of hosts', () => {
  it('may be patterns, and each host counts once', async () => {
    expect(await hostsNamed(['rack7-*', 'rack7-1', 'other'], known)).toEqual(['rack7-1', 'rack7-2', 'other']);
  });

  it('are not asked for where there is no pattern', async () => {
    const never = () => Promise.reject(new Error('asked'));
    expect(await hostsNamed(['a', 'b'], never)).toEqual(['a', 'b']);
  });

  it('must fit a host', async () => {
    await expect(hostsNamed(['rack9-*'], known)).rejects.toThrow('no host fits rack9-*');
  });

  it.each([
    { pattern: 'a.c', name: 'abc', fits: false },
    { pattern: 'a?c', name: 'abc', fits: true },
    { pattern: '*-1', name: 'rack7-1', fits: true },
    { pattern: 'rack', name: 'rack7', fits: false },
    { pattern: '[a]*', name: '[a]b', fits: true },
  ])('$name fits $pattern: $fits', ({ pattern, name, fits }) => {
    expect(matchesGlob(pattern, name)).toBe(fits);
  });
});

describe('the session of a host', () => {
  const aSession = (id: string, progress = 'running') => ({ session_id: id, progress, name: null });
  const anApi = (having: readonly string[]) =>
    ({
      sessions: (query: Readonly<Record<string, string>> = {}) =>
        Promise.resolve(
          query['host'] === undefined ? ['one', 'two'].map((id) => aSession(id)) : having.map((id) => aSession(id)),
        ),
    }) as unknown as Api;

  it('is the one among several that has it', async () => {
    expect(await sessionOfHost(anApi(['two']), undefined, 'compute-7')).toBe('two');
  });

  it.each([[[]], [['one', 'two']]])('must be named where %j have it', async (having) => {
    await expect(sessionOfHost(anApi(having), undefined, 'compute-7')).rejects.toThrow('say which session');
  });
});
