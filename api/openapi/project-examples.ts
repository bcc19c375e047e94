/** The examples of what a project sees and says in the OpenAPI document. */
import { instanceId, projectId, sessionId } from './example-ids';

export const projectExamples = <I, G>({ instance, group }: { readonly instance: I; readonly group: G }) => ({
  ProjectInstances: { instance_ids: [instanceId] },
  ProjectReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_actions: { [instanceId]: 'LIVE_MIGRATE' } },
  InstanceReply: { state: 'ACK_PLANNED_MAINTENANCE', instance_action: 'LIVE_MIGRATE' },
  Terms: {
    contact: 'mailto:web@example.org',
    ask: 'never',
    answers: { MAINTENANCE: 'ACK', PLANNED_MAINTENANCE: { action: 'LIVE_MIGRATE' }, SCALE_IN: 'NACK' },
  },
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
