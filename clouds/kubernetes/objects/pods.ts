/** Pods, as far as they are read, and which of them are instances. */
import { type Static, Type } from '@sinclair/typebox';
import { apiGroup } from '../api-group';
import { defineResource, type ObjectOf, time } from '../client/resource';
import { labelSelectorSchema, type NodeSelector, nodeSelectorSchema } from './selectors';

const text = Type.Optional(Type.String());
const amounts = Type.Optional(Type.Record(Type.String(), Type.String()));
const resources = Type.Optional(Type.Object({ requests: amounts }));

/** The ports of the node itself that a container takes. The API server fills them in for pods on the node's network. */
const ports = Type.Optional(
  Type.Array(Type.Object({ hostPort: Type.Optional(Type.Integer()), hostIP: text, protocol: text })),
);

const toleration = Type.Object({ key: text, operator: text, value: text, effect: text });

const antiAffinityTerm = Type.Object({
  topologyKey: Type.String(),
  labelSelector: Type.Optional(labelSelectorSchema),
  namespaces: Type.Optional(Type.Array(Type.String())),
});

const affinity = Type.Object({
  nodeAffinity: Type.Optional(
    Type.Object({ requiredDuringSchedulingIgnoredDuringExecution: Type.Optional(nodeSelectorSchema) }),
  ),
  podAntiAffinity: Type.Optional(
    Type.Object({
      requiredDuringSchedulingIgnoredDuringExecution: Type.Optional(Type.Array(antiAffinityTerm)),
    }),
  ),
});

const spreadConstraint = Type.Object({
  maxSkew: Type.Number(),
  topologyKey: Type.String(),
  whenUnsatisfiable: Type.String(),
  labelSelector: Type.Optional(labelSelectorSchema),
  matchLabelKeys: Type.Optional(Type.Array(Type.String())),
  minDomains: Type.Optional(Type.Number()),
  nodeAffinityPolicy: text,
  nodeTaintsPolicy: text,
});
export type SpreadConstraint = Static<typeof spreadConstraint>;

/** Why a container has not started. */
const containerStatuses = Type.Optional(
  Type.Array(
    Type.Object({
      state: Type.Optional(Type.Object({ waiting: Type.Optional(Type.Object({ reason: text, message: text })) })),
    }),
  ),
);

const volume = Type.Object({
  name: Type.String(),
  emptyDir: Type.Optional(Type.Object({ medium: text })),
  persistentVolumeClaim: Type.Optional(Type.Object({ claimName: Type.String() })),
  /** Its claim belongs to the pod, and has the name of both. */
  ephemeral: Type.Optional(Type.Object({})),
});

export const pods = defineResource({
  apiVersion: 'v1',
  kind: 'Pod',
  isNamespaced: true,
  fields: {
    metadata: Type.Object({ finalizers: Type.Optional(Type.Array(Type.String())) }),
    spec: Type.Object({
      nodeName: text,
      restartPolicy: text,
      nodeSelector: Type.Optional(Type.Record(Type.String(), Type.String())),
      affinity: Type.Optional(affinity),
      tolerations: Type.Optional(Type.Array(toleration)),
      topologySpreadConstraints: Type.Optional(Type.Array(spreadConstraint)),
      containers: Type.Array(Type.Object({ resources, ports })),
      initContainers: Type.Optional(Type.Array(Type.Object({ resources, ports, restartPolicy: text }))),
      /** Of all containers together. */
      resources,
      overhead: amounts,
      schedulingGroup: Type.Optional(Type.Object({ podGroupName: text })),
      volumes: Type.Optional(Type.Array(volume)),
    }),
    status: Type.Optional(
      Type.Object({
        phase: text,
        containerStatuses,
        initContainerStatuses: containerStatuses,
        conditions: Type.Optional(
          Type.Array(
            Type.Object({
              type: Type.String(),
              status: Type.String(),
              reason: text,
              message: text,
              lastTransitionTime: time,
            }),
          ),
        ),
      }),
    ),
  },
});
export type Pod = ObjectOf<typeof pods>;
export type PodSpec = Pod['spec'];

/** The nodes that a pod asks for beside its node selector. */
export const ownSelectorOf = ({
  affinity,
}: {
  readonly affinity?: PodSpec['affinity'] | undefined;
}): NodeSelector | undefined => affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;

/** A pod of a node. The API server gives every object its UID. */
export const uidOf = ({ metadata }: Pick<Pod, 'metadata'>): string => metadata.uid ?? '';

export const hasEnded = ({ status }: Pod): boolean => status?.phase === 'Succeeded' || status?.phase === 'Failed';

const longestStartSeconds = 900;

const readyConditionOf = ({ status }: Pod) => status?.conditions?.find(({ type }) => type === 'Ready');

export const isPodReady = (pod: Pod): boolean => readyConditionOf(pod)?.status === 'True';

/** The time since when a Ready pod is Ready, in milliseconds; 0: nobody knows. */
export const readySince = (pod: Pod): number => Date.parse(readyConditionOf(pod)?.lastTransitionTime ?? '') || 0;

/**
 * The seconds that a pod has taken from its node to be Ready, where that is known. It was restarted since, or was not
 * Ready for a while, when that seems to have taken very long.
 */
export const secondsToReady = (pod: Pod): number | undefined => {
  const scheduled = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled')?.lastTransitionTime;
  if (!isPodReady(pod)) return undefined;
  const seconds = (readySince(pod) - Date.parse(scheduled ?? '')) / 1000;
  return seconds >= 0 && seconds <= longestStartSeconds ? seconds : undefined;
};

/** The time since when it is not Ready, in milliseconds; undefined: it is Ready, or nobody knows. */
export const notReadySince = (pod: Pod): number | undefined => {
  if (isPodReady(pod) || hasEnded(pod)) return undefined;
  const since = Date.parse(readyConditionOf(pod)?.lastTransitionTime ?? pod.metadata.creationTimestamp ?? '');
  return Number.isNaN(since) ? undefined : since;
};

/** The object that owns it and sees to it: for a pod the one that makes it again when it is gone. */
export const controllerOf = ({ metadata }: Pick<Pod, 'metadata'>) =>
  metadata.ownerReferences?.find(({ controller }) => controller === true);

const isMirror = ({ metadata }: Pod): boolean => metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined;
const isOfDaemonSet = (pod: Pod): boolean => controllerOf(pod)?.kind === 'DaemonSet';

/** True for a pod that belongs to its node: it is there as long as the node is, so nobody moves it. */
export const belongsToNode = (pod: Pod): boolean => isMirror(pod) || isOfDaemonSet(pod);

/** Labels the pods of the service's own Jobs. */
export const runLabel = `${apiGroup}/run`;

/** True for the service's own work on a node. The label alone says nothing: any project can set it on its pods. */
const isOfOwnJob = ({ metadata: { namespace, labels } }: Pod, jobNamespace: string | undefined): boolean =>
  jobNamespace !== undefined && namespace === jobNamespace && labels?.[runLabel] !== undefined;

/**
 * True for a pod that keeps its node from being empty.
 * @param jobNamespace the namespace of the service's own Jobs; undefined: it has none
 */
export const isInstance = (pod: Pod, jobNamespace: string | undefined): boolean =>
  pod.spec.nodeName !== undefined && !hasEnded(pod) && !belongsToNode(pod) && !isOfOwnJob(pod, jobNamespace);
