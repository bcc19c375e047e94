/**
 * Replies of projects. Clients send further keys: those are ignored, except IDs, which must equal the path's, and the
 * field for actions of the other address, which counts or is refused (rules/questions/choices.ts).
 */
import { type Static, Type } from '@sinclair/typebox';
import { IdField, TimeField } from '../../forms/field-types';

const ReplyStateField = () =>
  Type.String({ format: 'reply-state', description: 'ACK_ or NACK_ followed by the state replied to' });

const idsOfPath = {
  session_id: Type.Optional(IdField('When given, the ID in the path')),
  project_id: Type.Optional(IdField()),
};

export const ProjectInstancesSchema = Type.Object({
  instance_ids: Type.Array(IdField(), {
    description: "The instances in the project's open question, or else in its last one",
  }),
});

export const ReplyNoteSchema = Type.Object(
  {
    warning: Type.String({ description: 'In words' }),
    deadline: TimeField('The deadline of the session'),
  },
  {
    description:
      'The answer to a reply that is taken but puts work off until after the deadline of the session. Other replies are ' +
      'answered without a body. An addition to the specification',
  },
);
export type ReplyNoteBody = Static<typeof ReplyNoteSchema>;

const actionOfInstance = { propertyNames: { format: 'uuid-as-given' }, additionalProperties: { type: 'string' } };

const NotBeforeField = (description: string) =>
  Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      format: 'maintenance-time',
      description: `${description}; UTC where it has no zone, up to not_before_latest of the event. An addition to the specification`,
    }),
  );

const times = {
  not_before: NotBeforeField('With ACK: the time before which none of the instances is impacted'),
  instance_not_before: Type.Optional(
    Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      propertyNames: { format: 'uuid-as-given' },
      additionalProperties: { type: 'string', format: 'maintenance-time' },
      description: 'The same for single instances, by their IDs; each counts before not_before',
    }),
  ),
};

export const ProjectReplySchema = Type.Object({
  ...idsOfPath,
  state: ReplyStateField(),
  instance_actions: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      ...actionOfInstance,
      description: 'Instance ID to one of the allowed_actions; instances left out get the default behaviour',
    }),
  ),
  instance_action: Type.Optional(
    Type.Union([Type.String(), Type.Null()], {
      description: 'Taken for the one instance that the question is about; refused with 422 where it is about more',
    }),
  ),
  ...times,
});

export const InstanceReplySchema = Type.Object({
  ...idsOfPath,
  instance_id: Type.Optional(IdField('When given, the ID in the path')),
  state: ReplyStateField(),
  instance_action: Type.Optional(Type.String({ description: 'One of the allowed_actions' })),
  instance_actions: Type.Optional(
    Type.Unsafe<Record<string, string> | null>({
      type: ['object', 'null'],
      ...actionOfInstance,
      description: 'Taken where it has no other instance than that of the path; refused with 422 otherwise',
    }),
  ),
  ...times,
});
