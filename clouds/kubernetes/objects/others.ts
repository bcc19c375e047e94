/** Namespaces, workloads, volumes and what other tools keep, as far as they are read. */
import { type TSchema, Type } from '@sinclair/typebox';
import { defineResource, type ObjectOf } from '../client/resource';
import { nodeSelectorSchema } from './selectors';

const text = Type.Optional(Type.String());

export const namespaces = defineResource({
  group: '',
  version: 'v1',
  plural: 'namespaces',
  kind: 'Namespace',
  isNamespaced: false,
  fields: {},
});
export type Namespace = ObjectOf<typeof namespaces>;

const ofReplicas = Type.Optional(Type.Object({ replicas: Type.Optional(Type.Integer()) }));

export const replicaSets = defineResource({
  group: 'apps',
  version: 'v1',
  plural: 'replicasets',
  kind: 'ReplicaSet',
  isNamespaced: true,
  fields: { spec: ofReplicas },
});
export type ReplicaSet = ObjectOf<typeof replicaSets>;

/** The API server fills `replicas` in where its project left it out. */
export const deployments = defineResource({
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  kind: 'Deployment',
  isNamespaced: true,
  fields: {
    spec: ofReplicas,
    status: Type.Optional(
      Type.Object({
        observedGeneration: Type.Optional(Type.Integer()),
        updatedReplicas: Type.Optional(Type.Integer()),
      }),
    ),
  },
});
export type Deployment = ObjectOf<typeof deployments>;

/** API servers give null for lists that are empty, where they do not leave them out. */
const listOf = <Item extends TSchema>(item: Item) => Type.Optional(Type.Union([Type.Array(item), Type.Null()]));

const podFailureRule = Type.Object({
  action: Type.String(),
  onExitCodes: Type.Optional(Type.Object({ operator: Type.String(), values: Type.Array(Type.Integer()) })),
  onPodConditions: listOf(Type.Object({ type: Type.String(), status: text })),
});

export const autoscalers = defineResource({
  group: 'autoscaling',
  version: 'v2',
  plural: 'horizontalpodautoscalers',
  kind: 'HorizontalPodAutoscaler',
  isNamespaced: true,
  fields: {
    spec: Type.Object({
      scaleTargetRef: Type.Object({ kind: Type.String(), name: Type.String() }),
      minReplicas: Type.Optional(Type.Integer()),
      maxReplicas: Type.Integer(),
    }),
  },
});
export type Autoscaler = ObjectOf<typeof autoscalers>;

export const daemonSets = defineResource({
  group: 'apps',
  version: 'v1',
  plural: 'daemonsets',
  kind: 'DaemonSet',
  isNamespaced: true,
  fields: {},
});
export type DaemonSet = ObjectOf<typeof daemonSets>;

/** The API server fills `backoffLimit` in where its project left it out. */
export const jobs = defineResource({
  group: 'batch',
  version: 'v1',
  plural: 'jobs',
  kind: 'Job',
  isNamespaced: true,
  fields: {
    spec: Type.Object({
      backoffLimit: Type.Optional(Type.Integer()),
      backoffLimitPerIndex: Type.Optional(Type.Integer()),
      podFailurePolicy: Type.Optional(Type.Object({ rules: listOf(podFailureRule) })),
    }),
    status: Type.Optional(Type.Object({ failed: Type.Optional(Type.Integer()) })),
  },
});
export type Job = ObjectOf<typeof jobs>;

/** Of the Node Maintenance Operator of medik8s: it drains the node for as long as the object is there. */
export const nodeMaintenances = defineResource({
  group: 'nodemaintenance.medik8s.io',
  version: 'v1beta1',
  plural: 'nodemaintenances',
  kind: 'NodeMaintenance',
  isNamespaced: false,
  fields: { spec: Type.Object({ nodeName: Type.String(), reason: text }) },
});
export type NodeMaintenance = ObjectOf<typeof nodeMaintenances>;

export const statefulSets = defineResource({
  group: 'apps',
  version: 'v1',
  plural: 'statefulsets',
  kind: 'StatefulSet',
  isNamespaced: true,
  fields: { spec: ofReplicas },
});
export type StatefulSet = ObjectOf<typeof statefulSets>;

/** Served where the feature GenericWorkload is on. A `disruptionMode` of `all`: only all of its pods are disrupted. */
export const podGroups = defineResource({
  group: 'scheduling.k8s.io',
  version: 'v1beta1',
  plural: 'podgroups',
  kind: 'PodGroup',
  isNamespaced: true,
  fields: {
    spec: Type.Object({ disruptionMode: Type.Optional(Type.Object({ all: Type.Optional(Type.Object({})) })) }),
  },
});
export type PodGroup = ObjectOf<typeof podGroups>;

export const volumeAttachments = defineResource({
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'volumeattachments',
  kind: 'VolumeAttachment',
  isNamespaced: false,
  fields: {
    spec: Type.Object({
      attacher: Type.String(),
      nodeName: Type.String(),
      source: Type.Object({ persistentVolumeName: text }),
    }),
  },
});
export type VolumeAttachment = ObjectOf<typeof volumeAttachments>;

/** The CSI drivers of a node, which has the same name. */
export const csiNodes = defineResource({
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'csinodes',
  kind: 'CSINode',
  isNamespaced: false,
  fields: {
    spec: Type.Object({
      drivers: listOf(
        Type.Object({
          name: Type.String(),
          allocatable: Type.Optional(Type.Object({ count: Type.Optional(Type.Integer()) })),
        }),
      ),
    }),
  },
});
export type CsiNode = ObjectOf<typeof csiNodes>;

/** Devices that a DRA driver offers, here those of one node. A pool of devices may take several slices. */
export const resourceSlices = defineResource({
  group: 'resource.k8s.io',
  version: 'v1',
  plural: 'resourceslices',
  kind: 'ResourceSlice',
  isNamespaced: false,
  fields: {
    spec: Type.Object({
      driver: Type.String(),
      nodeName: text,
      pool: Type.Object({ name: Type.String(), generation: Type.Integer() }),
      devices: listOf(Type.Object({ name: Type.String() })),
    }),
  },
});
export type ResourceSlice = ObjectOf<typeof resourceSlices>;

export const volumeClaims = defineResource({
  group: '',
  version: 'v1',
  plural: 'persistentvolumeclaims',
  kind: 'PersistentVolumeClaim',
  isNamespaced: true,
  fields: { spec: Type.Object({ volumeName: text }) },
});
export type VolumeClaim = ObjectOf<typeof volumeClaims>;

export const volumes = defineResource({
  group: '',
  version: 'v1',
  plural: 'persistentvolumes',
  kind: 'PersistentVolume',
  isNamespaced: false,
  fields: {
    spec: Type.Object({ nodeAffinity: Type.Optional(Type.Object({ required: Type.Optional(nodeSelectorSchema) })) }),
  },
});
export type Volume = ObjectOf<typeof volumes>;
