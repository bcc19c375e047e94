/** The answer to pause, resume and abort: the session's present state, and everything in flight. */
import type { SessionInFlightBody } from '../schemas/session-schemas';
import type { Requested } from '../services/session-requests';
import { secondsUntil } from './seconds-until';

export const serializeInFlight = (sessionId: string, { inFlight, takenUp }: Requested): SessionInFlightBody => ({
  session_id: sessionId,
  state: inFlight.state,
  paused_at: inFlight.pausedAt?.toISOString() ?? null,
  aborting: inFlight.aborting,
  taken_up: takenUp,
  in_flight: {
    hosts: inFlight.hosts.map(({ hostname, phase }) => ({ hostname, phase })),
    instances: inFlight.moves.map(({ instanceId, instanceName, projectId, action, source, target }) => ({
      instance_id: instanceId,
      instance_name: instanceName,
      project_id: projectId,
      action,
      host: source,
      target,
    })),
    questions: inFlight.questions.map(({ projectId, instanceId, hostname, state, replyAt }) => ({
      project_id: projectId,
      instance_id: instanceId,
      hostname,
      state,
      reply_at: replyAt?.toISOString() ?? null,
      seconds_left: secondsUntil(replyAt, inFlight.now),
    })),
    plugins: inFlight.plugins.map(({ hostname, plugin, type }) => ({ hostname, plugin, type })),
  },
});
