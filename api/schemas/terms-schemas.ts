/** When sessions are expected to end with other terms. An addition to the specification. */
import { type Static, Type } from '@sinclair/typebox';
import { IdField, OwnIdField, TimeField } from '../../forms/field-types';

const end = TimeField('The end');

const EndField = (description: string) =>
  Type.Union([Type.Object({ earliest: end, expected: end, latest: end }), Type.Null()], {
    description: `${description}; null: by its plan it does not end by itself`,
  });

export const TermsPreviewSchema = Type.Object({
  project_id: IdField(),
  sessions: Type.Array(
    Type.Object({
      session_id: OwnIdField(),
      reason: Type.Union([Type.String(), Type.Null()], {
        description: 'The reason for the session, in the words of an admin; null: none is given',
      }),
      ends_at: EndField('When the session is expected to end, with the terms that count now'),
      ends_at_with_terms: EndField('The same with the terms of the request'),
    }),
    { description: 'The sessions with instances of the project on hosts that are still to be maintained' },
  ),
});
export type TermsPreviewBody = Static<typeof TermsPreviewSchema>;
