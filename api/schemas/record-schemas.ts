/** Who did what in a session: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

const RecordEntrySchema = Type.Object({
  at: TimeField('When it began; of several like it, the first'),
  last_at: TimeField('The same of the last one'),
  count: Type.Integer({ description: 'How many like it one after the other are told as one' }),
  by: ChoiceField(
    ['admin', 'project', 'terms', 'nobody'],
    'admin, project: whoever sent the request. terms: those of the project answered. nobody: the project stayed silent, ' +
      'and the default followed',
  ),
  who: orNull('The person or the token, by name where it has one; null: everybody is admin here, or nobody sent it'),
  project_id: Type.Union([IdField(), Type.Null()], { description: 'Of a project; null: of an admin' }),
  project_name: orNull('Its name, when known'),
  did: Type.String({ description: 'In words' }),
  reason: orNull('Why, in the words of whoever did it (header Parley-Reason)'),
});
export type RecordEntryBody = Static<typeof RecordEntrySchema>;

export const SessionRecordSchema = Type.Object({
  session_id: OwnIdField(),
  entries: Type.Array(RecordEntrySchema, { description: 'The oldest first; of many the newest ones' }),
});
export type SessionRecordBody = Static<typeof SessionRecordSchema>;
