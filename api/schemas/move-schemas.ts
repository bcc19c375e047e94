/** The moves of a session that have begun: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const SessionMovesSchema = Type.Object({
  session_id: OwnIdField(),
  moves: Type.Array(
    Type.Object({
      instance_id: IdField(),
      instance_name: Type.String(),
      project_id: IdField(),
      project_name: orNull(Type.String(), 'Its name, when known'),
      action: Type.String({ description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
      host: Type.String({ description: 'The host that it leaves' }),
      target: orNull(Type.String(), 'The host that it goes to; null: its project finds the place'),
      from: TimeField('When the action began'),
      to: orNull(TimeField('When it ended'), 'null: it has not'),
      outcome: orNull(
        ChoiceField(['done', 'gone', 'stayed'], 'How it ended'),
        'done: it is on the target; gone: it is no longer there, since it ended or is made again; stayed: it is still ' +
          'on its host; null: it moves',
      ),
    }),
    { description: 'In the order in which they began; an instance that was moved again is there again' },
  ),
});
export type SessionMovesBody = Static<typeof SessionMovesSchema>;
