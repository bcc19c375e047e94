/** The request of Nova for dynamic vendor data, and the answer that a guest sees. An addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, CountField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { comingStatuses } from '../../rules/coming/coming';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });

export const VendordataRequestSchema = Type.Object(
  { 'project-id': IdField('The project of the instance'), 'instance-id': IdField('The instance') },
  { description: 'What else Nova sends, such as the user data, is not read' },
);

export const VendordataSchema = Type.Object({
  coming: Type.Array(
    Type.Object({
      session_id: OwnIdField(),
      reason: orNull('The reason for the session, in the words of an admin; null: none is given'),
      status: ChoiceField(comingStatuses, 'inquiring, scheduled or executing'),
      impact: orNull('The action by which it is impacted; null: not known yet'),
      starts_at: TimeField('When its action is expected to start, as its project was told last, or has started'),
      starts_at_latest: TimeField('When it starts at the latest, by the same plan'),
      sequence: CountField(0, 'Rises with each change of the start'),
    }),
    { description: 'What is coming for the instance, by time' },
  ),
});
export type VendordataBody = Static<typeof VendordataSchema>;
