/** GET /v1/events: all events for admins, and for a project its own. And the last events of one session, at once. */
import { type Request, Router } from 'express';
import type { Logger } from 'pino';
import { createSlots } from '../../calls/slots';
import { callerOf } from '../http/limit-calls';
import { parseSessionId } from '../http/path-ids';
import { projectOfQuery } from '../http/project-of-query';
import { asAdmin, principalOf } from '../identity/authorization';
import { tooManyStreams } from '../problems/away-problems';
import { invalidQuery } from '../problems/problem-catalogue';
import type { SessionEventsOf } from '../services/session-events';
import { type EventSource, seldomWarning, sharedEnd, streamEvents, type StreamRequest } from './event-stream';

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
  readonly eventsOf: SessionEventsOf;
  readonly logger: Logger;
  readonly stopping: AbortSignal;
  /** The maximum number of open streams of a caller. */
  readonly streamsPerCaller: number;
}): Router => {
  const router = Router();
  const lookAtEnd = sharedEnd(deps.events);
  const warn = seldomWarning(deps.logger);
  const streams = createSlots({ mostOfOne: deps.streamsPerCaller });
  router.get('/events', async (req, res) => {
    const { expiresAtMs } = principalOf(req);
    const request: StreamRequest = {
      projectId: projectOfQuery(req),
      afterPosition: await parseStart(req, deps.events),
      ...(expiresAtMs !== undefined && { endsAtMs: expiresAtMs }),
    };
    const streamed = streams.run(callerOf(req), () => streamEvents(res, { ...deps, lookAtEnd, warn }, request));
    if (streamed === undefined) throw tooManyStreams(deps.streamsPerCaller);
    await streamed;
  });
  router.get('/maintenance/:session_id/events', asAdmin, async (req, res) => {
    res.json(await deps.eventsOf(parseSessionId(req.params)));
  });
  return router;
};
