/** Namespaces, workloads, volumes and what other tools keep, as far as they are read. */
import { type TSchema, Type } from '@sinclair/typebox';
import { defineResource, type ObjectOf } from '../client/resource';
import { nodeSelectorSchema } from './selectors';

const text = Type.Optional(Type.String());

export const namespaces = defineResource({ apiVersion: 'v1', kind: 'Namespace', isNamespaced: false, fields: {} });
export type Namespace = ObjectOf<typeof namespaces>;

const ofReplicas = Type.Optional(Type.Object({ replicas: Type.Optional(Type.Integer()) }));

export const replicaSets = defineResource({
  apiVersion: 'apps/v1',
  kind: 'ReplicaSet',
  isNamespaced: true,
  fields: { spec: ofReplicas },
});
export type ReplicaSet = ObjectOf<typeof replicaSets>;

/** The API server fills `replicas` in where its project left it out. */
export const deployments = defineResource({
  apiVersion: 'apps/v1',
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
  apiVersion: 'autoscaling/v2',
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

export const daemonSets = defineResource({ apiVersion: 'apps/v1', kind: 'DaemonSet', isNamespaced: true, fields: {} });
export type DaemonSet = ObjectOf<typeof daemonSets>;

/** The API server fills `backoffLimit` in where its project left it out. */
export const jobs = defineResource({
  apiVersion: 'batch/v1',
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
  apiVersion: 'nodemaintenance.medik8s.io/v1beta1',
  kind: 'NodeMaintenance',
  isNamespaced: false,
  fields: { spec: Type.Object({ nodeName: Type.String(), reason: text }) },
});
export type NodeMaintenance = ObjectOf<typeof nodeMaintenances>;

export const statefulSets = defineResource({
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  isNamespaced: true,
  fields: { spec: ofReplicas },
});
export type StatefulSet = ObjectOf<typeof statefulSets>;

/** Served where the feature GenericWorkload is on. A `disruptionMode` of `all`: only all of its pods are disrupted. */
export const podGroups = defineResource({
  apiVersion: 'scheduling.k8s.io/v1beta1',
  kind: 'PodGroup',
  isNamespaced: true,
  fields: {
    spec: Type.Object({ disruptionMode: Type.Optional(Type.Object({ all: Type.Optional(Type.Object({})) })) }),
  },
});
export type PodGroup = ObjectOf<typeof podGroups>;

export const volumeAttachments = defineResource({
  apiVersion: 'storage.k8s.io/v1',
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
  apiVersion: 'storage.k8s.io/v1',
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
  apiVersion: 'resource.k8s.io/v1',
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
  apiVersion: 'v1',
  kind: 'PersistentVolumeClaim',
  isNamespaced: true,
  fields: { spec: Type.Object({ volumeName: text }) },
});
export type VolumeClaim = ObjectOf<typeof volumeClaims>;

export const volumes = defineResource({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  isNamespaced: false,
  fields: {
    spec: Type.Object({ nodeAffinity: Type.Optional(Type.Object({ required: Type.Optional(nodeSelectorSchema) })) }),
  },
});
export type Volume = ObjectOf<typeof volumes>;
