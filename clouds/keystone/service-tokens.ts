/**
 * The service's own token: all callers share one. It is renewed before it expires, and once after a service refused it.
 */
import { sharedRun } from '../../calls/joined';
import { KeystoneAway } from './keystone-errors';
import type { ServiceToken } from './log-in';

export interface ServiceTokens {
  /**
   * A token that stays valid for a while. Concurrent callers share one login. After a failed login, the next caller
   * tries again.
   * @throws KeystoneAway, KeystoneRefusal (log-in.ts)
   */
  current(): Promise<ServiceToken>;
  /** Reports that a call with this token was answered 401: the token is not used again. */
  refused(token: ServiceToken): void;
}

/** A token is renewed when it has this long left, or this fraction of its lifetime when that is shorter. */
const marginMs = 120_000;
const marginShare = 0.2;

interface KeptToken {
  readonly token: ServiceToken;
  readonly renewAtMs: number;
}

export const keepServiceToken = (logIn: () => Promise<ServiceToken>, now: () => number = Date.now): ServiceTokens => {
  let held: KeptToken | undefined;

  const renew = async (): Promise<ServiceToken> => {
    const beganMs = now();
    const token = await logIn();
    const lifeMs = token.expiresAtMs - beganMs;
    held = { token, renewAtMs: token.expiresAtMs - Math.min(marginMs, lifeMs * marginShare) };
    return token;
  };

  /** A token stays in use until it expires while Keystone is down. */
  const heldWhileAway = (error: unknown): ServiceToken => {
    if (error instanceof KeystoneAway && held !== undefined && now() < held.token.expiresAtMs) return held.token;
    throw error;
  };

  const renewOnce = sharedRun(() => renew().catch(heldWhileAway));
  return {
    current: () => (held !== undefined && now() < held.renewAtMs ? Promise.resolve(held.token) : renewOnce()),
    refused(token) {
      if (held?.token === token) held = undefined;
    },
  };
};

/** Makes a call with the service's token. When the answer is 401, makes it once more with a new token. */
export const withServiceToken = async <Reply extends { readonly status: number }>(
  tokens: ServiceTokens,
  call: (token: ServiceToken) => Promise<Reply>,
): Promise<Reply> => {
  const token = await tokens.current();
  const reply = await call(token);
  if (reply.status !== 401) return reply;
  tokens.refused(token);
  return call(await tokens.current());
};
