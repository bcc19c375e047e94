/** Terms by which pods and volumes choose nodes, and label selectors of workloads and budgets. */
import { type Static, Type } from '@sinclair/typebox';

const texts = Type.Optional(Type.Array(Type.String()));

const requirement = Type.Object({ key: Type.String(), operator: Type.String(), values: texts });
export type Requirement = Static<typeof requirement>;

const nodeSelectorTerm = Type.Object({
  matchExpressions: Type.Optional(Type.Array(requirement)),
  matchFields: Type.Optional(Type.Array(requirement)),
});
export type NodeSelectorTerm = Static<typeof nodeSelectorTerm>;

/** A node fits when one of the terms does. */
export const nodeSelectorSchema = Type.Object({ nodeSelectorTerms: Type.Array(nodeSelectorTerm) });
export type NodeSelector = Static<typeof nodeSelectorSchema>;

export const labelSelectorSchema = Type.Object({
  matchLabels: Type.Optional(Type.Record(Type.String(), Type.String())),
  matchExpressions: Type.Optional(Type.Array(requirement)),
});
export type LabelSelector = Static<typeof labelSelectorSchema>;

type Labels = Readonly<Record<string, string>>;

type Holds = (value: string | undefined, values: readonly string[]) => boolean;

const operators: Readonly<Record<string, Holds>> = {
  In: (value, values) => value !== undefined && values.includes(value),
  NotIn: (value, values) => value === undefined || !values.includes(value),
  Exists: (value) => value !== undefined,
  DoesNotExist: (value) => value === undefined,
  Gt: (value, [limit]) => value !== undefined && Number(value) > Number(limit),
  Lt: (value, [limit]) => value !== undefined && Number(value) < Number(limit),
};

/** Says whether labels meet a requirement. An operator that is not known here is met: Kubernetes decides in the end. */
export const meets = (labels: Labels, { key, operator, values = [] }: Requirement): boolean =>
  operators[operator]?.(labels[key], values) ?? true;

/** An empty selector selects all. */
export const selects = ({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Labels = {}): boolean =>
  Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
  matchExpressions.every((requirement) => meets(labels, requirement));

/** The requirement in words, such as `disk In (ssd, nvme)`. */
export const requirementWords = ({ key, operator, values = [] }: Requirement): string =>
  values.length === 0 ? `${key} ${operator}` : `${key} ${operator} (${values.join(', ')})`;
