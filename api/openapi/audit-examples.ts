/** The example of the audit in the OpenAPI document. */
import { instanceId, projectId, sessionId } from './example-ids';

const auditPage = {
  entries: [
    {
      id: '1207',
      begun_at: '2026-11-24T22:14:03.112Z',
      request_id: '0d0c8a52-5ad1-4d4c-8f6b-2f0a6d1f8b11',
      role: 'admin',
      caller: 'b2f7a5a0c3c94a7f8f3a1f6f0d0c1e2b',
      caller_name: 'Ada Lovelace',
      reason: 'the rack is hot',
      project_id: null,
      address: '192.0.2.17',
      method: 'POST',
      route: '/v1/maintenance/{session_id}/pause',
      path: `/v1/maintenance/${sessionId}/pause`,
      session_id: sessionId,
      body_sha256: null,
      details: null,
      did: 'paused the session',
      status: 200,
      ended_at: '2026-11-24T22:14:03.164Z',
    },
  ],
  next: null,
} as const;

const sessionRecord = {
  session_id: sessionId,
  entries: [
    {
      at: '2026-11-24T22:02:11.020Z',
      last_at: '2026-11-24T22:02:11.020Z',
      count: 1,
      by: 'admin',
      who: 'Ada Lovelace',
      project_id: null,
      project_name: null,
      did: 'created the session',
      reason: 'CHG-1207',
    },
    {
      at: '2026-11-24T22:12:40.410Z',
      last_at: '2026-11-24T22:12:40.410Z',
      count: 1,
      by: 'nobody',
      who: null,
      project_id: projectId,
      project_name: 'vepc',
      did: 'stayed silent about 1 question of MAINTENANCE: the default followed',
      reason: null,
    },
  ],
} as const;

export const sessionReport = {
  session_id: sessionId,
  name: 'CHG-1207',
  reason: 'an update against a hole in the kernel',
  workflow: 'vnf',
  state: 'MAINTENANCE_DONE',
  failure: null,
  created_at: '2026-11-24T22:02:11.020Z',
  created_by: 'Ada Lovelace',
  maintenance_at: '2026-11-24T22:02:00.000Z',
  begun_at: '2026-11-24T22:02:11.320Z',
  ended_at: '2026-11-24T22:31:40.000Z',
  deadline: null,
  plan: {
    made_at: '2026-11-24T22:02:11.120Z',
    ends_at_earliest: '2026-11-24T22:27:00.000Z',
    ends_at: '2026-11-24T22:30:10.000Z',
    ends_at_latest: '2026-11-24T22:41:00.000Z',
  },
  hosts_total: 1,
  hosts_maintained: 1,
  instances_moved: 1,
  hosts: [
    {
      hostname: 'compute-1',
      phase: 'maintained',
      details: '',
      drain_started_at: '2026-11-24T22:13:00.000Z',
      maintenance_started_at: '2026-11-24T22:20:00.000Z',
      back_at: '2026-11-24T22:31:00.000Z',
      planned_begin_at: '2026-11-24T22:12:30.000Z',
      planned_back_at: '2026-11-24T22:29:30.000Z',
      moves: 1,
      failed_moves: 0,
      instances: ['vnf-2'],
      plugins: [
        {
          ...{ plugin: 'script', state: 'exit code 0' },
          ...{ started_at: '2026-11-24T22:20:01.000Z', updated_at: '2026-11-24T22:30:01.000Z' },
        },
      ],
    },
  ],
  tenants: [
    {
      project_id: projectId,
      project_name: 'vepc',
      contact: 'mailto:web@example.org',
      ...{ moved: 1, asked: 3, replied: 2, refused: 0, by_terms: 0, silent: 1 },
      answered_by: ['vnfm'],
    },
  ],
  record: sessionRecord.entries,
} as const;

const sessionTenants = {
  session_id: sessionId,
  tenants: [
    {
      ...{ project_id: projectId, project_name: 'vepc', contact: 'mailto:web@example.org' },
      ...{ open_questions: 1, hosts: ['compute-1'], seconds_left: 18, asked: 3, silent: 1, refused: 0 },
    },
  ],
} as const;

const sessionMoves = {
  session_id: sessionId,
  moves: [
    {
      ...{ instance_id: instanceId, instance_name: 'vnf-2', project_id: projectId, project_name: 'vepc' },
      ...{ action: 'LIVE_MIGRATE', host: 'compute-1', target: 'compute-2' },
      ...{ from: '2026-04-15T11:43:38.000Z', to: '2026-04-15T11:44:08.000Z', outcome: 'done' },
    },
  ],
} as const;

export const auditExamples = {
  AuditPage: auditPage,
  SessionRecord: sessionRecord,
  SessionReport: sessionReport,
  SessionTenants: sessionTenants,
  SessionMoves: sessionMoves,
} as const;
