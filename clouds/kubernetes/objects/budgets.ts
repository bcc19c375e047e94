/** PodDisruptionBudgets, as far as they are read. */
import { Type } from '@sinclair/typebox';
import { defineResource, type ObjectOf } from '../client/resource';
import { labelSelectorSchema } from './selectors';

const amount = Type.Optional(Type.Union([Type.Integer(), Type.String()]));
const number = Type.Optional(Type.Integer());

export const budgets = defineResource({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  isNamespaced: true,
  fields: {
    spec: Type.Object({
      selector: Type.Optional(labelSelectorSchema),
      minAvailable: amount,
      maxUnavailable: amount,
      unhealthyPodEvictionPolicy: Type.Optional(Type.String()),
    }),
    status: Type.Optional(
      Type.Object({
        observedGeneration: number,
        expectedPods: number,
        currentHealthy: number,
        desiredHealthy: number,
        disruptionsAllowed: number,
        conditions: Type.Optional(
          Type.Array(
            Type.Object({
              type: Type.String(),
              status: Type.String(),
              reason: Type.Optional(Type.String()),
              message: Type.Optional(Type.String()),
            }),
          ),
        ),
      }),
    ),
  },
});
export type Budget = ObjectOf<typeof budgets>;
