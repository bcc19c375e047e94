import { KeystoneAway } from '../../../../clouds/keystone/keystone-errors';
import type { ServiceToken } from '../../../../clouds/keystone/log-in';
import { keepServiceToken, withServiceToken } from '../../../../clouds/keystone/service-tokens';

const noon = 1_800_000_000_000;

/** Logins give tokens named by their number, each with the given life. */
const aLogin = (lifeMs = 3_600_000) => {
  const clock = { nowMs: noon };
  let logins = 0;
  let failing = false;
  const logIn = async (): Promise<ServiceToken> => {
    await Promise.resolve();
    logins += 1;
    if (failing) throw new KeystoneAway('away');
    return { secret: `token ${logins}`, userId: 'u', expiresAtMs: clock.nowMs + lifeMs, catalog: [] };
  };
  const fail = (now: boolean) => {
    failing = now;
  };
  return { tokens: keepServiceToken(logIn, () => clock.nowMs), clock, fail };
};

const secretOf = async (token: Promise<ServiceToken>): Promise<string> => (await token).secret;

describe("the service's own token", () => {
  it.each([
    { situation: 'while more than two minutes are left', lifeMs: 3_600_000, afterMs: 3_479_999, secret: 'token 1' },
    { situation: 'two minutes before it ends', lifeMs: 3_600_000, afterMs: 3_480_000, secret: 'token 2' },
    { situation: 'while more than a fifth of a short life is left', lifeMs: 10_000, afterMs: 7_999, secret: 'token 1' },
    { situation: 'when a fifth of a short life is left', lifeMs: 10_000, afterMs: 8_000, secret: 'token 2' },
  ])('is $secret $situation', async ({ lifeMs, afterMs, secret }) => {
    const { tokens, clock } = aLogin(lifeMs);
    await tokens.current();
    clock.nowMs += afterMs;
    expect(await secretOf(tokens.current())).toBe(secret);
  });

  it('is got once for all who ask at the same time', async () => {
    const { tokens } = aLogin();
    const secrets = await Promise.all([1, 2, 3].map(() => secretOf(tokens.current())));
    expect(secrets).toEqual(['token 1', 'token 1', 'token 1']);
  });

  it('is got anew after a failed login', async () => {
    const { tokens, fail } = aLogin();
    fail(true);
    await expect(tokens.current()).rejects.toThrow('away');
    fail(false);
    expect(await secretOf(tokens.current())).toBe('token 2');
  });

  it('serves until its very end while Keystone is away', async () => {
    const { tokens, clock, fail } = aLogin();
    await tokens.current();
    fail(true);
    clock.nowMs += 3_599_999;
    expect(await secretOf(tokens.current())).toBe('token 1');
    clock.nowMs += 1;
    await expect(tokens.current()).rejects.toThrow('away');
  });

  it('does not serve while Keystone is away where it was refused', async () => {
    const { tokens, fail } = aLogin();
    tokens.refused(await tokens.current());
    fail(true);
    await expect(tokens.current()).rejects.toThrow('away');
  });

  it('is replaced once for all whose call it was refused to', async () => {
    const { tokens } = aLogin();
    const used: string[] = [];
    const call = ({ secret }: ServiceToken) => {
      used.push(secret);
      return Promise.resolve({ status: secret === 'token 1' ? 401 : 200 });
    };
    const replies = await Promise.all([withServiceToken(tokens, call), withServiceToken(tokens, call)]);
    expect(replies).toEqual([{ status: 200 }, { status: 200 }]);
    expect(used).toEqual(['token 1', 'token 1', 'token 2', 'token 2']);
  });

  it('is replaced only once for a call: what is refused then stays refused', async () => {
    const { tokens } = aLogin();
    let calls = 0;
    const call = () => Promise.resolve({ status: 401, call: (calls += 1) });
    expect(await withServiceToken(tokens, call)).toEqual({ status: 401, call: 2 });
  });
});
