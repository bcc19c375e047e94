/** One example of every body: the specification's sample when it has one. A test compares them with their schemas. */

const sessionId = '47479bca-7f0e-11ea-99c9-2c600c9893ee';
/** In Keystone's form of the IDs of projects. */
const projectId = '39494a5d9f424b3bb7d91d1bd2a1a1b0';
const instanceId = 'fcbaeb3e-7f0f-11ea-8a01-2c600c9893ee';
const groupId = '5ff4ff28-7f10-11ea-9a7a-2c600c9893ee';

const instanceConstraints = {
  instance_id: instanceId,
  project_id: projectId,
  group_id: groupId,
  instance_name: 'vnf-2',
  max_interruption_time: 120,
  migration_type: 'LIVE_MIGRATE',
  resource_mitigation: true,
  lead_time: 30,
};

const groupConstraints = {
  group_id: groupId,
  project_id: projectId,
  group_name: 'vnf-nonha',
  anti_affinity_group: false,
  max_instances_per_host: 0,
  max_impacted_members: 2,
  recovery_time: 10,
  resource_mitigation: true,
};

const waitsForAnswer = {
  waiting_for: 'answer',
  who: 'compute-2',
  who_name: 'compute-2',
  subject: projectId,
  subject_id: projectId,
  subject_name: null,
  since: '2026-04-15T11:49:02.000Z',
  remaining_seconds: 18,
};

const nightly = {
  days: ['mon', 'tue', 'wed', 'thu', 'fri'],
  from: '22:00',
  to: '06:00',
  time_zone: 'Europe/Berlin',
};

const sessionDetail = {
  session_id: sessionId,
  state: 'PLANNED_MAINTENANCE',
  percent_done: 50,
  session: {
    workflow: 'default',
    created_at: '2026-04-15T11:43:03.000Z',
    updated_at: '2026-04-15T11:49:04.000Z',
    session_id: sessionId,
    maintenance_at: '2026-04-15T11:43:28.000Z',
    state: 'PLANNED_MAINTENANCE',
    prev_state: 'START_MAINTENANCE',
    meta: { openstack: 'upgrade' },
    failure: null,
    waiting: [waitsForAnswer],
    downloads: [],
    resuming: false,
    paused_at: null,
    aborting: false,
    deleting: false,
    max_parallel_hosts: null,
    max_failed_hosts: 1,
    failed_hosts: 'leave_disabled',
    set_aside: [{ hostname: 'compute-1', reason: 'host compute-1: action plug-in script (host) failed' }],
    windows: null,
    deadline: '2026-04-16T04:00:00.000Z',
    deadline_missed: null,
  },
  instances: [
    {
      id: '7eb8a8d5-7f10-11ea-a0c1-2c600c9893ee',
      instance_id: instanceId,
      instance_name: 'vnf-2',
      project_id: projectId,
      session_id: sessionId,
      host: 'compute-2',
      state: 'ACTIVE',
      action: 'LIVE_MIGRATE',
      action_done: false,
      project_state: 'ACK_PLANNED_MAINTENANCE',
      details: null,
      created_at: '2026-04-15T11:43:09.000Z',
      updated_at: null,
    },
  ],
  hosts: [
    {
      id: '8a2b1ad8-7f10-11ea-9a93-2c600c9893ee',
      hostname: 'compute-2',
      session_id: sessionId,
      type: 'compute',
      phase: 'emptying',
      phase_since: '2026-04-15T11:44:10.000Z',
      waiting: waitsForAnswer,
      disabled: true,
      maintained: false,
      details: '',
      created_at: '2026-04-15T11:43:03.000Z',
      updated_at: null,
    },
  ],
  action_plugin_instances: [
    {
      id: '9b64a3a4-7f10-11ea-8f7f-2c600c9893ee',
      session_id: sessionId,
      hostname: 'compute-1',
      plugin: 'dummy',
      state: 'DONE',
      created_at: '2026-04-15T11:45:10.000Z',
      updated_at: null,
    },
  ],
};

export const examples = {
  CreateSession: {
    hosts: ['compute-1', 'compute-2'],
    state: 'MAINTENANCE',
    maintenance_at: '2026-04-15 11:43:28',
    workflow: 'default',
    metadata: { openstack: 'upgrade' },
    download: [],
    actions: [{ plugin: 'dummy', type: 'host', metadata: { seconds: 5 } }],
  },
  SessionCreated: { session_id: sessionId },
  SessionList: { session_id: [sessionId] },
  SessionState: { state: 'MAINTENANCE_DONE' },
  ResumeSession: { state: 'PLANNED_MAINTENANCE' },
  ChangeSession: { max_parallel_hosts: 2, windows: [nightly] },
  SessionChanged: {
    session_id: sessionId,
    state: 'PLANNED_MAINTENANCE',
    maintenance_at: '2026-04-15T11:43:28.000Z',
    max_parallel_hosts: 2,
    max_failed_hosts: 1,
    failed_hosts: null,
    windows: [nightly],
    deadline: null,
  },
  SessionRequest: {},
  SessionResumed: { session_id: sessionId, state: 'PLANNED_MAINTENANCE' },
  SessionInFlight: {
    session_id: sessionId,
    state: 'PLANNED_MAINTENANCE',
    paused_at: '2026-04-15T11:50:12.000Z',
    aborting: false,
    taken_up: true,
    in_flight: {
      hosts: [{ hostname: 'compute-2', phase: 'emptying' }],
      instances: [
        {
          instance_id: instanceId,
          instance_name: 'vnf-2',
          project_id: projectId,
          action: 'LIVE_MIGRATE',
          host: 'compute-2',
          target: 'compute-1',
        },
      ],
      questions: [],
      plugins: [],
    },
  },
  SessionDetail: sessionDetail,
  ProjectInstances: { instance_ids: [instanceId] },
  ProjectReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_actions: { [instanceId]: 'LIVE_MIGRATE' } },
  InstanceReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'LIVE_MIGRATE' },
  InstanceConstraints: instanceConstraints,
  GroupConstraints: groupConstraints,
  GroupRecord: { ...groupConstraints, instance_ids: [instanceId] },
  Problem: {
    type: 'urn:parley:problem:body-does-not-fit',
    title: 'Not in line with the resource',
    status: 422,
    code: 'BODY_DOES_NOT_FIT',
    detail: 'the body is not in line with the resource schema; nothing was changed',
    errors: [{ pointer: '/recovery_time', message: 'must be an integer, but is "60,"' }],
    hint: 'correct the fields named in errors; /docs shows the schema and an example',
  },
} as const;
