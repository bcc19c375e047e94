import { UnsecuredJWT } from 'jose';
import { pino } from 'pino';
import { createKubernetesIdentity } from '../../../api/identity/kubernetes-identity';
import { ApiError } from '../../../api/problems/problem';
import { connectCallerReviews } from '../../../clouds/kubernetes/caller-reviews';
import { idOf } from '../../../rules/cloud/id';
import { aReviewingCluster, type ClusterOfReviews } from '../../builders/a-reviewing-cluster';

const shopId = '11111111-1111-4111-8111-111111111111';

const aCluster = (changes: Partial<ClusterOfReviews> = {}) =>
  aReviewingCluster({
    tokens: {
      operator: { username: 'alice', groups: ['platform'] },
      manager: { username: 'system:serviceaccount:shop:parley-manager' },
      workload: { username: 'system:serviceaccount:shop:default' },
      orphan: { username: 'system:serviceaccount:gone:parley-manager' },
      person: { username: 'bob' },
    },
    mayManageSessions: ['alice'],
    mayManageInstances: {
      shop: ['system:serviceaccount:shop:parley-manager'],
      gone: ['system:serviceaccount:gone:parley-manager'],
    },
    namespaces: { shop: shopId },
    ...changes,
  });

const anIdentity = (
  { client }: ReturnType<typeof aCluster>,
  { audience, tokenCacheSeconds = 30 }: { audience?: string; tokenCacheSeconds?: number } = {},
) =>
  createKubernetesIdentity({
    reviews: connectCallerReviews(client, { audience }),
    tokenCacheSeconds,
    logger: pino({ level: 'silent' }),
  });

/** The caller by the token, or the refusal of the token. */
const told = async (identity: ReturnType<typeof anIdentity>, token: string | undefined) => {
  try {
    return await identity.authenticate(token);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, code, detail } = error.problem;
    return { status, code, detail };
  }
};

describe('who a token of the cluster makes its sender', () => {
  it.each([
    { whose: 'of who may manage sessions', token: 'operator', caller: { kind: 'admin', caller: 'alice' } },
    {
      whose: 'of a service account that may manage the instances of its namespace',
      token: 'manager',
      caller: {
        kind: 'project',
        projectId: idOf(shopId),
        projectName: 'shop',
        caller: 'system:serviceaccount:shop:parley-manager',
      },
    },
  ])('a token $whose', async ({ token, caller }) => {
    expect(await told(anIdentity(aCluster()), token)).toEqual(caller);
  });

  it.each([
    { whose: 'a service account without the right', token: 'workload', says: /neither sessions nor .* namespace shop/ },
    { whose: 'a namespace that is gone', token: 'orphan', says: /belongs to no namespace/ },
    { whose: 'a person who is no admin', token: 'person', says: /bob may not manage sessions/ },
  ])('nobody, for $whose: 403', async ({ token, says }) => {
    expect(await told(anIdentity(aCluster()), token)).toEqual({
      status: 403,
      code: 'TOKEN_WITHOUT_RIGHTS',
      detail: expect.stringMatching(says) as string,
    });
  });

  it.each([
    { what: 'a guessed token', token: 'guessed' },
    { what: 'no token', token: undefined },
    { what: 'a text that no token is', token: 'a b' },
  ])('nobody, for $what: 401', async ({ token }) => {
    expect(await told(anIdentity(aCluster()), token)).toMatchObject({ status: 401, code: 'NOT_AUTHENTICATED' });
  });

  it('with the end that the token names', async () => {
    const expiresAt = Math.floor(Date.now() / 1000) + 600;
    const token = new UnsecuredJWT().setExpirationTime(expiresAt).encode();
    const cluster = aCluster({ tokens: { [token]: { username: 'alice' } } });
    expect(await told(anIdentity(cluster), token)).toMatchObject({ kind: 'admin', expiresAtMs: expiresAt * 1000 });
  });
});

describe('a token for an audience', () => {
  it.each([
    { situation: 'is for it', audiences: ['parley'], kind: 'admin' },
    { situation: 'is for another', audiences: ['https://kubernetes.default.svc'], kind: undefined },
    { situation: 'is for anybody, as the API server knows no audiences', audiences: undefined, kind: undefined },
  ])('counts as $kind when it $situation', async ({ audiences, kind }) => {
    const cluster = aCluster({ audiences });
    const answer = await told(anIdentity(cluster, { audience: 'parley' }), 'operator');
    expect('kind' in answer ? answer.kind : undefined).toBe(kind);
    expect(cluster.asked[0]).toMatchObject({ spec: { audiences: ['parley'] } });
  });
});

describe('the answers of the API server', () => {
  it.each([
    { token: 'operator', calls: 2 },
    { token: 'manager', calls: 4 },
    { token: 'person', calls: 2 },
  ])('about $token are kept for some seconds: $calls calls for two requests', async ({ token, calls }) => {
    const cluster = aCluster();
    const identity = anIdentity(cluster);
    expect(await told(identity, token)).toEqual(await told(identity, token));
    expect(cluster.asked).toHaveLength(calls);
  });

  it('are asked for by user, group and namespace', async () => {
    const cluster = aCluster();
    await told(anIdentity(cluster), 'operator');
    expect(cluster.asked[1]).toMatchObject({
      kind: 'SubjectAccessReview',
      spec: {
        user: 'alice',
        groups: ['platform'],
        resourceAttributes: { group: 'parley.maintenance', resource: 'sessions', verb: 'manage' },
      },
    });
  });

  it('let nobody in while they cannot be had', async () => {
    const cluster = aCluster();
    const identity = anIdentity(cluster, { tokenCacheSeconds: 0 });
    cluster.goAway();
    expect(await told(identity, 'operator')).toMatchObject({
      status: 500,
      code: 'IDENTITY_UNKNOWN',
      detail: 'the Kubernetes API could not say whose token this is, so nothing was done',
    });
  });
});
