/** The audit, as admins read it. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, TimeField } from '../../forms/field-types';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const AuditEntrySchema = Type.Object({
  id: Type.String({ description: 'Number of the entry; later entries have higher ones' }),
  begun_at: TimeField('When the request arrived'),
  request_id: Type.String({ description: 'X-Request-Id of the answer, and of the log' }),
  role: ChoiceField(['admin', 'project', 'nobody'], 'In which role; nobody: an attempt to sign in'),
  caller: orNull(
    'Who: the user ID in Keystone, `sub` of a token of an issuer, or the name or the beginning of the hash of a token of the tokens file; null where everybody is admin',
  ),
  caller_name: orNull('The name of the person, where the identity tells it beside the caller'),
  reason: orNull('Why, in the words of the caller (header Parley-Reason)'),
  project_id: orNull("For a project's token: the project"),
  address: orNull('Address of the other end of the connection, which may be a proxy'),
  method: Type.String(),
  route: orNull('The path with names in place of IDs; null: no endpoint has the path'),
  path: Type.String(),
  session_id: orNull('The session of the path, or the one that was created'),
  body_sha256: orNull('SHA-256 of the body; null: it had none, or it was not read'),
  details: orNull('What the body asks for, in few words, such as the state of a reply; null: nothing beside the path'),
  did: Type.String({ description: 'The request in words' }),
  status: Type.Union([Type.Integer(), Type.Null()], {
    description: 'HTTP status of the answer; null: the request has not ended, or its process died',
  }),
  ended_at: orNull('When it ended (ISO 8601)'),
});
export type AuditEntryBody = Static<typeof AuditEntrySchema>;

export const AuditPageSchema = Type.Object({
  entries: Type.Array(AuditEntrySchema, { description: 'Newest first' }),
  next: orNull('`before` of the next page; null: this is the last one'),
});
export type AuditPageBody = Static<typeof AuditPageSchema>;
