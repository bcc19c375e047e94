/** The names that a create request can have: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { OwnIdField } from '../../forms/field-types';

const HostChoiceSchema = Type.Object({
  hostname: Type.String(),
  type: Type.String({ description: 'compute or controller' }),
  session_id: Type.Union([OwnIdField(), Type.Null()], {
    description: 'The unfinished session that has the host; null: it is free',
  }),
  zone: Type.Union([Type.String(), Type.Null()], { description: 'Its zone in the cloud; null: none, or not known' }),
  labels: Type.Record(Type.String(), Type.String(), {
    description:
      'What the cloud says of it, by keys: labels of a node; aggregates, traits and states in OpenStack. A text may be ' +
      'a list with commas',
  }),
  disabled: Type.Boolean({ description: 'True where the cloud puts no further instances on it' }),
  disabled_because: Type.Union([Type.String(), Type.Null()], {
    description: 'Why, in the words of whoever disabled it; null: it is not disabled, or nobody said why',
  }),
  instance_count: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Instances on it; null: the query does not ask for them, or the cloud cannot tell',
  }),
  seems_gone: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the cloud seems not to have it any more, so that a session cannot name it; null: it is there',
  }),
});

export const ChoicesSchema = Type.Object({
  hosts: Type.Array(HostChoiceSchema, { description: 'The hosts of the cloud, by name' }),
  workflows: Type.Array(Type.String(), { description: 'Workflow plug-ins; a package may bring others' }),
  action_plugins: Type.Array(Type.String(), { description: 'Action plug-ins; a package may bring others' }),
});
export type ChoicesBody = Static<typeof ChoicesSchema>;
