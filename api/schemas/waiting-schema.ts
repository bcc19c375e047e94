/** Why a host or an instance waits, with names and remaining times. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, TimeField } from '../../forms/field-types';
import { owners } from '../../rules/obstacles/owner';
import { waitKinds } from '../../rules/reasons/in-words';

export const LimitSchema = Type.Object(
  {
    max: Type.Integer({
      description: "max_impacted_members, max_instances_per_host, max_parallel_hosts, or the cloud's own limit",
    }),
    kept_by: ChoiceField(['service', 'cloud'], 'Who keeps it; cloud: for example in a PodDisruptionBudget'),
    occupied: Type.Integer({
      description:
        'How many count against it now, over all sessions; affinity: the members on all hosts that hold as many as they may',
    }),
    occupied_by: Type.Array(Type.String(), {
      description:
        'The first of those, five at most: IDs of instances, or names of hosts; fewer where nobody knows them',
    }),
  },
  {
    description:
      'The limit that holds it back, as the last decision found it; absent: no limit does, or it is not known',
  },
);

export const WaitingSchema = Type.Object({
  waiting_for: ChoiceField(waitKinds, 'Kind of the thing that it waits for'),
  who: Type.String({ description: 'Name of the host or ID of the instance that waits' }),
  who_name: Type.Union([Type.String(), Type.Null()], { description: 'Its name, when known' }),
  subject: Type.String({
    description:
      'The thing that it waits for: a group, a host, an amount of capacity, a project, a time, a window; resume: paused ' +
      'since; content: the project or host that can put right what is on a host; right: one in the cloud; start: of a host',
  }),
  subject_id: Type.Union([Type.String(), Type.Null()], {
    description: 'ID of the group, project or instance that it waits for; else null',
  }),
  subject_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the group, host, project or instance that it waits for, when known; else null',
  }),
  since: Type.Union([TimeField('Start of the wait, or of what others have set and it waits for'), Type.Null()]),
  because: Type.Optional(
    Type.String({
      description: 'The reason in a sentence, such as the words of the cloud about it; absent: no more is known',
    }),
  ),
  help: Type.Optional(Type.String({ description: 'What would help, where the decision that found it knows' })),
  owner: Type.Optional(ChoiceField(owners, 'Who can end the wait, where the decision that found it knows')),
  remaining_seconds: Type.Union([Type.Number(), Type.Null()], {
    description: 'Longest remaining time of the wait, when known; of a turn or a place: until the plan foretells it',
  }),
  limit: Type.Optional(LimitSchema),
});
export type WaitingBody = Static<typeof WaitingSchema>;
