/** The identity by Kubernetes for a test file, on the part of an API server that judges tokens. */
import { pino } from 'pino';
import type { Identity } from '../../../api/identity/identity';
import { createKubernetesIdentity } from '../../../api/identity/kubernetes-identity';
import { connectCallerReviews } from '../../../clouds/kubernetes/caller-reviews';
import { aReviewingCluster } from '../../builders/a-reviewing-cluster';
import { otherProject, ownProject } from './api-under-test';

const managerOf = (namespace: string): string => `system:serviceaccount:${namespace}:manager`;

const { client } = aReviewingCluster({
  tokens: {
    admin: { username: 'operator' },
    own: { username: managerOf('own') },
    other: { username: managerOf('other') },
  },
  mayManageSessions: ['operator'],
  mayManageInstances: { own: [managerOf('own')], other: [managerOf('other')] },
  namespaces: { own: ownProject, other: otherProject },
});

export const kubernetesIdentity = (): Identity =>
  createKubernetesIdentity({
    reviews: connectCallerReviews(client),
    tokenCacheSeconds: 30,
    logger: pino({ level: 'silent' }),
  });
