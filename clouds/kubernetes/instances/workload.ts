/** The object that makes a pod again, and what its project has written on it for this service. */
import type { Cluster } from '../cache/cluster';
import { constraintsFrom, type ToldConstraints } from '../limits/annotations';
import { type AnnotatedTerms, termsFrom } from '../limits/terms-annotation';
import type { Deployment } from '../objects/others';
import { controllerOf, type Pod } from '../objects/pods';

export interface Workload {
  /** Undefined: nothing makes the pod again. */
  readonly uid: string | undefined;
  /** Such as `Deployment web`. */
  readonly name: string;
}

/** The object that people know: the Deployment, not its ReplicaSet. */
export const workloadOf = (cluster: Cluster, pod: Pod): Workload => {
  const owner = controllerOf(pod);
  if (owner === undefined) return { uid: undefined, name: `Pod ${pod.metadata.name}` };
  const replicaSet = owner.kind === 'ReplicaSet' ? cluster.replicaSets.byUid(owner.uid) : undefined;
  const { uid, kind, name } = (replicaSet === undefined ? undefined : controllerOf(replicaSet)) ?? owner;
  return { uid, name: `${kind} ${name}` };
};

/** The PodGroup of a pod that is disrupted only with all others of it; undefined also where nobody tells that. */
export const gangOf = ({ podGroups }: Cluster, { metadata: { namespace }, spec }: Pod): Workload | undefined => {
  const { podGroupName } = spec.schedulingGroup ?? {};
  const podGroup = podGroupName === undefined ? undefined : podGroups.byName(podGroupName, namespace);
  return (
    podGroup?.spec.disruptionMode?.all && { uid: podGroup.metadata.uid, name: `PodGroup ${podGroup.metadata.name}` }
  );
};

/** Undefined also where the service may not see Deployments. */
export const deploymentOf = ({ replicaSets, deployments }: Cluster, pod: Pod): Deployment | undefined => {
  const replicaSet = replicaSets.byUid(controllerOf(pod)?.uid ?? '');
  return deployments.byUid((replicaSet && controllerOf(replicaSet)?.uid) ?? '');
};

/** The annotations of its workload count before those of the pod itself, and these before those of the namespace. */
export const toldOf = (cluster: Cluster, pod: Pod): ToldConstraints => {
  const { uid = '' } = controllerOf(pod) ?? {};
  // A Deployment gives its annotations to its ReplicaSet, which keeps them when they are taken away again.
  const owner = deploymentOf(cluster, pod) ?? cluster.replicaSets.byUid(uid) ?? cluster.statefulSets.byUid(uid);
  const namespace = cluster.namespaces.byName(pod.metadata.namespace ?? '');
  const [ofOwner, ofPod, ofNamespace] = [owner, pod, namespace].map((one) => one?.metadata.annotations);
  const now = new Date(cluster.nowMs());
  const told = constraintsFrom([ofOwner, ofPod, ofNamespace]);
  return withTerms(told, termsFrom({ ofWorkload: [ofOwner, ofPod], ofNamespace }, now));
};

/** A project whose terms cannot be read is asked, unless it says in another annotation that it is not. */
const withTerms = (told: ToldConstraints, { terms, faults }: AnnotatedTerms): ToldConstraints => {
  const wantsQuestions = faults.length > 0 && told.leadTimeSeconds !== 0;
  return {
    ...told,
    ...(wantsQuestions && { wantsQuestions }),
    ...(terms && { terms }),
    faults: [...told.faults, ...faults],
  };
};
