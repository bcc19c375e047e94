/**
 * Events as server-sent events. The stream is read in steps, so that no transaction and no connection is held while a
 * client listens. A client that comes back with Last-Event-ID misses nothing.
 */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Response } from 'express';
import type { Logger } from 'pino';
import type { Id, IdKey } from '../../rules/cloud/id';
import { createSeldom } from '../../telemetry/seldom';

/** The envelope of an event. The stream looks at its type alone. */
export interface SentEvent {
  readonly position: bigint;
  readonly envelope: {
    readonly event_type: string;
    readonly timestamp: string;
    readonly payload: Readonly<Record<string, unknown>>;
  };
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
  /** Maps each project with events after a position to that of its newest event; null: those for admins alone. */
  newestOfProjects(afterPosition: bigint): Promise<ReadonlyMap<IdKey | null, bigint>>;
}

const pollMs = 250;
/** All streams of a process look at the end at the same times, so that one look is enough for all of them. */
const untilNextLookMs = (): number => pollMs - (performance.now() % pollMs);
const sharedLookMs = 125;
const keepAliveMs = 15_000;
const eventsPerRead = 100;
/** A client that reads nothing for so long has gone, or keeps events in this process's memory for nobody. */
const longestUnreadMs = 60_000;

/** @returns a function that asks no more often than that, however many call it */
export const askedOnceIn = <T>(ms: number, ask: () => Promise<T>): (() => Promise<T>) => {
  let last: { readonly atMs: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (last === undefined || performance.now() - last.atMs >= ms) last = { atMs: performance.now(), answer: ask() };
    return last.answer;
  };
};

/** The end of the stream as all clients of a process see it, a little late. */
export interface StreamEnd {
  /** The position of the newest event. */
  readonly newest: bigint;
  /** True when a client at this position has to read: an event after it is for the client, or may be. */
  isBehind(position: bigint, projectId: Id | null): boolean;
}

const warnAgainMs = 30_000;

/** Warns for all streams of a process, and seldom. */
export const seldomWarning = (logger: Logger): ((error: unknown) => void) => {
  const seldom = createSeldom(warnAgainMs);
  return (error) =>
    seldom(() => logger.warn({ err: error }, 'events cannot be read at present; the streams try again'));
};

/** One look for all clients. It tells whose events are new, so that only their clients read. */
export const sharedEnd = (events: EventSource): (() => Promise<StreamEnd>) => {
  /** `newestOf` has the newest event after this position for each project. Undefined: nobody has looked yet. */
  let knownAfter: bigint | undefined;
  let newest = 0n;
  const newestOf = new Map<IdKey | null, bigint>();
  const end: StreamEnd = {
    get newest() {
      return newest;
    },
    isBehind(position, projectId) {
      if (projectId === null || knownAfter === undefined || position < knownAfter) return newest > position;
      return (newestOf.get(projectId.key) ?? knownAfter) > position;
    },
  };
  return askedOnceIn(sharedLookMs, async () => {
    if (knownAfter === undefined) {
      newest = await events.newestPosition();
      knownAfter = newest;
    } else {
      // Looks may overlap while the database is slow: an older answer takes nothing away.
      for (const [key, position] of await events.newestOfProjects(newest)) {
        if (position > (newestOf.get(key) ?? 0n)) newestOf.set(key, position);
        if (position > newest) newest = position;
      }
    }
    return end;
  });
};

export interface StreamRequest {
  readonly afterPosition: bigint;
  readonly projectId: Id | null;
  /** The end of the caller's token: who may still read then comes back with another one. Left out: it has none. */
  readonly endsAtMs?: number;
}

interface StreamDeps {
  readonly events: EventSource;
  readonly lookAtEnd: () => Promise<StreamEnd>;
  readonly logger: Logger;
  /** Is told why a read failed: all streams of a process fail together, four times a second. */
  readonly warn: (error: unknown) => void;
  /** Left out: a minute. */
  readonly longestUnreadMs?: number;
}

interface Stream extends StreamDeps {
  readonly res: Response;
  readonly request: StreamRequest;
  /** Aborted when the client is gone or the service stops. */
  readonly ended: AbortSignal;
  readonly unreadMs: number;
}

const toText = ({ position, envelope }: SentEvent): string =>
  `id: ${position}\nevent: ${envelope.event_type}\ndata: ${JSON.stringify(envelope)}\n\n`;

/** Waits for a slow client, so that its events do not pile up here, and gives up one that never reads. */
const write = async ({ res, ended, unreadMs }: Stream, text: string): Promise<void> => {
  if (res.write(text)) return;
  const patience = setTimeout(() => res.destroy(), unreadMs);
  try {
    await once(res, 'drain', { signal: ended });
  } finally {
    clearTimeout(patience);
  }
};

/** While the database is down, the client stays connected and the next step tries again. */
const readStep = async ({ events, lookAtEnd, request, warn }: Stream, afterPosition: bigint) => {
  const limit = eventsPerRead;
  try {
    const { projectId } = request;
    const end = await lookAtEnd();
    const { newest } = end;
    if (!end.isBehind(afterPosition, projectId)) {
      return { batch: [], position: newest > afterPosition ? newest : afterPosition, isAll: true };
    }
    const batch = await events.read({ afterPosition, projectId, limit });
    const last = batch.at(-1)?.position ?? afterPosition;
    const isAll = batch.length < limit;
    // Positions become visible in order: what a whole read does not have up to the newest is not for this client.
    return { batch, position: isAll && newest > last ? newest : last, isAll };
  } catch (error) {
    warn(error);
    return { batch: [], position: afterPosition, isAll: true };
  }
};

const sendFrom = async (stream: Stream): Promise<void> => {
  let position = stream.request.afterPosition;
  const { endsAtMs = Infinity } = stream.request;
  let quietSinceMs = Date.now();
  // Reads at least once: a token is taken for a few seconds after its end, as clocks differ.
  do {
    const step = await readStep(stream, position);
    position = step.position;
    if (step.batch.length > 0) {
      await write(stream, step.batch.map(toText).join(''));
      quietSinceMs = Date.now();
    }
    if (Date.now() - quietSinceMs >= keepAliveMs) {
      await write(stream, ': still here\n\n');
      quietSinceMs = Date.now();
    }
    if (step.isAll) await delay(untilNextLookMs(), undefined, { signal: stream.ended });
  } while (!stream.ended.aborted && Date.now() < endsAtMs);
};

const streamHeaders = {
  'Content-Type': 'text/event-stream; charset=utf-8',
  'Cache-Control': 'no-cache, no-transform',
  'X-Accel-Buffering': 'no',
} as const;

/** Sends events until the client leaves, its token ends, or `stopping` is aborted. Sends only the headers to HEAD. */
export const streamEvents = async (
  res: Response,
  deps: StreamDeps & { readonly stopping: AbortSignal },
  request: StreamRequest,
): Promise<void> => {
  res.writeHead(200, streamHeaders);
  if (res.req.method === 'HEAD') {
    res.end();
    return;
  }
  const left = new AbortController();
  // The client may have gone while its request waited for the database.
  if (res.closed) left.abort();
  res.on('close', () => left.abort());
  const ended = AbortSignal.any([left.signal, deps.stopping]);
  res.write('retry: 1000\n\n');
  try {
    await sendFrom({ ...deps, res, request, ended, unreadMs: deps.longestUnreadMs ?? longestUnreadMs });
  } catch (error) {
    // The headers are sent, so the stream can only report an error by ending; the client comes back.
    if (!ended.aborted) deps.logger.error({ err: error }, 'an event stream failed');
  } finally {
    res.end();
  }
};
