/** The form of terms, over the API and in what a cloud tells of its projects. check-terms.ts knows the rest of it. */
import { type Static, Type } from '@sinclair/typebox';
import { askChoices, type MoveAnswer } from '../rules/cloud/terms';
import { ChoiceField, NameField } from './field-types';
import { WindowSchema } from './window-schema';

const closed = { additionalProperties: false } as const;

/** A later check knows the actions of the cloud (check-terms.ts). */
const actions = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION'] as const;

const MoveAnswerField = (description: string) =>
  Type.Unsafe<MoveAnswer>({
    type: ['string', 'object'],
    format: 'terms-ack',
    properties: { action: ChoiceField(actions, 'Each of the instances leaves its host in this way') },
    required: ['action'],
    ...closed,
    description,
  });

const AnswersSchema = Type.Object(
  {
    MAINTENANCE: Type.Optional(ChoiceField(['ACK'], 'The session may begin')),
    SCALE_IN: Type.Optional(
      ChoiceField(
        ['ACK', 'NACK'],
        'ACK: the project frees capacity within the time of the question; NACK: it does not',
      ),
    ),
    PREPARE_MAINTENANCE: Type.Optional(
      MoveAnswerField('As PLANNED_MAINTENANCE, for moves that free a first host; absent: as PLANNED_MAINTENANCE'),
    ),
    PLANNED_MAINTENANCE: Type.Optional(
      MoveAnswerField('ACK: instances leave by the default action; or an object with the action'),
    ),
    MAINTENANCE_COMPLETE: Type.Optional(ChoiceField(['ACK'], 'The project has heard that it may scale back')),
  },
  { ...closed, description: 'Answers to questions, by their state' },
);

const termsFields = {
  ask: Type.Optional(
    ChoiceField(
      askChoices,
      'always: the project is asked and waited for, and the answers follow silence; outside_hours: this where a session impacts instances outside of their hours, else as never; never: the answers count at once; absent: always',
    ),
  ),
  answers: Type.Optional(AnswersSchema),
  hours: Type.Optional(
    Type.Array(WindowSchema, {
      minItems: 1,
      maxItems: 20,
      description:
        'Instances are impacted in these hours alone, as far as the session keeps them (owner_hours); absent: at any time',
    }),
  ),
  notice_seconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 31_536_000,
      description:
        'Instances are impacted this many seconds after the project was told of the session at the earliest, as far as ' +
        'the session keeps hours; absent: at once',
    }),
  ),
};

export const TermsSchema = Type.Object(termsFields, {
  ...closed,
  description:
    'What the project says once, in place of replies. Of the terms of an instance, of its group and of its project the ' +
    'nearest count, field by field. An addition to the specification',
});

export const ProjectTermsSchema = Type.Object(
  {
    ...termsFields,
    contact: Type.Optional(NameField('Whom an admin asks about the project, such as an address or a name')),
  },
  { ...closed, description: 'What a project says once, in place of replies. An addition to the specification' },
);
export type ProjectTermsBody = Static<typeof ProjectTermsSchema>;
