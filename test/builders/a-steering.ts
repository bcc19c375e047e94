/** How a session is steered that was created without any addition: in the service's words, and in the detail's. */
import { serializeSteering } from '../../api/showing/serialize-steering';
import type { Steering } from '../../prisma/session/session-steering';

export const noSteering: Steering = {
  name: null,
  maxParallelHosts: null,
  hostStartSeconds: null,
  maxFailedHosts: null,
  failedHosts: null,
  replyPolicy: null,
  canary: null,
  windows: null,
  deadline: null,
};

export const noShownSteering = serializeSteering(noSteering);
