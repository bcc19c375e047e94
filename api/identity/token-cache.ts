/**
 * Keeps for a short while what was found out about a token, by its hash: the tokens themselves are kept nowhere. Only
 * good tokens are kept, and a failure never is, so guessing does not push others out.
 */
import { createHash } from 'node:crypto';

export interface TokenCacheLimits {
  /** How long an answer is good, counted from when it was asked for; 0: it is only shared by those who wait for it. */
  readonly maxAgeMs: number;
  /** Tokens kept at once; beyond, the oldest answer goes. */
  readonly maxTokens: number;
}

interface Answer<T> {
  readonly value: T;
  readonly untilMs: number;
}

const hashOf = (token: string): string => createHash('sha256').update(token, 'utf8').digest('base64');

/** Finds out about a token; undefined: it is not good. */
export type TokenLookUp<T> = (token: string) => Promise<T | undefined>;

/**
 * @returns the same look-up, cached. Those who ask about one token at the same time share one answer, or its failure.
 */
export const cacheTokens = <T extends { readonly expiresAtMs: number }>(
  lookUp: TokenLookUp<T>,
  { maxAgeMs, maxTokens }: TokenCacheLimits,
  now: () => number = Date.now,
): TokenLookUp<T> => {
  const answers = new Map<string, Answer<T>>();
  const pending = new Map<string, Promise<T | undefined>>();

  const keep = (hash: string, answer: Answer<T>): void => {
    answers.delete(hash);
    const [oldest] = answers.keys();
    if (oldest !== undefined && answers.size >= maxTokens) answers.delete(oldest);
    answers.set(hash, answer);
  };

  const ask = async (hash: string, token: string): Promise<T | undefined> => {
    const askedMs = now();
    const value = await lookUp(token);
    if (value !== undefined && maxAgeMs > 0) {
      keep(hash, { value, untilMs: Math.min(askedMs + maxAgeMs, value.expiresAtMs) });
    }
    return value;
  };

  return (token) => {
    const hash = hashOf(token);
    const known = answers.get(hash);
    if (known !== undefined && now() < known.untilMs) return Promise.resolve(known.value);
    answers.delete(hash);
    const asked = pending.get(hash) ?? ask(hash, token).finally(() => pending.delete(hash));
    pending.set(hash, asked);
    return asked;
  };
};
