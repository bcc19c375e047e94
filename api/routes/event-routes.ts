/** GET /v1/events: all events for admins, and for a project its own. */
import { type Request, Router } from 'express';
import type { Logger } from 'pino';
import { projectOfQuery } from '../http/project-of-query';
import { principalOf } from '../identity/authorization';
import { invalidQuery } from '../problems/problem-catalogue';
import { type EventSource, sharedEnd, streamEvents, type StreamRequest } from './event-stream';

const largestPosition = 2n ** 63n - 1n;

const parsePosition = (text: string): bigint => {
  const position = /^\d{1,19}$/.test(text) ? BigInt(text) : undefined;
  if (position === undefined || position > largestPosition) {
    throw invalidQuery([{ pointer: '#header/Last-Event-ID', message: 'must be the id of an event of this stream' }]);
  }
  return position;
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
  const lookAtEnd = sharedEnd(deps.events);
  router.get('/events', async (req, res) => {
    const { expiresAtMs } = principalOf(req);
    const request: StreamRequest = {
      projectId: projectOfQuery(req),
      afterPosition: await parseStart(req, deps.events),
      ...(expiresAtMs !== undefined && { endsAtMs: expiresAtMs }),
    };
    await streamEvents(res, { ...deps, lookAtEnd }, request);
  });
  return router;
};
