/** The part of an API server that judges tokens. Its answers have the form of the real one's. */
import type { ReviewedUser } from '../../clouds/kubernetes/caller-reviews';
import type { Resource } from '../../clouds/kubernetes/client/resource';
import type { HttpCall } from '../../clouds/kubernetes/client/transport';

export interface ClusterOfReviews {
  readonly tokens: Readonly<Record<string, ReviewedUser>>;
  /** What an authenticated TokenReview names. */
  readonly audiences?: readonly string[] | undefined;
  /** User names. */
  readonly mayManageSessions: readonly string[];
  /** User names by namespace. */
  readonly mayManageInstances: Readonly<Record<string, readonly string[]>>;
  /** The IDs of the namespaces. */
  readonly namespaces: Readonly<Record<string, string>>;
}

interface Review {
  readonly kind: string;
  readonly spec: {
    readonly token?: string;
    readonly user?: string;
    readonly resourceAttributes?: { readonly resource: string; readonly namespace?: string };
  };
}

export const aReviewingCluster = (cluster: ClusterOfReviews) => {
  const asked: object[] = [];
  let isAway = false;

  const answer = async (question: object): Promise<void> => {
    await Promise.resolve();
    if (isAway) throw new Error('the API server does not answer');
    asked.push(question);
  };

  const judge = ({ kind, spec }: Review): object => {
    if (kind === 'TokenReview') {
      const user = cluster.tokens[spec.token ?? ''];
      if (user === undefined) return { user: {}, error: 'invalid bearer token' };
      return { authenticated: true, user, ...(cluster.audiences && { audiences: cluster.audiences }) };
    }
    const { namespace } = spec.resourceAttributes ?? { resource: '' };
    const allowed = namespace === undefined ? cluster.mayManageSessions : cluster.mayManageInstances[namespace];
    return { allowed: allowed?.includes(spec.user ?? '') === true };
  };

  return {
    asked,
    goAway: () => {
      isAway = true;
    },
    client: {
      async call({ body }: HttpCall): Promise<unknown> {
        const review = body as Review;
        await answer(review);
        return { kind: review.kind, metadata: { creationTimestamp: null }, spec: review.spec, status: judge(review) };
      },
      async get<T>(resource: Resource<T>, { name }: { readonly name: string }): Promise<T | undefined> {
        await answer({ get: name });
        const uid = cluster.namespaces[name];
        return uid === undefined ? undefined : resource.parse({ metadata: { name, uid } });
      },
    },
  };
};
