/** The service's own token: one for everybody who asks, renewed before it ends, and once after it was refused. */
import { KeystoneAway } from './keystone-errors';
import type { ServiceToken } from './log-in';

export interface ServiceTokens {
  /**
   * A token with some life left. Those who ask while one is being got share it; a failed login is tried anew.
   * @throws KeystoneAway, KeystoneRefusal (log-in.ts)
   */
  current(): Promise<ServiceToken>;
  /** Says that a call with this token was answered 401: it is not given out again. */
  refused(token: ServiceToken): void;
}

/** Life that is left to a token when it is renewed: this long, or this share of its life where that is shorter. */
const marginMs = 120_000;
const marginShare = 0.2;

interface Held {
  readonly token: ServiceToken;
  readonly renewAtMs: number;
}

export const keepServiceToken = (logIn: () => Promise<ServiceToken>, now: () => number = Date.now): ServiceTokens => {
  let held: Held | undefined;
  let pending: Promise<ServiceToken> | undefined;

  const renew = async (): Promise<ServiceToken> => {
    const beganMs = now();
    const token = await logIn();
    const lifeMs = token.expiresAtMs - beganMs;
    held = { token, renewAtMs: token.expiresAtMs - Math.min(marginMs, lifeMs * marginShare) };
    return token;
  };

  /** Until its very end a token serves while Keystone is away. */
  const heldWhileAway = (error: unknown): ServiceToken => {
    if (error instanceof KeystoneAway && held !== undefined && now() < held.token.expiresAtMs) return held.token;
    throw error;
  };

  return {
    current() {
      if (held !== undefined && now() < held.renewAtMs) return Promise.resolve(held.token);
      pending ??= renew()
        .catch(heldWhileAway)
        .finally(() => {
          pending = undefined;
        });
      return pending;
    },
    refused(token) {
      if (held?.token === token) held = undefined;
    },
  };
};

/** Calls with the service's token; where that is answered 401, once more with a new one. */
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
