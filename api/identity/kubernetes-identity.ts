/**
 * Identifies callers by the tokens of a Kubernetes cluster, such as those of its service accounts. While the API server
 * does not answer, nobody is let in, except callers about whom it answered a moment ago.
 */
import { decodeJwt } from 'jose';
import type { Logger } from 'pino';
import type { CallerReviews } from '../../clouds/kubernetes/caller-reviews';
import { identityUnknown } from '../problems/away-problems';
import { ApiError } from '../problems/problem';
import { noClusterToken } from '../problems/problem-catalogue';
import type { Identity, Principal } from './identity';
import { principalOfUser } from './kubernetes-principal';
import { cacheTokens } from './token-cache';

export interface KubernetesIdentityParts {
  readonly reviews: CallerReviews;
  /** The time, in seconds, for which the answers of the API server about a token are kept. */
  readonly tokenCacheSeconds: number;
  readonly logger: Logger;
}

/** Tokens that are kept, of about half a kilobyte each. */
const maxTokens = 5_000;

/** The longest token in a header that is sent to the API server. */
const possibleToken = /^[\x21-\x7e]{1,8192}$/;

interface ReviewedCaller {
  /** A token without rights is kept, too, so that its sender does not keep the API server busy. */
  readonly outcome: Principal | ApiError;
  readonly expiresAtMs: number;
}

export const createKubernetesIdentity = (parts: KubernetesIdentityParts): Identity => {
  const { reviews, tokenCacheSeconds, logger } = parts;

  /** Errors of the API server contain no token, so they may be logged. */
  const askCluster = async (token: string): Promise<ReviewedCaller | undefined> => {
    try {
      const user = await reviews.ownerOf(token);
      if (user === undefined) return undefined;
      return { outcome: await principalOfUser(reviews, user), expiresAtMs: endOf(token) };
    } catch (err) {
      logger.error({ err }, 'a token could not be checked');
      throw identityUnknown('the Kubernetes API');
    }
  };
  const find = cacheTokens(askCluster, { maxAgeMs: tokenCacheSeconds * 1000, maxTokens });

  return {
    name: 'kubernetes',
    ways: ['token'],
    trustsEverybody: false,
    async authenticate(token) {
      if (token === undefined) throw noClusterToken('the request has no token');
      const known = possibleToken.test(token) ? await find(token) : undefined;
      if (known === undefined) {
        throw noClusterToken('the cluster does not know the token; it may be expired, or for another audience');
      }
      const { outcome, expiresAtMs } = known;
      if (outcome instanceof ApiError) throw outcome;
      return Number.isFinite(expiresAtMs) ? { ...outcome, expiresAtMs } : outcome;
    },
  };
};

/** The end that a signed token names. The API server has checked it. Tokens of other kinds name none. */
const endOf = (token: string): number => {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? Infinity : exp * 1000;
  } catch {
    return Infinity;
  }
};
