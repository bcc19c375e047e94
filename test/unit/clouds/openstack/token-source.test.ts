import { type HttpAnswer, type HttpRequest, NoAnswer } from '../../../../clouds/openstack/http/exchange';
import { createTokenSource } from '../../../../clouds/openstack/keystone/token-source';

const second = 1_000;
const hour = 3_600 * second;

/** A Keystone whose tokens are numbered and good for an hour. */
const aKeystone = (lifeMs = hour) => {
  const logins: HttpRequest[] = [];
  const clock = { nowMs: Date.UTC(2026, 0, 1) };
  let isAway = false;
  const exchange = (request: HttpRequest): Promise<HttpAnswer> => {
    logins.push(request);
    if (isAway) return Promise.reject(new NoAnswer('Keystone is away'));
    const expires_at = new Date(clock.nowMs + lifeMs).toISOString();
    const body = { token: { expires_at, user: { id: 'u' }, catalog: [] } };
    return Promise.resolve({ status: 201, headers: new Map([['x-subject-token', `token-${logins.length}`]]), body });
  };
  const tokens = createTokenSource({
    authUrl: 'http://keystone.example.org:5000/v3/',
    credentials: { kind: 'applicationCredential', id: 'i', secret: 's' },
    exchange,
    nowMs: () => clock.nowMs,
  });
  return { tokens, logins, clock, goAway: () => (isAway = true) };
};

it('logs in once for all who ask at once, at the v3 address', async () => {
  const { tokens, logins } = aKeystone();
  const all = await Promise.all([tokens.current(), tokens.current(), tokens.current()]);
  expect(all.map(({ secret }) => secret)).toEqual(['token-1', 'token-1', 'token-1']);
  expect(logins.map(({ url }) => url)).toEqual(['http://keystone.example.org:5000/v3/auth/tokens']);
});

it.each([
  { situation: 'long before its end', lifeMs: hour, afterMs: hour - 61 * second, logins: 1 },
  { situation: 'in its last minute', lifeMs: hour, afterMs: hour - 59 * second, logins: 2 },
  { situation: 'in the last third of a short life', lifeMs: 30 * second, afterMs: 21 * second, logins: 2 },
  { situation: 'early in a short life', lifeMs: 30 * second, afterMs: 19 * second, logins: 1 },
])(
  'has logged in $logins times when a token is asked for $situation',
  async ({ lifeMs, afterMs, logins: expected }) => {
    const { tokens, logins, clock } = aKeystone(lifeMs);
    await tokens.current();
    clock.nowMs += afterMs;
    await tokens.current();
    expect(logins).toHaveLength(expected);
  },
);

it('replaces a refused token once, however many saw it refused', async () => {
  const { tokens, logins } = aKeystone();
  const refused = await tokens.current();
  const replaced = await Promise.all([tokens.replace(refused), tokens.replace(refused)]);
  expect((await tokens.replace(refused)).secret).toBe('token-2');
  expect(replaced.map(({ secret }) => secret)).toEqual(['token-2', 'token-2']);
  expect(logins).toHaveLength(2);
});

it('keeps a token that is still good while Keystone is away, and no longer', async () => {
  const { tokens, clock, goAway } = aKeystone();
  const held = await tokens.current();
  goAway();
  clock.nowMs += hour - 10 * second;
  expect(await tokens.current()).toBe(held);
  clock.nowMs += 11 * second;
  await expect(tokens.current()).rejects.toThrow('Keystone is away');
});
