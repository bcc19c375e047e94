/**
 * The cluster as watches tell it: one for each kind that is looked at again and again. Nothing is asked until the first
 * look. What is read on purpose, shortly before something is done, goes past it and is put into it.
 */
import type { KubernetesClient } from '../client/kubernetes-client';
import { budgets } from '../objects/budgets';
import { nodes } from '../objects/nodes';
import {
  autoscalers,
  csiNodes,
  deployments,
  jobs,
  namespaces,
  podGroups,
  replicaSets,
  resourceSlices,
  statefulSets,
  volumeClaims,
  volumes,
} from '../objects/others';
import { isInstance, type Pod, pods } from '../objects/pods';
import { createStore } from './store';

export interface ClusterOptions {
  readonly client: KubernetesClient;
  /** Ends all watches. */
  readonly signal: AbortSignal;
  readonly jobNamespace: string | undefined;
}

export const createCluster = ({ client, signal, jobNamespace }: ClusterOptions) => {
  const stores = {
    nodes: createStore({ client, resource: nodes, signal }),
    pods: createStore({ client, resource: pods, signal }),
    namespaces: createStore({ client, resource: namespaces, signal }),
    replicaSets: createStore({ client, resource: replicaSets, signal }),
    statefulSets: createStore({ client, resource: statefulSets, signal, isOptional: true }),
    deployments: createStore({ client, resource: deployments, signal, isOptional: true }),
    autoscalers: createStore({ client, resource: autoscalers, signal, isOptional: true }),
    jobs: createStore({ client, resource: jobs, signal, isOptional: true }),
    podGroups: createStore({ client, resource: podGroups, signal, isOptional: true }),
    csiNodes: createStore({ client, resource: csiNodes, signal, isOptional: true }),
    resourceSlices: createStore({ client, resource: resourceSlices, signal, isOptional: true }),
    budgets: createStore({ client, resource: budgets, signal }),
    volumeClaims: createStore({ client, resource: volumeClaims, signal, isOptional: true }),
    volumes: createStore({ client, resource: volumes, signal, isOptional: true }),
  };
  return {
    ...stores,
    /** The time of the API server, with which the times in all of it are compared. */
    nowMs: () => client.nowMs(),
    isInstance: (pod: Pod): boolean => isInstance(pod, jobNamespace),
    /** Resolves when all of it is there. @throws KubernetesError, NoAnswer, AccessFault */
    async ready(): Promise<void> {
      await Promise.all(Object.values(stores).map((store) => store.ready()));
    },
  };
};
export type Cluster = ReturnType<typeof createCluster>;
