import { matchesGlob } from '../../../../rules/words/globs';

it.each<{ pattern: string; name: string; matches: boolean }>([
  { pattern: 'rack7-*', name: 'rack7-host3', matches: true },
  { pattern: 'rack7-*', name: 'xrack7-host3', matches: false },
  { pattern: 'rack?-*', name: 'rack7-host3', matches: true },
  { pattern: '*-host3', name: 'rack7-host3', matches: true },
  { pattern: '*-host3', name: 'rack7-host34', matches: false },
  { pattern: '*a?1*a1*', name: 'xax1a1', matches: true },
  { pattern: '*a1*1', name: 'a1', matches: false },
  { pattern: 'a.c', name: 'abc', matches: false },
  { pattern: '[a]{1}', name: '[a]{1}', matches: true },
  { pattern: '*'.repeat(12), name: 'any', matches: true },
  { pattern: '*ü?*', name: 'üü😀', matches: true },
])('$pattern matches $name: $matches', ({ pattern, name, matches }) => {
  expect(matchesGlob(pattern, name)).toBe(matches);
});

it('soon, however many stars a pattern has', () => {
  expect(matchesGlob(`${'*a'.repeat(30)}b`, 'a'.repeat(250))).toBe(false);
}, 1_000);
