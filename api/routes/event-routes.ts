/** GET /v1/events: all events for admins, and for a project its own. */
import { type Request, Router } from 'express';
import type { Logger } from 'pino';
import { type Id, idOf, isUuid, uuidMeaning } from '../../planning/fleet/id';
import { type EventSource, streamEvents, type StreamRequest } from '../event-stream';
import { assertProjectOrAdmin, principalOf } from '../identity/authorization';
import { invalidQuery } from '../problem-catalogue';

const largestPosition = 2n ** 63n - 1n;

const parsePosition = (text: string): bigint => {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (position === undefined || position > largestPosition) {
    throw invalidQuery([{ pointer: '#header/Last-Event-ID', message: 'must be the id of an event of this stream' }]);
  }
  return position;
};

/**
 * The project whose events are sent: the one named in the query, or else all for an admin, and the caller's own for a
 * project.
 */
const parseProject = (req: Request): Id | null => {
  const principal = principalOf(req);
  const named = req.query['project_id'];
  if (named === undefined) return principal.kind === 'admin' ? null : principal.projectId;
  if (typeof named !== 'string' || !isUuid(named)) {
    throw invalidQuery([{ pointer: '#query/project_id', message: `must be ${uuidMeaning}` }]);
  }
  const projectId = idOf(named);
  assertProjectOrAdmin(principal, projectId, 'the query names');
  return projectId;
};

const parseStart = async (req: Request, events: EventSource): Promise<bigint> => {
  const lastEventId = req.get('last-event-id');
  if (lastEventId !== undefined && lastEventId !== '') return parsePosition(lastEventId);
  const from = req.query['from'];
  if (from === undefined) return 0n;
  if (from !== 'now') throw invalidQuery([{ pointer: '#query/from', message: 'must be now, or be left out' }]);
  return events.newestPosition();
};

export const createEventRoutes = (deps: {
  readonly events: EventSource;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
}): Router => {
  const router = Router();
  router.get('/events', async (req, res) => {
    const request: StreamRequest = {
      projectId: parseProject(req),
      afterPosition: await parseStart(req, deps.events),
    };
    await streamEvents(res, deps, request);
  });
  return router;
};
