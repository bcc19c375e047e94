/** The tenants of a session, with whom to ask: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { IdField, OwnIdField } from '../../forms/field-types';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

export const SessionTenantsSchema = Type.Object({
  session_id: OwnIdField(),
  tenants: Type.Array(
    Type.Object({
      project_id: IdField(),
      project_name: orNull(Type.String(), 'Its name, when known'),
      contact: orNull(Type.String(), 'Whom to ask, as the project says in its terms; null: it does not say'),
      open_questions: Type.Integer({ description: 'Questions that it has not answered yet' }),
      hosts: Type.Array(Type.String(), { description: 'The hosts that wait for these answers' }),
      seconds_left: orNull(Type.Number(), 'Until the first of them is over; null: nothing is open, or not sent yet'),
      asked: Type.Integer({ description: 'Questions that it was asked in the session' }),
      silent: Type.Integer({ description: 'Those that it stayed silent about' }),
      refused: Type.Integer({ description: 'Those that it refused' }),
    }),
    { description: 'Whoever is waited for comes first, by the time that is left; then who stayed silent most often' },
  ),
});
export type SessionTenantsBody = Static<typeof SessionTenantsSchema>;
