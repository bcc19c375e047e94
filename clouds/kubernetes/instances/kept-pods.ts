/** Pods that are not evicted unless the operator has said so: their eviction would lose something for good. */
import { controllerOf, type Pod } from '../objects/pods';

/** By kind: keep them, or evict them and lose what they hold. */
export interface KeptPods {
  /** Pods that no controller makes again. */
  readonly unmanagedPods: 'keep' | 'delete';
  /** Pods with an `emptyDir` on the disk of their node. */
  readonly localData: 'keep' | 'delete';
}

/** In words that follow "since"; undefined: it may be evicted. */
export const whyKept = (pod: Pod, { unmanagedPods, localData }: KeptPods): string | undefined => {
  if (unmanagedPods === 'keep' && controllerOf(pod) === undefined) {
    return 'no controller makes this pod again, and PARLEY_KUBERNETES_UNMANAGED_PODS keeps such pods';
  }
  const local = localData === 'keep' ? localVolumeOf(pod) : undefined;
  if (local === undefined) return undefined;
  return `its volume ${local.name} (emptyDir) would be lost, and PARLEY_KUBERNETES_LOCAL_DATA keeps such pods`;
};

/** Names the volumes of a pod that may be lost, separated by commas. The cluster autoscaler reads it, too. */
const lossAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

const localVolumeOf = ({ metadata, spec }: Pod) => {
  const mayBeLost = (metadata.annotations?.[lossAnnotation] ?? '').split(',').map((name) => name.trim());
  return spec.volumes?.find(({ name, emptyDir }) => isOnDisk(emptyDir) && !mayBeLost.includes(name));
};

/** What is in memory is lost with every restart of the pod. */
const isOnDisk = (emptyDir: { readonly medium?: string } | undefined): boolean =>
  emptyDir !== undefined && emptyDir.medium !== 'Memory';
