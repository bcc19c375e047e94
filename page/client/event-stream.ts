/** The event stream of the API, with a token: opened again where it is cut or silent, from the last event that came. */
import { createParser } from 'eventsource-parser';
import type { Http } from './http';
import { isPassing } from './problem';

export interface StreamedEvent {
  readonly id: string;
  readonly type: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Following {
  /** The last event that came; undefined: only what happens from now on. */
  readonly after: () => string | undefined;
  readonly onEvent: (event: StreamedEvent) => void;
  readonly onOpen: () => void;
  /** The stream is cut; it is opened again. */
  readonly onCut: () => void;
  readonly signal: AbortSignal;
}

/** The API sends something every 15 s. */
const silenceMs = 40_000;
const firstRetryMs = 1_000;
const longestRetryMs = 15_000;

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        resolve();
      },
      { once: true },
    );
  });

/**
 * Follows the stream until the signal. @throws Refusal where the API refuses for good, such as a token that has ended
 */
export const followEvents = async (http: Http, following: Following): Promise<void> => {
  const { signal, onOpen, onCut } = following;
  let retryMs = firstRetryMs;
  const isOver = (): boolean => signal.aborted;
  const opened = (): void => {
    retryMs = firstRetryMs;
    onOpen();
  };
  while (!isOver()) {
    try {
      await readOnce(http, { ...following, onOpen: opened });
    } catch (error) {
      if (isOver()) return;
      if (!isPassing(error) && !isCut(error)) throw error;
    }
    if (isOver()) return;
    onCut();
    await pause(retryMs, signal);
    retryMs = Math.min(retryMs * 2, longestRetryMs);
  }
};

/** fetch and readers of streams say so when a connection ends. */
const isCut = (error: unknown): boolean => error instanceof TypeError || error instanceof DOMException;

const readOnce = async (http: Http, { after, onEvent, onOpen, signal }: Following): Promise<void> => {
  const silent = new AbortController();
  const watch = (): ReturnType<typeof setTimeout> => setTimeout(() => silent.abort(), silenceMs);
  let timer = watch();
  try {
    const last = after();
    const response = await http.stream('/v1/events', {
      signal: AbortSignal.any([signal, silent.signal]),
      headers: { Accept: 'text/event-stream', ...(last !== undefined && { 'Last-Event-ID': last }) },
      ...(last === undefined && { query: { from: 'now' } }),
    });
    onOpen();
    const parser = createParser({
      onEvent: ({ id = '', event = '', data }) => onEvent(eventOf(id, event, data)),
    });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      clearTimeout(timer);
      timer = watch();
      parser.feed(part.value);
    }
  } finally {
    clearTimeout(timer);
  }
};

const eventOf = (id: string, type: string, data: string): StreamedEvent => {
  const { timestamp, payload } = JSON.parse(data) as Pick<StreamedEvent, 'timestamp' | 'payload'>;
  return { id, type, timestamp, payload };
};
