/** Questions to projects: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const QuestionSchema = Type.Object({
  question_id: OwnIdField(),
  session_id: OwnIdField(),
  project_id: IdField(),
  project_name: orNull(Type.String(), 'Its name, when known'),
  project_contact: Type.Optional(
    Type.String({ description: 'For admins: whom to ask, as the project says in its terms' }),
  ),
  state: Type.String({ description: 'The state that is asked about; the reply is ACK_ or NACK_ followed by it' }),
  instance_id: orNull(IdField(), 'Set where one instance is asked about'),
  hostname: orNull(Type.String(), 'For admins, where it is about draining a host'),
  instance_ids: Type.Array(Type.String(), { description: 'The instances that it is about' }),
  instances: Type.Array(
    Type.Object({
      instance_id: IdField(),
      instance_name: Type.String(),
      host: orNull(Type.String(), 'For admins: the host that it is on'),
    }),
    { description: 'The first of these instances, as the session knows them' },
  ),
  allowed_actions: Type.Array(Type.String(), { description: 'Actions that the reply may choose for them' }),
  reply_url: Type.String({ description: 'Address to which the reply goes (PUT)' }),
  reply_at: orNull(TimeField('End of its window'), 'null: its event is not on the bus yet'),
  not_before_latest: orNull(
    TimeField('The latest time that the reply may name as not_before'),
    'null: this session lets nobody put work off',
  ),
  deadline: orNull(
    TimeField('The deadline of the session where not_before_latest lies behind it: a later not_before makes it late'),
    'null: no time that the reply may name makes the session late',
  ),
  seconds_left: orNull(Type.Number(), 'The same in seconds from the moment of the answer; null: over, or not known'),
  settled: Type.Optional(
    orNull(
      Type.Object({
        answer: orNull(ChoiceField(['ACK', 'NACK'], 'The answer'), 'null: there is none'),
        by: ChoiceField(['reply', 'terms', 'nobody'], 'Whose answer it is'),
        who: orNull(Type.String(), 'The caller whose reply it was, as far as the service tells callers apart'),
        at: orNull(TimeField('The time of the answer, or of the end without one'), 'null: not known'),
      }),
      'In the questions of a session: how it ended; null: it is open',
    ),
  ),
});
export type QuestionBody = Static<typeof QuestionSchema>;

export const QuestionListSchema = Type.Object({
  questions: Type.Array(QuestionSchema, { description: 'Sorted by the end of the window' }),
});
