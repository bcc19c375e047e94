/**
 * Events as server-sent events. The stream is read in steps, so that no transaction and no connection is held while a
 * client listens. A client that comes back with Last-Event-ID misses nothing.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Id } from '../planning/fleet/id';

/** The envelope of an event. The stream only looks at its type. */
export interface SentEvent {
  readonly position: bigint;
  readonly envelope: { readonly event_type: string };
}

/** The source of the stream's events (events/stream.ts). */
export interface EventSource {
  /** @param query.projectId null: the events of all projects and those for admins */
  read(query: {
    readonly afterPosition: bigint;
    readonly projectId: Id | null;
    readonly limit: number;
  }): Promise<readonly SentEvent[]>;
  /** The present end of the stream. */
  newestPosition(): Promise<bigint>;
}

const pollMs = 250;
const keepAliveMs = 15_000;
const eventsPerRead = 100;

export interface StreamRequest {
  readonly afterPosition: bigint;
  readonly projectId: Id | null;
  /** The end of the caller's token: who may still read then comes back with another one. Left out: it has none. */
  readonly endsAtMs?: number;
}

interface Stream {
  readonly events: EventSource;
  readonly res: Response;
  readonly request: StreamRequest;
  /** Aborted when the client is gone or the service stops. */
  readonly ended: AbortSignal;
  readonly logger: Logger;
}

const toText = ({ position, envelope }: SentEvent): string =>
  `id: ${position}\nevent: ${envelope.event_type}\ndata: ${JSON.stringify(envelope)}\n\n`;

/** Waits for a slow client, so that its events do not pile up here. */
const write = async ({ res, ended }: Stream, text: string): Promise<void> => {
  if (!res.write(text)) await once(res, 'drain', { signal: ended });
};

/** While the database is down, the client stays connected and the next step tries again. */
const readStep = async ({ events, request, logger }: Stream, afterPosition: bigint) => {
  try {
    return await events.read({ afterPosition, projectId: request.projectId, limit: eventsPerRead });
  } catch (error) {
    logger.warn({ err: error }, 'events cannot be read at present; the stream tries again');
    return [];
  }
};

const sendFrom = async (stream: Stream): Promise<void> => {
  let position = stream.request.afterPosition;
  const { endsAtMs = Infinity } = stream.request;
  let quietSinceMs = Date.now();
  while (!stream.ended.aborted && Date.now() < endsAtMs) {
    const batch = await readStep(stream, position);
    if (batch.length > 0) {
      await write(stream, batch.map(toText).join(''));
      position = batch.at(-1)?.position ?? position;
      quietSinceMs = Date.now();
    }
    if (Date.now() - quietSinceMs >= keepAliveMs) {
      await write(stream, ': still here\n\n');
      quietSinceMs = Date.now();
    }
    if (batch.length < eventsPerRead) await delay(pollMs, undefined, { signal: stream.ended });
  }
};

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Sends events until the client leaves, its token ends, or `stopping` is aborted. Sends only the headers to HEAD. */
export const streamEvents = async (
  res: Response,
  deps: { readonly events: EventSource; readonly logger: Logger; readonly stopping: AbortSignal },
  request: StreamRequest,
): Promise<void> => {
  res.writeHead(200, streamHeaders);
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  const left = new AbortController();
  res.on('close', () => left.abort());
  const ended = AbortSignal.any([left.signal, deps.stopping]);
  res.write('retry: 1000\n\n');
  try {
    await sendFrom({ events: deps.events, logger: deps.logger, res, request, ended });
  } catch (error) {
    // The headers are sent, so the stream can only report an error by ending; the client comes back.
    if (!ended.aborted) deps.logger.error({ err: error }, 'an event stream failed');
  } finally {
    res.end();
  }
};
