/** The answer that tells what is coming for the instances of a project: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { comingStatuses } from '../../rules/coming/coming';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const start = TimeField('The start');

const ComingEntrySchema = Type.Object({
  instance_id: IdField(),
  instance_name: Type.String(),
  session_id: OwnIdField(),
  reason: orNull(Type.String(), 'The reason for the session, in the words of an admin; null: none is given'),
  status: ChoiceField(
    comingStatuses,
    'inquiring: a question about the instance is open. scheduled: its impact has not begun. executing: its action goes ' +
      'on. completed: its action is over, and none follows. failed: its action, its host or the session has failed. ' +
      'canceled: its host is left out of the session, or the session is aborted',
  ),
  impact: orNull(
    Type.String(),
    'The action by which it is impacted: LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION; null: not known yet',
  ),
  starts_at: orNull(
    Type.Object({ earliest: start, expected: start, latest: start }),
    'When its action is expected to start, by the plan of the session; null: it has started, or nobody knows it, such as ' +
      'while the session is paused',
  ),
  started_at: orNull(TimeField('When its action started'), 'null: it has not'),
  ended_at: orNull(TimeField('When its action ended'), 'null: it has not'),
  not_before: orNull(
    TimeField('Nothing impacts it before this time, by a reply of its project'),
    'null: no time is set',
  ),
  not_before_latest: orNull(
    TimeField('The latest time that a reply may name as not_before'),
    'null: the session lets nobody put work off, or the project was not asked yet',
  ),
  deadline: orNull(
    TimeField('The deadline of the session where not_before lies behind it: the session will not be over in time'),
    'null: the instance does not make it late',
  ),
  reply_url: orNull(
    Type.String(),
    'Address to which the reply to the open question goes (PUT); null: nothing is asked',
  ),
});
export type ComingEntryBody = Static<typeof ComingEntrySchema>;

export const ComingSchema = Type.Object({
  project_id: IdField(),
  coming: Type.Array(ComingEntrySchema, {
    description:
      'For each session that is not done the instances that it impacts, has impacted or will impact, by time',
  }),
});
export type ComingBody = Static<typeof ComingSchema>;

const madeAt = TimeField('When the address was made');

export const SecretAddressSchema = Type.Object({ created_at: madeAt });
export type SecretAddressBody = Static<typeof SecretAddressSchema>;

export const SecretAddressMadeSchema = Type.Object({
  url: Type.String({ description: 'The address. It is shown this once; whoever has it needs no token' }),
  created_at: madeAt,
});
export type SecretAddressMadeBody = Static<typeof SecretAddressMadeSchema>;
