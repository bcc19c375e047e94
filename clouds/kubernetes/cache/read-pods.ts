/** Reads pods from the API server, for those who are about to act, and gives what is read to the cache. */
import type { KubernetesClient, ObjectName } from '../client/kubernetes-client';
import { type Pod, pods, uidOf } from '../objects/pods';
import type { Cluster } from './cluster';

export interface PodReader {
  /** Undefined: there is no pod with this UID. Its name, where it is known, spares a look at all pods. */
  readonly find: (uid: string, name?: ObjectName) => Promise<Pod | undefined>;
  /** All pods of a node, those that have ended among them. */
  readonly listOn: (node: string) => Promise<readonly Pod[]>;
}

export const createPodReader = (client: KubernetesClient, cluster: Cluster): PodReader => ({
  async find(uid, name) {
    await cluster.pods.ready();
    const at = name ?? cluster.pods.byUid(uid)?.metadata;
    if (at !== undefined) {
      const pod = await client.get(pods, at);
      if (pod !== undefined) cluster.pods.put(pod);
      return pod !== undefined && uidOf(pod) === uid ? pod : undefined;
    }
    // It may be younger than the last news of the watch: the API server has no way to look for a UID.
    const { items } = await client.list(pods);
    items.forEach(cluster.pods.put);
    return items.find((pod) => uidOf(pod) === uid);
  },
  async listOn(node) {
    const { items } = await client.list(pods, { fieldSelector: `spec.nodeName=${node}` });
    items.forEach(cluster.pods.put);
    return items;
  },
});
