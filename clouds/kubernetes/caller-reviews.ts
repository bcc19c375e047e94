/**
 * Asks the API server about other people's tokens: whose a token is (TokenReview), and what its owner may do
 * (SubjectAccessReview). Nothing is kept here.
 */
import { type Static, Type } from '@sinclair/typebox';
import { parserOf } from '../http/parse-answer';
import { apiGroup } from './api-group';
import type { KubernetesClient } from './client/kubernetes-client';
import { namespaces } from './objects/others';

const user = Type.Object({
  username: Type.String({ minLength: 1 }),
  uid: Type.Optional(Type.String()),
  groups: Type.Optional(Type.Array(Type.String())),
  extra: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String()))),
});
/** A caller, as the API server knows it. */
export type ReviewedUser = Static<typeof user>;

/** The two rights that Parley gives something for. Both have the verb `manage`. */
export type ManagedResource = 'sessions' | 'instances';

export interface CallerReviews {
  /**
   * Undefined where the API server does not know the token, or the token is for somebody else.
   * @throws KubernetesError, NoAnswer, AccessFault, as both others do
   */
  ownerOf(token: string): Promise<ReviewedUser | undefined>;
  /** @param namespace left out: in the whole cluster */
  mayManage(owner: ReviewedUser, resource: ManagedResource, namespace?: string): Promise<boolean>;
  /** Undefined where there is no such namespace. */
  idOfNamespace(name: string): Promise<string | undefined>;
}

const parseTokenReview = parserOf(
  "the Kubernetes API's TokenReview",
  Type.Object({
    status: Type.Object({
      authenticated: Type.Optional(Type.Boolean()),
      user: Type.Optional(Type.Partial(user)),
      audiences: Type.Optional(Type.Array(Type.String())),
    }),
  }),
);
const parseUser = parserOf("the Kubernetes API's TokenReview", user);

/** Parses the answer to a review of somebody's rights, or of the service's own. @throws OddAnswer */
export const parseAccessReview = parserOf(
  "the Kubernetes API's answer about rights",
  Type.Object({ status: Type.Object({ allowed: Type.Boolean() }) }),
);

/** @param audience the name that a token must be for; left out: the API server's own */
export const connectCallerReviews = (
  client: Pick<KubernetesClient, 'call' | 'get'>,
  { audience }: { readonly audience?: string | undefined } = {},
): CallerReviews => {
  const review = (kind: 'TokenReview' | 'SubjectAccessReview', spec: object): Promise<unknown> => {
    const group = kind === 'TokenReview' ? 'authentication.k8s.io' : 'authorization.k8s.io';
    const path = `/apis/${group}/v1/${kind.toLowerCase()}s`;
    return client.call({ method: 'POST', path, body: { apiVersion: `${group}/v1`, kind, spec } });
  };
  return {
    async ownerOf(token) {
      const asked = audience === undefined ? {} : { audiences: [audience] };
      const { status } = parseTokenReview(await review('TokenReview', { token, ...asked }));
      if (status.authenticated !== true) return undefined;
      // An API server that knows nothing of audiences names none: then the token may be for anybody.
      if (audience !== undefined && status.audiences?.includes(audience) !== true) return undefined;
      return parseUser(status.user);
    },
    async mayManage({ username, ...others }, resource, namespace) {
      const resourceAttributes = { group: apiGroup, resource, verb: 'manage', ...(namespace && { namespace }) };
      const spec = { user: username, ...others, resourceAttributes };
      return parseAccessReview(await review('SubjectAccessReview', spec)).status.allowed;
    },
    async idOfNamespace(name) {
      return (await client.get(namespaces, { name }))?.metadata.uid;
    },
  };
};
