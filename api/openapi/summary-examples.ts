/** The examples of one look at a session, of its progress, and of open questions. */
import { instanceId, projectId, sessionId } from './example-ids';

export const waitsForAnswer = {
  waiting_for: 'answer',
  who: 'compute-2',
  who_name: 'compute-2',
  subject: projectId,
  subject_id: projectId,
  subject_name: null,
  since: '2026-04-15T11:49:02.000Z',
  remaining_seconds: 18,
};

export const sessionProgress = {
  session_id: sessionId,
  name: 'kernel of rack 7',
  workflow: 'default',
  state: 'PLANNED_MAINTENANCE',
  progress: 'running',
  percent_done: 50,
  host_count: 2,
  hosts_by_phase: {
    ...{ waiting: 0, emptying: 1, maintaining: 0, releasing: 0, maintained: 1 },
    ...{ failed: 0, set_aside: 0, skipped: 0 },
  },
  created_at: '2026-04-15T11:43:03.000Z',
  maintenance_at: '2026-04-15T11:43:28.000Z',
  start_seconds_left: null,
  begun_at: '2026-04-15T11:43:28.000Z',
  ended_at: null,
  paused_at: null,
  ends_at: {
    earliest: '2026-04-15T11:55:00.000Z',
    expected: '2026-04-15T11:59:38.000Z',
    latest: '2026-04-15T12:05:00.000Z',
  },
  seconds_left: { earliest: 346, expected: 624, latest: 946 },
  end_from: 'plan',
};

export const sessionSummary = {
  ...sessionProgress,
  now: '2026-04-15T11:49:14.000Z',
  prev_state: 'START_MAINTENANCE',
  paused_because: null,
  failure: null,
  deadline: '2026-04-16T04:00:00.000Z',
  deadline_seconds_left: 58_246,
  window_seconds_left: null,
  window_open: null,
  instance_count: 1,
  moving_count: 0,
  moved_count: 3,
  refused_move_count: 0,
  question_count: 5,
  answer_count: 4,
  open_questions: 1,
  project_ids: [projectId],
  under_work: [
    {
      hostname: 'compute-2',
      phase: 'emptying',
      phase_since: '2026-04-15T11:49:04.000Z',
      phase_seconds: 10,
      instance_count: 1,
      moving_count: 0,
      waits_for: 'the answer of project vepc',
      seconds_left: 18,
    },
  ],
  waiting: [
    {
      waiting_for: 'answer',
      subject: projectId,
      subject_id: projectId,
      subject_name: 'vepc',
      owner: 'project',
      because: null,
      host_count: 1,
      instance_count: 1,
      names: ['compute-2', 'vnf-2'],
      since: '2026-04-15T11:49:02.000Z',
      seconds_left: 18,
    },
  ],
  blockers: [
    {
      kind: 'host_failed',
      severity: 'note',
      when: 'now',
      subject_kind: 'host',
      subject: 'compute-1',
      subject_name: 'compute-1',
      owner: 'operator',
      project_id: null,
      project_name: null,
      because: 'host compute-1: action plug-in script (host) failed',
      help: 'repair it and retry the host (parley hosts retry); the session goes on without it',
      missing: null,
    },
  ],
  next: [
    {
      request: 'pause',
      method: 'POST',
      path: `/v1/maintenance/${sessionId}/pause`,
      because: 'nothing new begins, and everything in flight ends',
      hosts: [],
    },
  ],
};

export const questionList = {
  questions: [
    {
      question_id: 'ab64a3a4-7f10-11ea-8f7f-2c600c9893ee',
      session_id: sessionId,
      project_id: projectId,
      project_name: 'vepc',
      state: 'PLANNED_MAINTENANCE',
      instance_id: null,
      hostname: 'compute-2',
      instance_ids: [instanceId],
      instances: [{ instance_id: instanceId, instance_name: 'vnf-2', host: 'compute-2' }],
      allowed_actions: ['MIGRATE', 'LIVE_MIGRATE', 'OWN_ACTION'],
      reply_url: `http://127.0.0.1:12347/v1/maintenance/${sessionId}/${projectId}`,
      reply_at: '2026-04-15T11:49:32.000Z',
      seconds_left: 18,
    },
  ],
};
