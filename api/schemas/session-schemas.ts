/** Maintenance sessions: create and resume requests, and the answers about sessions (specification, Resources). */
import { type Static, Type } from '@sinclair/typebox';
import { ChoiceField, DictionaryField, IdField, NameField, OwnIdField, TimeField, UpdatedField } from './field-types';
import { optionalSteering, shownSteering } from './steering-schemas';

const closed = { additionalProperties: false } as const;

export const actionTypes = ['pre', 'post', 'host', 'compute', 'controller'] as const;

const ActionSchema = Type.Object(
  {
    plugin: NameField('Name of the action plug-in; those of one type run in alphabetical order'),
    type: ChoiceField(
      actionTypes,
      'When it runs: before or after all hosts, or for every host, compute or controller host',
    ),
    metadata: Type.Optional(DictionaryField('Hints to the plug-in')),
  },
  closed,
);

export const CreateSessionSchema = Type.Object(
  {
    hosts: Type.Optional(
      Type.Array(NameField('Host name as the cloud has it'), {
        description: "Hosts to maintain; empty or absent: all of the cloud's",
      }),
    ),
    state: NameField('Initial state, one that the workflow has'),
    maintenance_at: Type.String({
      format: 'maintenance-time',
      description: 'Start time, YYYY-MM-DD HH:MM:SS or ISO 8601; without a zone UTC; a time in the past means now',
    }),
    workflow: NameField('Name of the workflow plug-in'),
    metadata: DictionaryField('Hint to projects about what maintained hosts offer'),
    download: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: 50,
        description:
          'URLs of software packages to fetch, from the sources that PARLEY_DOWNLOAD_ALLOW lists; #sha256= and 64 hex ' +
          'digits at the end is verified. A file whose name contains workflow or actions is extracted',
      }),
    ),
    actions: Type.Optional(Type.Array(ActionSchema, { description: 'Action plug-ins to run' })),
    ...optionalSteering,
  },
  closed,
);
export type CreateSessionBody = Static<typeof CreateSessionSchema>;

export const SessionCreatedSchema = Type.Object({ session_id: OwnIdField() });

export const SessionListSchema = Type.Object({
  session_id: Type.Array(OwnIdField(), { description: 'Every session that is not deleted, the oldest first' }),
});

export const SessionStateSchema = Type.Object({ state: Type.String({ description: 'Workflow state' }) });

export const ResumeSessionSchema = Type.Object(
  {
    state: Type.Optional(NameField('State to go on from, one that was entered; absent: the previous state')),
    session_id: Type.Optional(IdField("Where given, the path's")),
  },
  closed,
);

export const SessionRequestSchema = Type.Object(
  { session_id: Type.Optional(IdField("Where given, the path's")) },
  { ...closed, description: 'Of pause, resume and abort, which need nothing but the path' },
);

export const SessionResumedSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'State that the session goes on from' }),
});

const WaitingSchema = Type.Object({
  waiting_for: ChoiceField(
    ['group', 'room', 'affinity', 'answer', 'recovery', 'host', 'bus', 'time', 'resume'],
    'What kind of thing is waited for',
  ),
  who: Type.String({ description: "What waits: a host's name or an instance's ID" }),
  who_name: Type.Union([Type.String(), Type.Null()], { description: 'Its name, where one is known' }),
  subject: Type.String({
    description: 'What it waits for: a group, a host, an amount of room, a project, a time; resume: paused since',
  }),
  subject_id: Type.Union([Type.String(), Type.Null()], {
    description: 'ID of the group, project or instance that it waits for; else null',
  }),
  subject_name: Type.Union([Type.String(), Type.Null()], {
    description: 'Name of the group, host, project or instance that it waits for, where one is known; else null',
  }),
  since: Type.Union([TimeField('Since when it waits for that'), Type.Null()]),
  because: Type.Optional(
    Type.String({ description: 'What the cloud says of it, or how much room is missing, where that tells more' }),
  ),
  remaining_seconds: Type.Union([Type.Number(), Type.Null()], { description: 'At most, where that is known' }),
});
export type WaitingBody = Static<typeof WaitingSchema>;

const DownloadSchema = Type.Object({
  url: Type.String({ description: 'Without query and fragment' }),
  state: ChoiceField(['waiting', 'fetching', 'done'], 'How far the set-up is with it'),
  bytes: Type.Integer({ description: 'Fetched so far' }),
  size_bytes: Type.Union([Type.Integer(), Type.Null()], { description: 'Of the whole file, where the server tells' }),
  sha256: Type.Union([Type.String(), Type.Null()], { description: 'Of the file that the set-up accepted' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Why the last attempt did not succeed' }),
});

export const SessionRecordSchema = Type.Object({
  workflow: Type.String(),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
  session_id: OwnIdField(),
  maintenance_at: TimeField('Start time'),
  state: Type.String(),
  prev_state: Type.String({ description: 'Previous state; a failed session is continued from it' }),
  meta: DictionaryField('The metadata of the create request'),
  failure: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the session failed, or is about to: what is under work comes to its end first',
  }),
  waiting: Type.Array(WaitingSchema, { description: 'Why it does not go on just now' }),
  downloads: Type.Array(DownloadSchema, { description: 'Files of the create request, in its order' }),
  resuming: Type.Boolean({ description: 'Failed, and a resume is under way' }),
  paused_at: Type.Union([TimeField('Since when nothing new begins'), Type.Null()], {
    description: 'Set while the session is paused. An addition to the interface',
  }),
  aborting: Type.Boolean({ description: 'An abort is under way. An addition to the interface' }),
  deleting: Type.Boolean({ description: 'A delete is under way' }),
  ...shownSteering,
});

const InFlightSchema = Type.Object({
  hosts: Type.Array(
    Type.Object({
      hostname: Type.String(),
      phase: ChoiceField(['emptying', 'maintaining', 'releasing'], 'releasing: on its way back to use, unmaintained'),
    }),
    { description: 'Hosts under work' },
  ),
  instances: Type.Array(
    Type.Object({
      instance_id: IdField(),
      instance_name: Type.String(),
      project_id: IdField(),
      action: Type.String({ description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
      host: Type.String({ description: 'Where it comes from' }),
      target: Type.String({ description: 'Where it is to go' }),
    }),
    { description: 'Instances whose action has begun' },
  ),
  questions: Type.Array(
    Type.Object({
      project_id: IdField(),
      instance_id: Type.Union([IdField(), Type.Null()]),
      hostname: Type.Union([Type.String(), Type.Null()], { description: 'Set where it is about emptying a host' }),
      state: Type.String({ description: 'The state that was asked about' }),
      reply_at: Type.Union([TimeField('End of its window'), Type.Null()]),
    }),
    { description: 'Open questions; their windows end when they would have' },
  ),
  plugins: Type.Array(
    Type.Object({
      hostname: Type.String({ description: 'Empty for pre and post' }),
      plugin: Type.String(),
      type: Type.String(),
    }),
    { description: 'Action plug-ins that run' },
  ),
});

export const SessionInFlightSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'Workflow state' }),
  paused_at: Type.Union([TimeField('Since when nothing new begins'), Type.Null()]),
  aborting: Type.Boolean({ description: 'It ends in MAINTENANCE_FAILED once nothing is in flight' }),
  taken_up: Type.Boolean({
    description:
      "Whether the session's workflow has said that it acts on the request; if not (no worker just now), the request " +
      'is stored and holds all the same',
  }),
  in_flight: InFlightSchema,
});
export type SessionInFlightBody = Static<typeof SessionInFlightSchema>;

export const InstanceRecordSchema = Type.Object({
  id: OwnIdField('ID of the record'),
  instance_id: IdField(),
  instance_name: Type.String(),
  project_id: IdField(),
  session_id: OwnIdField(),
  host: Type.String(),
  state: Type.String({ description: "The cloud's own word" }),
  action: Type.Union([Type.String(), Type.Null()], { description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
  action_done: Type.Boolean(),
  project_state: Type.String({ description: 'The reply of the project, such as ACK_PLANNED_MAINTENANCE' }),
  details: Type.Union([Type.String(), Type.Null()]),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
});

export const HostRecordSchema = Type.Object({
  id: OwnIdField('ID of the record'),
  hostname: Type.String(),
  session_id: OwnIdField(),
  type: Type.String({ description: 'compute or controller' }),
  phase: ChoiceField(
    ['waiting', 'emptying', 'maintaining', 'releasing', 'maintained', 'failed'],
    'How far the work on it is; releasing: on its way back to use, unmaintained. An addition to the interface',
  ),
  phase_since: TimeField('Since when it is in this phase. An addition to the interface'),
  waiting: Type.Union([WaitingSchema, Type.Null()], {
    description: 'What it waits for; null where it goes on or is done. An addition to the interface',
  }),
  disabled: Type.Boolean(),
  maintained: Type.Boolean(),
  details: Type.String(),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
});

export const ActionPluginRecordSchema = Type.Object({
  id: OwnIdField('ID of the record'),
  session_id: OwnIdField(),
  hostname: Type.String({ description: 'Empty for pre and post' }),
  plugin: Type.String(),
  state: Type.Union([Type.String(), Type.Null()], { description: 'What the plug-in tells, for troubleshooting' }),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
});

export const SessionDetailSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String(),
  percent_done: Type.Integer({ minimum: 0, maximum: 100, description: 'Percent of the hosts maintained' }),
  session: SessionRecordSchema,
  instances: Type.Array(InstanceRecordSchema),
  hosts: Type.Array(HostRecordSchema),
  action_plugin_instances: Type.Array(ActionPluginRecordSchema),
});
export type SessionDetailBody = Static<typeof SessionDetailSchema>;
