/** The requests of an admin about one host of a session, and their answer: additions to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { hostPhases } from '../../rules/decisions/fleet/fleet';
import { holdOutcomes } from '../../rules/holds/hold';

const closed = { additionalProperties: false } as const;

export const ReleaseHostSchema = Type.Object(
  {
    session_id: Type.Optional(IdField('When given, the ID in the path')),
    outcome: ChoiceField(holdOutcomes, 'done: the session goes on with the host. failed: the host has failed'),
    note: Type.Optional(Type.String({ maxLength: 500, description: 'For the record of the plug-in' })),
  },
  closed,
);

export const SteeredHostSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'Workflow state of the session' }),
  hostname: Type.String(),
  phase: ChoiceField(
    hostPhases,
    'Progress of the work on it; releasing: moves in flight end first, then it is enabled again',
  ),
  disabled: Type.Boolean(),
  maintained: Type.Boolean(),
  details: Type.String(),
  first_at: Type.Union([TimeField('When it was asked for before others'), Type.Null()]),
  changed: Type.Boolean({ description: 'False: the host was so already, and nothing had to be done' }),
  ignored_marks: Type.Array(Type.String(), {
    description:
      'Marks of others on it that the session ignores, such as the keys of taints, and the names of what it may lack after its maintenance',
  }),
});
export type SteeredHostBody = Static<typeof SteeredHostSchema>;
