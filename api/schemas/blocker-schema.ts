/** A blocker, in a plan as in a summary. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField } from '../../forms/field-types';
import { blockerSubjects, blockerTimes, severities } from '../../rules/obstacles/blocker';
import { blockerKinds } from '../../rules/obstacles/blockers';
import { owners } from '../../rules/obstacles/owner';

export const BlockerSchema = Type.Object({
  kind: ChoiceField(blockerKinds, 'What stands in the way'),
  severity: ChoiceField(
    severities,
    'stops: the session cannot end while it holds; delays: it takes longer, or goes on without a host; note: good to know',
  ),
  when: ChoiceField(blockerTimes, 'now: it holds already; later: when the session gets there'),
  subject_kind: ChoiceField(blockerSubjects, 'The kind of thing that it is about'),
  subject: Type.String({ description: 'The name of the host, the ID of anything else; empty for the cloud' }),
  subject_name: Type.String({ description: 'Its name, else its ID' }),
  owner: ChoiceField(owners, 'Who can do something about it; service: nobody has to'),
  project_id: Type.Union([IdField(), Type.Null()], { description: 'The project, where a project owns it' }),
  project_name: Type.Union([Type.String(), Type.Null()], { description: 'Its name, when known' }),
  project_contact: Type.Optional(Type.String({ description: 'Whom to ask, as the project says in its terms' })),
  because: Type.String({ description: 'The blocker, in words' }),
  help: Type.String({ description: 'What would help' }),
  missing: Type.Union(
    [
      Type.Object({
        vcpus: Type.Number(),
        memory_mb: Type.Number(),
        amounts: Type.Record(Type.String(), Type.Number(), {
          description: 'Everything that is missing, by its name in the cloud',
        }),
        wanted: Type.Array(Type.String(), { description: 'What such a host must have besides, in words' }),
        on_hosts: Type.Integer(),
      }),
      Type.Null(),
    ],
    {
      description: 'The capacity that is missing, and on how many other hosts (0: no other host takes instances)',
    },
  ),
});
export type BlockerBody = Static<typeof BlockerSchema>;
