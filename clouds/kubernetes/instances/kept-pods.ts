/** Pods that are not evicted unless somebody has said so: their eviction would lose something for good. */
import type { KeptUnless } from '../../../rules/cloud/cloud-facts';
import type { WayToLeave } from '../../../rules/cloud/departure';
import type { EvictionDefaults } from '../../../rules/cloud/eviction';
import { wayIn } from '../../../rules/cloud/seen-in-session';
import type { MoveRequest } from '../../cloud-driver';
import { controllerOf, type Pod } from '../objects/pods';

/** Lists what would be lost with the pod. An option of the create request allows each loss. */
export const lossesOf = (pod: Pod, { unmanagedPods, localData }: EvictionDefaults): readonly KeptUnless[] => {
  const local = localVolumeOf(pod);
  return [
    ...(controllerOf(pod) === undefined
      ? [{ option: 'unmanagedPods', byDefault: unmanagedPods, way: leftToProject(nothingMakesItAgain) } as const]
      : []),
    ...(local === undefined
      ? []
      : [{ option: 'localData', byDefault: localData, way: leftToProject(wouldBeLost(local.name)) } as const]),
  ];
};

const leftToProject = (because: string): WayToLeave => ({ kind: 'byProject', because });

/** In words that follow "since"; undefined: it may be evicted. */
export const whyKept = (
  pod: Pod,
  { eviction = null }: Pick<MoveRequest, 'eviction'>,
  defaults: EvictionDefaults,
): string | undefined => {
  const way = wayIn(eviction, lossesOf(pod, defaults));
  return way.kind === 'byProject' ? way.because : undefined;
};

const nothingMakesItAgain =
  'no controller makes this pod again, and it is kept unless the session says otherwise (eviction.unmanaged_pods)';

const wouldBeLost = (volume: string): string =>
  `its volume ${volume} (emptyDir) would be lost, and it is kept unless the session says otherwise (eviction.local_data)`;

/** Names the volumes of a pod that may be lost, separated by commas. The cluster autoscaler reads it, too. */
const lossAnnotation = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

const localVolumeOf = ({ metadata, spec }: Pod) => {
  const mayBeLost = (metadata.annotations?.[lossAnnotation] ?? '').split(',').map((name) => name.trim());
  return spec.volumes?.find(({ name, emptyDir }) => isOnDisk(emptyDir) && !mayBeLost.includes(name));
};

/** What is in memory is lost with every restart of the pod. */
const isOnDisk = (emptyDir: { readonly medium?: string } | undefined): boolean =>
  emptyDir !== undefined && emptyDir.medium !== 'Memory';
