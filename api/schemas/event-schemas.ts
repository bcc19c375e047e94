/** The last events of a session: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { DictionaryField, IdField, TimeField } from '../../forms/field-types';

const SessionEventSchema = Type.Object({
  id: Type.String({ description: 'Its position in the stream of GET /v1/events' }),
  event_type: Type.String(),
  timestamp: TimeField('When it was recorded'),
  payload: DictionaryField('Its content, as the stream has it'),
  words: Type.String({ description: 'The event in words, with names as far as they are known' }),
  host: Type.Union([Type.String(), Type.Null()], { description: 'The host that it is about; null: another thing' }),
  project_id: Type.Union([IdField(), Type.Null()], { description: 'The project that it is for; null: for admins' }),
  project_name: Type.Union([Type.String(), Type.Null()], { description: 'Its name, when known' }),
});

export const SessionEventsSchema = Type.Object({
  events: Type.Array(SessionEventSchema, { description: 'The last 50, the newest first' }),
});
export type SessionEventsBody = Static<typeof SessionEventsSchema>;
