/** The last events of a session: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { DictionaryField, TimeField } from '../../forms/field-types';

const SessionEventSchema = Type.Object({
  id: Type.String({ description: 'Its position in the stream of GET /v1/events' }),
  event_type: Type.String(),
  timestamp: TimeField('When it was recorded'),
  payload: DictionaryField('Its content, as the stream has it'),
});

export const SessionEventsSchema = Type.Object({
  events: Type.Array(SessionEventSchema, { description: 'The last 50, the newest first' }),
});
export type SessionEventsBody = Static<typeof SessionEventsSchema>;
