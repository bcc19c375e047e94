/** The plan of a session: what would happen, or will still happen, and what stands in the way. An addition. */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, IdField, OwnIdField, TimeField } from '../../forms/field-types';
import { hostPhases, phasesDone, sessionStates } from '../../rules/decisions/fleet/fleet';
import { BlockerSchema } from './blocker-schema';
import { CreateSessionSchema } from './session-schemas';

const orNull = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const SpanSchema = Type.Object({ from: TimeField('Its begin'), to: TimeField('Its end') });

const rangeOf = <Schema extends Parameters<typeof Type.Union>[0][number]>(schema: Schema) =>
  Type.Object({ earliest: schema, expected: schema, latest: schema });

const PlannedHostSchema = Type.Object({
  hostname: Type.String(),
  type: ChoiceField(['compute', 'controller'], 'Type of the host'),
  phase: ChoiceField(hostPhases, 'The phase that the host is in now'),
  ends_as: orNull(
    ChoiceField(phasesDone, 'The phase in which the session is done with it'),
    'maintained, set_aside or skipped; null: the session does not get to it',
  ),
  drain: orNull(SpanSchema, 'From its disable until its last instance has left; null: done, or not reached'),
  maintenance: orNull(SpanSchema, 'From the begin of its maintenance until it is back; null: done, or not reached'),
  move_count: Type.Integer({ description: 'Instances that leave it' }),
});

const PlannedMoveSchema = Type.Object({
  instance_id: IdField(),
  instance_name: Type.String(),
  project_id: IdField(),
  project_name: orNull(Type.String(), 'Its name, when known'),
  action: Type.String({ description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
  host: Type.String({ description: 'The host that it leaves' }),
  target: orNull(
    Type.String(),
    'The host that it goes to; null: its project finds the place, or it comes back with its host',
  ),
  from: TimeField('Begin of the action'),
  to: TimeField('End of the action'),
});

const PlannedQuestionSchema = Type.Object({
  project_id: IdField(),
  project_name: orNull(Type.String(), 'Its name, when known'),
  instance_id: orNull(IdField(), 'null: the project as a whole is asked'),
  instance_name: orNull(Type.String(), 'Name of the instance'),
  hostname: orNull(Type.String(), 'Set where the question is about draining a host'),
  state: Type.String({ description: 'The state that is asked about' }),
  asked_at: TimeField('Expected time of the question'),
  window_seconds: Type.Integer({ description: 'How long the project has for its answer' }),
  answer_expected: Type.Boolean({
    description: 'False when the project left most of its last questions without an answer',
  }),
});

const PlannedGroupSchema = Type.Object({
  group_id: orNull(Type.String(), 'null: the instances of a project with one flavor'),
  group_name: Type.String(),
  project_ids: Type.Array(IdField()),
  members: Type.Integer(),
  max_impacted_members: Type.Integer(),
  most_out: Type.Integer({ description: 'Most members that are impacted at once' }),
});

const CriticalHostSchema = Type.Object({
  hostname: Type.String(),
  steps: Type.Array(
    Type.Object({
      kind: ChoiceField(
        ['turn', 'end', 'group', 'answer', 'move', 'maintenance'],
        'turn: other hosts come first; end: its last instance is waited for to end by itself; group: it waits for its ' +
          'group or a place; answer, move: of that instance; maintenance: of the host',
      ),
      subject: Type.String({ description: 'The host, the name of the group, or the ID of the instance' }),
      from: TimeField('Its begin'),
      to: TimeField('Its end'),
      seconds: Type.Number(),
    }),
    { description: 'The steps that make it end last, one after the other' },
  ),
});

export const PlanSchema = Type.Object({
  session_id: orNull(OwnIdField(), 'null: the session is not created'),
  planned_at: TimeField('Time of the facts from which the plan is made'),
  request: orNull(
    CreateSessionSchema,
    'The create request of the plan, to create the session from; of an existing session: one for the hosts that are ' +
      'left, to create another session in its place; null: no host is left',
  ),
  completes: Type.Boolean({
    description: 'True when the session would come to its end, if nobody does more than expected',
  }),
  begins_at: TimeField('When it begins to work on hosts'),
  ends_at: orNull(
    rangeOf(TimeField('The end')),
    'earliest: managers answer at once, all else is quick; latest: nobody answers, all else is slow; null: no end',
  ),
  seconds_left: orNull(rangeOf(Type.Number()), 'The same in seconds from planned_at'),
  stops_at: orNull(TimeField('When it could not go on'), 'Set where it would not come to its end'),
  states: Type.Array(
    Type.Object({ state: ChoiceField(sessionStates, 'Workflow state'), from: TimeField('When it is entered') }),
  ),
  openings: orNull(
    Type.Array(SpanSchema, { description: 'In their order' }),
    'The times of its maintenance windows without the freezes, from its begin until its latest end; null: it may begin ' +
      'anything at any time, or nobody can say when, because a time zone is not known',
  ),
  canary_ends_at: orNull(
    TimeField('When its canary hosts are done'),
    'In the past where they are done; null: it has no canary, or does not get to its end',
  ),
  move_count: Type.Integer({ description: 'Moves of instances' }),
  hosts: Type.Array(PlannedHostSchema, { description: 'In the order in which they are drained' }),
  moves: Type.Array(PlannedMoveSchema, { description: 'In the order in which they end' }),
  questions: Type.Array(PlannedQuestionSchema),
  groups: Type.Array(PlannedGroupSchema),
  critical_host: orNull(CriticalHostSchema, 'The host that ends last; null: none is maintained'),
  blockers: Type.Array(BlockerSchema, { description: 'What stands in the way, the gravest first' }),
});
export type PlanBody = Static<typeof PlanSchema>;
