/** Nodes, as far as they are read. */
import { Type } from '@sinclair/typebox';
import { defineResource, type ObjectOf, time } from '../client/resource';

const text = Type.Optional(Type.String());

/** Who last wrote which field, as the API server keeps it: of these fields, only whether the node is cordoned. */
const fieldsOfOne = Type.Object({
  manager: text,
  fieldsV1: Type.Optional(
    Type.Object({ 'f:spec': Type.Optional(Type.Object({ 'f:unschedulable': Type.Optional(Type.Object({})) })) }),
  ),
});

const taint = Type.Object({ key: Type.String(), value: text, effect: Type.String(), timeAdded: time });

export const nodes = defineResource({
  apiVersion: 'v1',
  kind: 'Node',
  isNamespaced: false,
  fields: {
    metadata: Type.Object({ managedFields: Type.Optional(Type.Array(fieldsOfOne)) }),
    spec: Type.Object({
      unschedulable: Type.Optional(Type.Boolean()),
      taints: Type.Optional(Type.Array(taint)),
    }),
    status: Type.Optional(
      Type.Object({
        allocatable: Type.Optional(Type.Record(Type.String(), Type.String())),
        conditions: Type.Optional(
          Type.Array(
            Type.Object({
              ...{ type: Type.String(), status: Type.String() },
              ...{ reason: text, message: text, lastTransitionTime: time },
            }),
          ),
        ),
      }),
    ),
  },
});
export type Node = ObjectOf<typeof nodes>;
export type Taint = NonNullable<Node['spec']['taints']>[number];

const readyConditionOf = ({ status }: Node) => status?.conditions?.find(({ type }) => type === 'Ready');

/** True when the kubelet of the node answers and the node takes pods. */
export const isReady = (node: Node): boolean => readyConditionOf(node)?.status === 'True';

/** The time since when it is not Ready; undefined: it is Ready, or nobody knows. */
export const notReadySince = (node: Node): Date | undefined => {
  const { lastTransitionTime } = readyConditionOf(node) ?? {};
  return isReady(node) || typeof lastTransitionTime !== 'string' ? undefined : new Date(lastTransitionTime);
};
