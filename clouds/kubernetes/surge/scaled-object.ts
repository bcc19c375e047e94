/**
 * Reads and changes the object that makes a number of replicas. The number and the annotation that remembers the one
 * before are written together, on condition of the version that was read.
 */
import type { Cluster } from '../cache/cluster';
import type { KubernetesClient } from '../client/kubernetes-client';
import { isStatus } from '../client/kubernetes-error';
import { autoscalers, deployments } from '../objects/others';
import { isAutoscaler, nameOf, rememberedAs, type Scaled, type Surge, surgedAnnotation } from './decide-surge';

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
  /** Undefined takes the annotation away. */
  readonly remembered: Surge | undefined;
}

export type ScaledChange =
  | { readonly kind: 'written'; readonly scaled: Scaled }
  /** The next try decides anew. */
  | { readonly kind: 'refused'; readonly because: string };

/** Changes the object only if it is still as it was read. */
export const writeScaled = async (
  { client, cluster }: Changer,
  scaled: Scaled,
  { number, remembered }: NumberChange,
): Promise<ScaledChange> => {
  const { namespace, name, resourceVersion } = scaled.metadata;
  const annotations = { [surgedAnnotation]: remembered === undefined ? null : rememberedAs(remembered) };
  const metadata = { resourceVersion, annotations };
  const at = { namespace, name };
  try {
    if (isAutoscaler(scaled)) {
      const patch = { metadata, spec: { minReplicas: number } };
      const written = await client.patch(autoscalers, at, { patch, type: 'merge' });
      cluster.autoscalers.put(written);
      return { kind: 'written', scaled: written };
    }
    const patch = { metadata, spec: { replicas: number } };
    const written = await client.patch(deployments, at, { patch, type: 'merge' });
    cluster.deployments.put(written);
    return { kind: 'written', scaled: written };
  } catch (error) {
    if (!isStatus(error, 403, 404, 409, 422)) throw error;
    return { kind: 'refused', because: `the cluster refused to change ${nameOf(scaled)}: ${error.details.said}` };
  }
};
