/** Identifies callers by the tokens of a Kubernetes cluster, such as those of its service accounts. */
import { decodeJwt } from 'jose';
import type { CallerReviews } from '../../clouds/kubernetes/caller-reviews';
import { ApiError } from '../problems/problem';
import { noClusterToken } from '../problems/problem-catalogue';
import { checkedTokens, type TokenChecks } from './checked-tokens';
import type { Identity, Principal } from './identity';
import { principalOfUser } from './kubernetes-principal';

export interface KubernetesIdentityParts extends Omit<TokenChecks, 'service'> {
  readonly reviews: CallerReviews;
}

interface ReviewedCaller {
  /** A token without rights is kept, too, so that its sender does not keep the API server busy. */
  readonly outcome: Principal | ApiError;
  readonly expiresAtMs: number;
}

export const createKubernetesIdentity = (parts: KubernetesIdentityParts): Identity => {
  const { reviews } = parts;
  const askCluster = async (token: string): Promise<ReviewedCaller | undefined> => {
    const user = await reviews.ownerOf(token);
    if (user === undefined) return undefined;
    return { outcome: await principalOfUser(reviews, user), expiresAtMs: endOf(token) };
  };
  const find = checkedTokens(askCluster, { ...parts, service: 'the Kubernetes API' });
  return {
    name: 'kubernetes',
    ways: ['token'],
    trustsEverybody: false,
    async authenticate(token) {
      if (token === undefined) throw noClusterToken('the request has no token');
      const known = await find(token);
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
