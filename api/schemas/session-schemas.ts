/** Maintenance sessions: create and resume requests, and the answers about sessions (specification, Resources). */
import { type Static, Type } from '@sinclair/typebox';
import {
  ChoiceField,
  DictionaryField,
  IdField,
  NameField,
  OwnIdField,
  TimeField,
  UpdatedField,
} from '../../forms/field-types';
import { hostPhases } from '../../rules/decisions/fleet/fleet';
import { hostsFields } from './hosts-fields';
import { optionalSteering, shownSteering } from './steering-schemas';
import { ListedSessionSchema } from './summary-schemas';
import { WaitingSchema } from './waiting-schema';

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
    ...hostsFields,
    state: NameField('Initial state, a state of the workflow'),
    maintenance_at: Type.String({
      format: 'maintenance-time',
      description: 'Start time, YYYY-MM-DD HH:MM:SS or ISO 8601; without a zone UTC; a time in the past means now',
    }),
    workflow: NameField('Name of the workflow plug-in'),
    metadata: DictionaryField(
      'Hint to projects about the capabilities of maintained hosts; as large as PARLEY_METADATA_LIMIT allows',
    ),
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

export const SessionCreatedSchema = Type.Object({
  session_id: OwnIdField(),
  hosts: Type.Optional(
    Type.Array(Type.String(), {
      description: 'The hosts of the session, where the request has select. An addition to the interface',
    }),
  ),
});
export type SessionCreatedBody = Static<typeof SessionCreatedSchema>;

export const SessionListSchema = Type.Object({
  session_id: Type.Array(OwnIdField(), { description: 'Every session that is not deleted, the oldest first' }),
  sessions: Type.Array(ListedSessionSchema, {
    description: 'The same sessions with their progress. An addition to the specification',
  }),
});
export type SessionListBody = Static<typeof SessionListSchema>;

export const SessionStateSchema = Type.Object({ state: Type.String({ description: 'Workflow state' }) });

export const ContinueSessionSchema = Type.Object(
  {
    state: Type.Optional(
      NameField('State to continue from, which the session must have entered; absent: the previous state'),
    ),
    session_id: Type.Optional(IdField('When given, the ID in the path')),
  },
  closed,
);

export const SessionArchivedSchema = Type.Object({
  session_id: OwnIdField(),
  archived: Type.Boolean({ description: 'False: it gives its hosts back first, and is archived then' }),
});
export type SessionArchivedBody = Static<typeof SessionArchivedSchema>;

export const SessionRequestSchema = Type.Object(
  { session_id: Type.Optional(IdField('When given, the ID in the path')) },
  { ...closed, description: 'For pause, resume and abort, which only need the path' },
);

export const SessionContinuedSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'State from which the session continues' }),
});

const secondsLeftField = (what: string) =>
  Type.Union([Type.Number(), Type.Null()], {
    description: `Seconds left until ${what}; null: over, or not known. An addition to the specification`,
  });

const DownloadSchema = Type.Object({
  url: Type.String({ description: 'Without query and fragment' }),
  state: ChoiceField(['waiting', 'fetching', 'done'], 'Progress of the set-up with this file'),
  bytes: Type.Integer({ description: 'Bytes fetched so far' }),
  size_bytes: Type.Union([Type.Integer(), Type.Null()], {
    description: 'Size of the whole file, when the server tells it',
  }),
  sha256: Type.Union([Type.String(), Type.Null()], { description: 'Digest of the file that the set-up accepted' }),
  problem: Type.Union([Type.String(), Type.Null()], { description: 'Reason why the last attempt failed' }),
});

export const SessionRecordSchema = Type.Object({
  workflow: Type.String(),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
  session_id: OwnIdField(),
  maintenance_at: TimeField('Start time'),
  start_seconds_left: secondsLeftField('its start'),
  state: Type.String(),
  prev_state: Type.String({ description: 'Previous state; a failed session continues from it' }),
  meta: DictionaryField('The metadata of the create request'),
  failure: Type.Union([Type.String(), Type.Null()], {
    description: 'Reason why the session failed, or is about to fail once everything in flight has ended',
  }),
  waiting: Type.Array(WaitingSchema, { description: 'Reasons why it waits at present' }),
  downloads: Type.Array(DownloadSchema, { description: 'Files of the create request, in its order' }),
  resuming: Type.Boolean({ description: 'True when the session failed and is about to continue' }),
  paused_at: Type.Union([TimeField('Time since which nothing new begins'), Type.Null()], {
    description: 'Set while the session is paused. An addition to the specification',
  }),
  paused_because: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the session has paused itself; null where an admin has. An addition to the specification',
  }),
  aborting: Type.Boolean({ description: 'True while the session is being aborted. An addition to the specification' }),
  deleting: Type.Boolean({ description: 'True while the session is being deleted' }),
  ...shownSteering,
  deadline_seconds_left: secondsLeftField('its deadline'),
  deadline_missed: Type.Union([Type.String(), Type.Null()], {
    description:
      'expected: the session is not expected to be over at its deadline; passed: the deadline has passed. ' +
      'An addition to the specification',
  }),
  set_aside: Type.Array(
    Type.Object({
      hostname: Type.String(),
      reason: Type.String({ description: 'Why it failed, or why it was skipped' }),
    }),
    { description: 'Hosts without which the session goes on. An addition to the specification' },
  ),
});

const InFlightSchema = Type.Object({
  hosts: Type.Array(
    Type.Object({
      hostname: Type.String(),
      phase: ChoiceField(
        ['emptying', 'maintaining', 'releasing'],
        'releasing: it goes back to use without maintenance',
      ),
    }),
    { description: 'Hosts under work' },
  ),
  instances: Type.Array(
    Type.Object({
      instance_id: IdField(),
      instance_name: Type.String(),
      project_id: IdField(),
      action: Type.String({ description: 'LIVE_MIGRATE, MIGRATE, OWN_ACTION or EVICTION' }),
      host: Type.String({ description: 'Source host' }),
      target: Type.String({ description: 'Target host' }),
    }),
    { description: 'Instances whose action has begun' },
  ),
  questions: Type.Array(
    Type.Object({
      project_id: IdField(),
      instance_id: Type.Union([IdField(), Type.Null()]),
      hostname: Type.Union([Type.String(), Type.Null()], { description: 'Set when it is about draining a host' }),
      state: Type.String({ description: 'The state in the question' }),
      reply_at: Type.Union([TimeField('End of its window'), Type.Null()]),
      seconds_left: secondsLeftField('that end'),
    }),
    { description: 'Open questions; their windows end at their usual time' },
  ),
  plugins: Type.Array(
    Type.Object({
      hostname: Type.String({ description: 'Empty for pre and post' }),
      plugin: Type.String(),
      type: Type.String(),
    }),
    { description: 'Running action plug-ins' },
  ),
});

export const SessionInFlightSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String({ description: 'Workflow state' }),
  paused_at: Type.Union([TimeField('Time since which nothing new begins'), Type.Null()]),
  aborting: Type.Boolean({ description: 'It ends in MAINTENANCE_FAILED once nothing is in flight' }),
  taken_up: Type.Boolean({
    description:
      "Whether the session's workflow has confirmed that it acts on the request; if not (no worker at present), the request " +
      'is stored and still holds',
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
  state: Type.String({ description: "State in the cloud's own words" }),
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
    hostPhases,
    'Progress of the work on it; releasing: it goes back to use without maintenance; set_aside: it has failed, and the ' +
      'session goes on without it; skipped: it is left out of the session. An addition to the specification',
  ),
  phase_since: TimeField('Time since which it is in this phase. An addition to the specification'),
  past_phases: Type.Array(
    Type.Object({ phase: ChoiceField(hostPhases, 'As above'), since: TimeField('Time since which it was in it') }),
    { description: 'The phases before, oldest first, at most the last 100. An addition to the specification' },
  ),
  drain_started_at: Type.Union([TimeField('When its drain began'), Type.Null()], {
    description: 'null: it did not. An addition to the specification',
  }),
  maintenance_started_at: Type.Union([TimeField('When its maintenance began'), Type.Null()], {
    description: 'null: it did not. An addition to the specification',
  }),
  waiting: Type.Union([WaitingSchema, Type.Null()], {
    description: 'The reason why it waits; null when it does not wait or is done. An addition to the specification',
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
  state: Type.Union([Type.String(), Type.Null()], {
    description: 'State that the plug-in reports, or why it failed, with its last lines, for troubleshooting',
  }),
  created_at: TimeField('Time of creation'),
  updated_at: UpdatedField(),
  type: ChoiceField(actionTypes, 'When it runs. An addition to the specification'),
  status: ChoiceField(['running', 'done', 'failed'], 'How its last run stands. An addition to the specification'),
  attempts: Type.Integer({ description: 'Number of its starts. An addition to the specification' }),
});

export const SessionDetailSchema = Type.Object({
  session_id: OwnIdField(),
  state: Type.String(),
  percent_done: Type.Integer({ minimum: 0, maximum: 100, description: 'Percentage of the hosts that are maintained' }),
  session: SessionRecordSchema,
  instances: Type.Array(InstanceRecordSchema),
  hosts: Type.Array(HostRecordSchema),
  action_plugin_instances: Type.Array(ActionPluginRecordSchema),
  page: Type.Optional(
    Type.Object(
      {
        host_count: Type.Integer({ description: 'Hosts that match, on all pages' }),
        after: Type.Union([Type.String(), Type.Null()], { description: 'For the next page; null: there is none' }),
      },
      { description: 'Present when the query leaves hosts out. An addition to the specification' },
    ),
  ),
});
export type SessionDetailBody = Static<typeof SessionDetailSchema>;
