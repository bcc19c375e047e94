/** The examples of what a project sees and says in the OpenAPI document. */
import { comingExamples } from './coming-examples';
import { instanceId, projectId, sessionId } from './example-ids';

const coming = {
  project_id: projectId,
  coming: [
    {
      instance_id: instanceId,
      instance_name: 'web-1',
      session_id: sessionId,
      reason: 'an update against a hole in the kernel',
      status: 'inquiring',
      impact: 'LIVE_MIGRATE',
      starts_at: {
        earliest: '2026-04-15T21:40:00.000Z',
        expected: '2026-04-15T22:00:00.000Z',
        latest: '2026-04-15T22:30:00.000Z',
      },
      started_at: null,
      ended_at: null,
      not_before: null,
      not_before_latest: '2026-04-16T11:43:28.000Z',
      deadline: null,
      reply_url: `http://127.0.0.1:12347/v1/maintenance/${sessionId}/${projectId}`,
    },
  ],
};

const termsPreview = {
  project_id: projectId,
  sessions: [
    {
      session_id: sessionId,
      reason: 'an update against a hole in the kernel',
      ends_at: {
        earliest: '2026-04-15T22:10:00.000Z',
        expected: '2026-04-15T23:40:00.000Z',
        latest: '2026-04-16T00:20:00.000Z',
      },
      ends_at_with_terms: {
        earliest: '2026-04-15T22:10:00.000Z',
        expected: '2026-04-15T22:35:00.000Z',
        latest: '2026-04-15T23:05:00.000Z',
      },
    },
  ],
};

export const projectExamples = <I, G>({ instance, group }: { readonly instance: I; readonly group: G }) => ({
  ProjectInstances: { instance_ids: [instanceId] },
  ProjectReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_actions: { [instanceId]: 'LIVE_MIGRATE' } },
  ...comingExamples,
  InstanceReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'LIVE_MIGRATE' },
  ReplyNote: {
    warning:
      'not before 2026-04-16T11:00:00.000Z is behind the deadline of the session, 2026-04-16T06:00:00.000Z: it will not be ' +
      'over in time; an earlier time would help',
    deadline: '2026-04-16T06:00:00.000Z',
  },
  Terms: {
    contact: 'mailto:web@example.org',
    ask: 'never',
    answers: { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' }, SCALE_IN: 'NACK' },
  },
  TermsPreview: termsPreview,
  Coming: coming,
  Project: {
    project_id: projectId,
    instances: [
      {
        instance_id: instanceId,
        instance_name: 'web-1',
        session_id: sessionId,
        state: 'ACTIVE',
        action: 'LIVE_MIGRATE',
        action_done: false,
        project_state: 'ACK_PLANNED_MAINTENANCE',
      },
    ],
    constraints: [instance],
    groups: [group],
  },
});
