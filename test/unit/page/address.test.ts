import { hashOf, parseRoute, type Route } from '../../../page/address';

it.each<{ hash: string; to: Route }>([
  { hash: '', to: { name: 'home' } },
  { hash: '#/', to: { name: 'home' } },
  { hash: '#/new', to: { name: 'new' } },
  { hash: '#/sessions/5e55', to: { name: 'session', sessionId: '5e55' } },
  { hash: '#/sessions/5e55/', to: { name: 'session', sessionId: '5e55' } },
  { hash: '#/sessions/5e55/hosts/a%2Fb', to: { name: 'session', sessionId: '5e55', hostname: 'a/b' } },
  { hash: '#/projects/7', to: { name: 'project', projectId: '7' } },
  ...[
    '#/other',
    '#/new/x/y',
    '#/sessions',
    '#/sessions/5e55/hosts',
    '#/sessions/5e55/host/a',
    '#/projects/7/8',
    '#/%E0',
  ].map((hash) => ({ hash, to: { name: 'nowhere' } as const })),
])('the address $hash leads to $to.name', ({ hash, to }) => {
  expect(parseRoute(hash)).toEqual(to);
});

it.each<Route>([
  { name: 'home' },
  { name: 'new' },
  { name: 'session', sessionId: '5e55' },
  { name: 'session', sessionId: '5e55', hostname: 'rack 1/node#2' },
  { name: 'project', projectId: '7' },
])('the address of $name leads there', (to) => {
  expect(parseRoute(hashOf(to))).toEqual(to);
});
