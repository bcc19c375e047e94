/** The event stream of the API: one event after the other, also when the API restarts in between. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { apiAway, CommandFailure } from './exit';
import { type Client, withQuery } from './http-client';

export interface ReceivedEvent {
  readonly id: string;
  readonly type: string;
  readonly envelope: ReceivedEnvelope;
}

export interface ReceivedEnvelope {
  readonly event_type: string;
  readonly timestamp: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface Following {
  /** now: only what happens from now on. */
  readonly from?: 'now';
  readonly projectId?: string;
  readonly signal: AbortSignal;
  /** Fail where the stream cannot be opened: the first time, or each time; left out: it is tried for ever. */
  readonly mustOpen?: 'at first' | 'always';
  /** Told whenever the API has opened the stream. */
  readonly onOpen?: () => void;
  /** Told once when the stream is cut; it is tried again until it is open. */
  readonly onCut?: () => void;
  /** Takes the stream for dead after this time without a byte; the API sends something more often. */
  readonly silenceMs?: number;
  readonly retryMs?: number;
}

/** Goes on after the last event that came, until the signal. @throws CommandFailure where the API refuses */
export async function* followEvents(client: Client, following: Following): AsyncGenerator<ReceivedEvent> {
  const { from, projectId, signal, retryMs = 1_000 } = following;
  const path = withQuery('/events', { ...(from && { from }), ...(projectId && { project_id: projectId }) });
  const opening = new StreamOpening(client, following);
  let lastId: string | undefined;
  for (;;) {
    opening.begin();
    try {
      const onOpen = (): void => opening.succeed();
      for await (const event of readOnce(client, { path, lastId }, { ...following, onOpen })) {
        lastId = event.id;
        yield event;
      }
    } catch (error) {
      opening.check(error);
    }
    if (signal.aborted) return;
    opening.cut();
    await sleep(retryMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Says whether the stream was opened, and whether a failure to open it is final. */
class StreamOpening {
  #isOpen = false;
  #isCutTold = false;

  constructor(
    private readonly client: Client,
    private readonly following: Following,
  ) {}

  begin(): void {
    if (this.following.mustOpen === 'always') this.#isOpen = false;
  }

  succeed(): void {
    this.#isOpen = true;
    this.#isCutTold = false;
    this.following.onOpen?.();
  }

  cut(): void {
    if (!this.#isCutTold) this.following.onCut?.();
    this.#isCutTold = true;
  }

  check(error: unknown): void {
    if (error instanceof CommandFailure) throw error;
    const { mustOpen, signal } = this.following;
    if (mustOpen !== undefined && !this.#isOpen && !signal.aborted) throw apiAway(this.client.url, error);
  }
}

async function* readOnce(
  client: Client,
  { path, lastId }: { readonly path: string; readonly lastId: string | undefined },
  { signal, onOpen, silenceMs = 35_000 }: Following,
): AsyncGenerator<ReceivedEvent> {
  const silent = new AbortController();
  const timer = setTimeout(() => silent.abort(), silenceMs);
  try {
    const response = await client.stream(path, {
      headers: { Accept: 'text/event-stream', ...(lastId !== undefined && { 'Last-Event-ID': lastId }) },
      signal: AbortSignal.any([signal, silent.signal]),
    });
    onOpen?.();
    const arrived: ReceivedEvent[] = [];
    const parser = createParser({
      onEvent: ({ id = '', event = '', data }) =>
        arrived.push({ id, type: event, envelope: JSON.parse(data) as ReceivedEnvelope }),
    });
    const decoder = new TextDecoder();
    for await (const part of response.body ?? []) {
      timer.refresh();
      parser.feed(decoder.decode(part as Uint8Array, { stream: true }));
      yield* arrived.splice(0);
    }
  } finally {
    clearTimeout(timer);
  }
}
