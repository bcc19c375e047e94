/** One look at a session, and the list of sessions with their progress: additions to the interface. */
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { hostPhases } from '../../rules/decisions/fleet/fleet';
import { owners } from '../../rules/obstacles/owner';
import { BlockerSchema } from './blocker-schema';
import { LimitSchema } from './waiting-schema';

const orNull = <Schema extends TSchema>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const rangeOf = <Schema extends TSchema>(schema: Schema) =>
  Type.Object({ earliest: schema, expected: schema, latest: schema });

const secondsUntil = (what: string) =>
  orNull(Type.Number(), `Seconds from the moment of the answer until ${what}; null: over, or not known`);

export const progressStates = [
  'scheduled',
  'running',
  'closed',
  'paused',
  'failing',
  'failed',
  'aborting',
  'aborted',
  'deleting',
  'done',
] as const;

const progressFields = {
  session_id: OwnIdField(),
  name: orNull(Type.String(), 'What admins call it; null: nothing'),
  workflow: Type.String(),
  state: Type.String({ description: 'Workflow state' }),
  progress: ChoiceField(
    progressStates,
    'scheduled: its start is to come; aborted: an admin has ended it, and it may be continued as one that has failed; closed: it waits for its next maintenance window, or for the end of a freeze; running: none of the others',
  ),
  percent_done: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of the hosts that are maintained' }),
  host_count: Type.Integer({ description: 'Hosts of the session' }),
  hosts_by_phase: Type.Object(Object.fromEntries(hostPhases.map((phase) => [phase, Type.Integer()])), {
    description: 'How many hosts are in each phase',
  }),
  created_at: TimeField('Time of creation'),
  maintenance_at: TimeField('Start time'),
  start_seconds_left: secondsUntil('its start'),
  begun_at: orNull(TimeField('When it began'), 'null: it has not'),
  ended_at: orNull(TimeField('When it was done, or has failed'), 'null: it goes on'),
  archived_at: orNull(TimeField('When it was archived'), 'null: it is not'),
  paused_at: orNull(TimeField('Time since which nothing new begins'), 'Set while it is paused'),
  ends_at: orNull(
    rangeOf(TimeField('The end')),
    'When it is expected to end; null: over, paused, failed or being ended, or by its plan it would not come to its end',
  ),
  seconds_left: orNull(rangeOf(Type.Number()), 'The same in seconds from the moment of the answer'),
  end_from: orNull(
    ChoiceField(['plan', 'records'], 'plan: as its plan (GET …/plan) foretells. records: a rough estimate'),
    'How the end is known. The rough estimate is told until the plan of a large session is made; null: nobody knows it',
  ),
};

export const SessionProgressSchema = Type.Object(progressFields);
export type SessionProgressBody = Static<typeof SessionProgressSchema>;

export const ListedSessionSchema = Type.Object({
  ...progressFields,
  created_by: orNull(Type.String(), 'Who created it, as far as the audit tells; null: not known'),
});
export type ListedSessionBody = Static<typeof ListedSessionSchema>;

const WaitSchema = Type.Object({
  waiting_for: Type.String({ description: 'Kind of the thing that is waited for, as in the detail' }),
  subject: Type.String({
    description: 'The thing that is waited for, as in the detail; turn: hosts wait until it is their turn',
  }),
  subject_id: orNull(Type.String(), 'ID of the group, project or instance'),
  subject_name: orNull(Type.String(), 'Its name, when known'),
  project_contact: Type.Optional(Type.String({ description: 'Whom to ask, as the project says in its terms' })),
  owner: ChoiceField(
    owners,
    'Who can end the wait; service: it ends by itself, with the work of this or another session',
  ),
  because: orNull(Type.String(), 'The reason in a sentence, such as the words of the cloud about it'),
  help: orNull(Type.String(), 'What would help, as far as the decision that found it knows'),
  host_count: Type.Integer({ description: 'Hosts that wait for it' }),
  instance_count: Type.Integer({ description: 'Instances on hosts under work that wait for it' }),
  names: Type.Array(Type.String(), {
    description: 'Names of the first ones that wait, hosts before instances; empty: the session itself waits',
  }),
  since: orNull(TimeField('Start of the longest of the waits'), 'null: not known'),
  seconds_left: secondsUntil('the last of the waits is over at the latest'),
  limit: Type.Optional(LimitSchema),
});
export type WaitBody = Static<typeof WaitSchema>;

const HostUnderWorkSchema = Type.Object({
  hostname: Type.String(),
  phase: ChoiceField(['emptying', 'maintaining', 'releasing'], 'As in the detail'),
  phase_since: TimeField('Time since which it is in this phase'),
  phase_seconds: Type.Number({ description: 'The same in seconds until the moment of the answer' }),
  instance_count: Type.Integer({ description: 'Instances that are still on it' }),
  moving_count: Type.Integer({ description: 'Those of them whose action has begun' }),
  waits_for: orNull(Type.String(), 'What it waits for, as words; null: its work goes on'),
  seconds_left: secondsUntil('that wait is over at the latest'),
});

const NextStepSchema = Type.Object({
  request: ChoiceField(
    ['resume', 'continue', 'retry', 'skip', 'pause', 'abort', 'archive', 'delete'],
    'What an admin may ask for now; continue: of a failed session',
  ),
  method: Type.String(),
  path: Type.String({ description: 'Where, below the base address; {hostname}: one of `hosts`' }),
  because: Type.String({ description: 'What it would do' }),
  hosts: Type.Array(Type.String(), { description: 'The first hosts to which it applies; empty: to the session' }),
});
export type NextStepBody = Static<typeof NextStepSchema>;

export const SessionSummarySchema = Type.Object({
  ...progressFields,
  now: TimeField('The moment of the answer, by the clock of the service'),
  prev_state: Type.String({ description: 'Previous state; a failed session continues from it' }),
  paused_because: orNull(Type.String(), 'Why the session has paused itself'),
  failure: orNull(Type.String(), 'Why it has failed, or is about to'),
  deadline: orNull(TimeField('When it must be over'), 'null: not given'),
  deadline_seconds_left: secondsUntil('the deadline'),
  window_seconds_left: secondsUntil(
    'its maintenance window closes or a freeze begins, or the next time that work may begin',
  ),
  window_open: orNull(
    Type.Boolean(),
    'Whether new work may begin by its maintenance windows and freezes; null: there are none',
  ),
  frozen_by: orNull(Type.String(), 'The freeze that keeps it from beginning now, with its reason; null: there is none'),
  instance_count: Type.Integer({ description: 'Instances of the session' }),
  moving_count: Type.Integer({ description: 'Instances whose action has begun' }),
  moved_count: Type.Integer({ description: 'Instances whose action is done' }),
  refused_move_count: Type.Integer({ description: 'Moves that the cloud refused on their target' }),
  question_count: Type.Integer({ description: 'Questions that it has asked so far' }),
  answer_count: Type.Integer({ description: 'Those of them that a project has answered' }),
  open_questions: Type.Integer({ description: 'Questions that nobody has answered yet' }),
  project_ids: Type.Array(IdField(), { description: 'The projects of the instances' }),
  under_work: Type.Array(HostUnderWorkSchema, { description: 'Hosts under work, longest first; the first 50' }),
  waiting: Type.Array(WaitSchema, { description: 'The first 50 waits, the least time left first' }),
  blockers: Type.Array(BlockerSchema, { description: 'What stands in the way, the gravest first' }),
  next: Type.Array(NextStepSchema, { description: 'What one can do now' }),
});
export type SessionSummaryBody = Static<typeof SessionSummarySchema>;
export type HostUnderWork = SessionSummaryBody['under_work'][number];
