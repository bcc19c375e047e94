/**
 * Keeps the facts about a token for a short while, under the token's hash; the tokens themselves are not kept. Only
 * good tokens are kept, and failures never, so guessed tokens do not displace others.
 */
import { createHash } from 'node:crypto';
import { createShortMemory } from '../../calls/short-memory';

export interface TokenCacheLimits {
  /** The time for which an answer is good, from when it was asked for. 0: only concurrent callers share it. */
  readonly maxAgeMs: number;
  /** The maximum number of tokens. Above it, the oldest answer is removed. */
  readonly maxTokens: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');

/** Finds the facts about a token; undefined: it is not good. */
export type TokenLookUp<T> = (token: string) => Promise<T | undefined>;

/**
 * @returns the same look-up with a cache. Callers that ask about one token at the same time share one answer, or its
 * failure.
 */
export const cacheTokens = <T extends { readonly expiresAtMs: number }>(
  lookUp: TokenLookUp<T>,
  { maxAgeMs, maxTokens }: TokenCacheLimits,
  now: () => number = Date.now,
): TokenLookUp<T> => {
  const answers = createShortMemory<string, T>(maxTokens, now);
  const pending = new Map<string, Promise<T | undefined>>();

  const ask = async (hash: string, token: string): Promise<T | undefined> => {
    const askedMs = now();
    const value = await lookUp(token);
    if (value !== undefined && maxAgeMs > 0) {
      answers.keep(hash, value, Math.min(askedMs + maxAgeMs, value.expiresAtMs));
    }
    return value;
  };

  return (token) => {
    const hash = hashOf(token);
    const known = answers.find(hash);
    if (known !== undefined) return Promise.resolve(known);
    const asked = pending.get(hash) ?? ask(hash, token).finally(() => pending.delete(hash));
    pending.set(hash, asked);
    return asked;
  };
};
