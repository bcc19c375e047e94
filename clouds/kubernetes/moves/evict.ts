/**
 * The only place that asks the API server to take a pod off its node. The UID of the pod is a precondition of both
 * calls.
 */
import { NoAnswer } from '../../http/exchange';
import type { KubernetesClient } from '../client/kubernetes-client';
import { pathOf } from '../client/kubernetes-client';
import { KubernetesError } from '../client/kubernetes-error';
import { pods } from '../objects/pods';
import type { PodMove } from './move-log';
import { type EvictionRefused, whatRefusalMeans } from './refusals';

export type EvictionAnswer = { readonly kind: 'accepted' } | EvictionRefused;

type PodToLeave = Pick<PodMove, 'podName' | 'namespace' | 'instanceId'>;

/** Asks once. A pod that is ending already is accepted again. */
export const evict = (
  client: KubernetesClient,
  { podName: name, namespace, instanceId: uid }: PodToLeave,
): Promise<EvictionAnswer> => {
  const body = {
    apiVersion: 'policy/v1',
    kind: 'Eviction',
    metadata: { name, namespace },
    // No grace period: a smaller one would shorten that of a pod which is ending already.
    deleteOptions: { preconditions: { uid } },
  };
  const path = pathOf(pods, { name, namespace }, 'eviction');
  return asAnswer(() => client.call({ method: 'POST', path, body }, 1));
};

/** Goes past the budgets. */
export const deletePod = (
  client: KubernetesClient,
  { podName: name, namespace, instanceId: uid }: PodToLeave,
): Promise<EvictionAnswer> => {
  const body = { apiVersion: 'v1', kind: 'DeleteOptions', preconditions: { uid } };
  return asAnswer(() => client.call({ method: 'DELETE', path: pathOf(pods, { name, namespace }), body }, 1));
};

/** The API server may have accepted what it did not answer: asking again tells. */
const noAnswerSeconds = 2;

const asAnswer = async (ask: () => Promise<unknown>): Promise<EvictionAnswer> => {
  try {
    await ask();
    return { kind: 'accepted' };
  } catch (error) {
    if (error instanceof KubernetesError) return whatRefusalMeans(error);
    if (error instanceof NoAnswer) return { kind: 'later', because: error.message, againInSeconds: noAnswerSeconds };
    throw error;
  }
};
