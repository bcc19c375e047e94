/** The report of a session, for a change ticket: an addition to the interface. */
import { type Static, Type } from '@sinclair/typebox';
import { IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { SessionRecordSchema } from './record-schemas';

const orNull = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const timeOrNull = (description: string) => Type.Union([TimeField(description), Type.Null()]);

const ReportedPluginSchema = Type.Object({
  plugin: Type.String(),
  state: orNull('What the plug-in reported last, such as its exit code; null: nothing'),
  started_at: TimeField('When it began'),
  updated_at: timeOrNull('When it reported last'),
});

const ReportedHostSchema = Type.Object({
  hostname: Type.String(),
  phase: Type.String({ description: 'Its phase now' }),
  details: Type.String({ description: 'Why it failed or was left out; empty otherwise' }),
  drain_started_at: timeOrNull('When its drain began; null: it did not'),
  maintenance_started_at: timeOrNull('When it was empty, and its maintenance began; null: it did not'),
  back_at: timeOrNull('When it was maintained, and back in use; null: it is not'),
  planned_begin_at: timeOrNull('When its drain was to begin by the kept plan; null: the plan did not get to it'),
  planned_back_at: timeOrNull('When it was to be back by the kept plan; null: the plan did not get to it'),
  moves: Type.Integer({ description: 'Moves away from it that were done' }),
  failed_moves: Type.Integer({ description: 'Moves away from it that failed' }),
  instances: Type.Array(Type.String(), { description: 'Names of the instances that left it' }),
  plugins: Type.Array(ReportedPluginSchema),
});

const KeptPlanSchema = Type.Object(
  {
    made_at: TimeField('When it was made'),
    ends_at_earliest: TimeField('The earliest end that it expected'),
    ends_at: TimeField('The end that it expected'),
    ends_at_latest: TimeField('The latest end that it expected'),
  },
  { description: 'The last plan from before the session began, or the first one after' },
);

const ReportedTenantSchema = Type.Object({
  project_id: IdField(),
  project_name: orNull('Its name, when known'),
  contact: orNull('Whom to ask, as the project says in its terms'),
  moved: Type.Integer({ description: 'Its instances that were moved' }),
  asked: Type.Integer({ description: 'Questions that it was asked' }),
  replied: Type.Integer({ description: 'Those that it replied to' }),
  refused: Type.Integer({ description: 'Those that it refused' }),
  by_terms: Type.Integer({ description: 'Those that its terms answered' }),
  silent: Type.Integer({ description: 'Those that it stayed silent about' }),
  answered_by: Type.Array(Type.String(), { description: 'Who has replied, by name' }),
});

export const SessionReportSchema = Type.Object({
  session_id: OwnIdField(),
  name: orNull('What admins call it; null: nothing'),
  reason: orNull('The reason for the owners; null: none is given'),
  workflow: Type.String(),
  state: Type.String({ description: 'Workflow state' }),
  failure: orNull('Why it has failed; null: it has not'),
  created_at: TimeField('When it was created'),
  created_by: orNull('By whom; null: not known'),
  maintenance_at: TimeField('Its start, as asked for'),
  begun_at: timeOrNull('When it began; null: it has not'),
  ended_at: timeOrNull('When it was done, or failed; null: it goes on'),
  deadline: timeOrNull('When it had to be over; null: not given'),
  plan: Type.Union([KeptPlanSchema, Type.Null()], { description: 'Null: no plan came to the end of the session' }),
  hosts_total: Type.Integer(),
  hosts_maintained: Type.Integer(),
  instances_moved: Type.Integer(),
  hosts: Type.Array(ReportedHostSchema),
  tenants: Type.Array(ReportedTenantSchema),
  record: SessionRecordSchema.properties.entries,
});
export type SessionReportBody = Static<typeof SessionReportSchema>;
export type ReportedHost = SessionReportBody['hosts'][number];
export type ReportedTenant = SessionReportBody['tenants'][number];
