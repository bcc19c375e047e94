import { cacheTokens } from '../../../api/identity/token-cache';

const noon = 1_800_000_000_000;

/** A cache with a clock that the test sets; answers are numbered, so that a second one can be told from the first. */
const aCache = ({ maxAgeMs = 30_000, maxTokens = 3, livesMs = 3_600_000 } = {}) => {
  const clock = { nowMs: noon };
  const asked: string[] = [];
  let failing = false;
  const lookUp = async (token: string) => {
    asked.push(token);
    await Promise.resolve();
    if (failing) throw new Error('away');
    return token.startsWith('bad') ? undefined : { expiresAtMs: noon + livesMs, answer: asked.length };
  };
  const find = cacheTokens(lookUp, { maxAgeMs, maxTokens }, () => clock.nowMs);
  const fail = (now: boolean) => {
    failing = now;
  };
  return { find, asked, clock, fail };
};

describe('what is known of a token', () => {
  it.each([
    { situation: 'just before its time is over', afterMs: 29_999, asked: 1 },
    { situation: 'when its time is over', afterMs: 30_000, asked: 2 },
  ])('is asked for $asked times $situation', async ({ afterMs, asked }) => {
    const cache = aCache();
    await cache.find('a');
    cache.clock.nowMs += afterMs;
    await cache.find('a');
    expect(cache.asked).toHaveLength(asked);
  });

  it('is forgotten when the token ends, however short the time until then', async () => {
    const cache = aCache({ livesMs: 5_000 });
    await cache.find('a');
    cache.clock.nowMs += 5_000;
    await cache.find('a');
    expect(cache.asked).toHaveLength(2);
  });

  it('counts from when it was asked for: the answer may be that old', async () => {
    const cache = aCache();
    const answer = cache.find('a');
    cache.clock.nowMs += 20_000;
    await answer;
    cache.clock.nowMs += 10_000;
    await cache.find('a');
    expect(cache.asked).toHaveLength(2);
  });

  it('is asked for once by all who ask at the same time, and by those of other tokens too', async () => {
    const cache = aCache();
    const answers = await Promise.all(['a', 'a', 'b', 'a'].map((token) => cache.find(token)));
    expect(cache.asked).toEqual(['a', 'b']);
    expect(answers.map((each) => each === answers[0])).toEqual([true, true, false, true]);
  });

  it('is shared but not kept where the time is 0', async () => {
    const cache = aCache({ maxAgeMs: 0 });
    await Promise.all([cache.find('a'), cache.find('a')]);
    await cache.find('a');
    expect(cache.asked).toEqual(['a', 'a']);
  });

  it('is not kept where the token is not good', async () => {
    const cache = aCache();
    expect([await cache.find('bad'), await cache.find('bad')]).toEqual([undefined, undefined]);
    expect(cache.asked).toEqual(['bad', 'bad']);
  });

  it('is asked for anew after a failure, which all who waited share', async () => {
    const cache = aCache();
    cache.fail(true);
    const outcomes = await Promise.allSettled([cache.find('a'), cache.find('a')]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    cache.fail(false);
    expect(await cache.find('a')).toBeDefined();
    expect(cache.asked).toEqual(['a', 'a']);
  });

  it('is kept for so many tokens only: the oldest answer goes first, and bad tokens push none out', async () => {
    const cache = aCache({ maxTokens: 3 });
    for (const token of ['a', 'b', 'c', 'bad 1', 'bad 2']) await cache.find(token);
    await cache.find('a');
    expect(cache.asked).toHaveLength(5);
    await cache.find('d');
    await cache.find('a');
    expect(cache.asked.slice(5)).toEqual(['d', 'a']);
  });
});
