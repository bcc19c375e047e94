/** The examples of what a create request can name, and of the last events of a session. */
import { sessionId } from './example-ids';

export const choices = {
  hosts: [
    {
      hostname: 'compute-1',
      type: 'compute',
      session_id: null,
      zone: 'zone-a',
      labels: { zone: 'zone-a', rack: 'r1' },
      disabled: true,
      disabled_because: 'a fan has failed',
      instance_count: 0,
      seems_gone: null,
    },
    {
      hostname: 'compute-2',
      type: 'compute',
      session_id: sessionId,
      zone: 'zone-b',
      labels: { zone: 'zone-b', rack: 'r2' },
      disabled: false,
      disabled_because: null,
      instance_count: 12,
      seems_gone: null,
    },
  ],
  workflows: ['default', 'k8s', 'vnf'],
  action_plugins: ['dummy', 'script'],
};

export const sessionEvents = {
  events: [
    {
      id: '4711',
      event_type: 'maintenance.host',
      timestamp: '2026-04-15T11:49:02.000Z',
      payload: { session_id: sessionId, host: 'compute-2', state: 'IN_MAINTENANCE' },
      words: 'compute-2 is empty: its maintenance begins',
      host: 'compute-2',
      project_id: null,
      project_name: null,
    },
  ],
};
