/**
 * Reads and changes the object that makes a number of replicas. The number and the annotation that remembers the one
 * before are written together, on condition of the version that was read.
 */
import type { Cluster } from '../cache/cluster';
import type { KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import { autoscalers, deployments } from '../objects/others';
import { isAutoscaler, nameOf, type Scaled, surgedAnnotation } from './decide-surge';

export interface Changer {
  readonly client: KubernetesClient;
  readonly cluster: Cluster;
}

/** As it is now. */
export const readScaled = async ({ client, cluster }: Changer, scaled: Scaled): Promise<Scaled | undefined> => {
  if (isAutoscaler(scaled)) {
    const read = await client.get(autoscalers, scaled.metadata);
    if (read !== undefined) cluster.autoscalers.put(read);
    return read;
  }
  const read = await client.get(deployments, scaled.metadata);
  if (read !== undefined) cluster.deployments.put(read);
  return read;
};

interface NumberChange {
  readonly number: number;
  /** Null takes it away. */
  readonly remembered: string | null;
}

/** @returns the refusal; the next try decides anew */
export const writeScaled = async (
  { client, cluster }: Changer,
  scaled: Scaled,
  { number, remembered }: NumberChange,
): Promise<string | undefined> => {
  const { namespace, name, resourceVersion } = scaled.metadata;
  const metadata = { resourceVersion, annotations: { [surgedAnnotation]: remembered } };
  const at = { namespace, name };
  try {
    if (isAutoscaler(scaled)) {
      const patch = { metadata, spec: { minReplicas: number } };
      cluster.autoscalers.put(await client.patch(autoscalers, at, { patch, type: 'merge' }));
    } else {
      const patch = { metadata, spec: { replicas: number } };
      cluster.deployments.put(await client.patch(deployments, at, { patch, type: 'merge' }));
    }
    return undefined;
  } catch (error) {
    if (!isStatus(error, 403, 404, 409, 422)) throw error;
    return `the cluster refused to change ${nameOf(scaled)}: ${error.details.said}`;
  }
};
