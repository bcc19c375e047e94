/** The project's events, once each, over breaks of the stream and, where a position is kept, over restarts. */
import { setTimeout as pause } from 'node:timers/promises';
import { type Call, Refused } from './call';

export interface EventRecord {
  readonly message_id: string;
  readonly event_type: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

/** Keeps the position in the stream: everything before it was handled. */
export interface ReadPosition {
  /** undefined: from the beginning of the stream. */
  load(): string | undefined | Promise<string | undefined>;
  save(id: string): void | Promise<void>;
}

export interface FollowOptions {
  readonly url: string;
  readonly call: Call;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
  readonly position?: ReadPosition | undefined;
  /** Must not throw. Events are handled side by side: a slow answer holds up no other one. */
  readonly handle: (record: EventRecord) => Promise<void>;
}

/** The service says something every 15 seconds. */
const silenceMs = 60_000;
const retryMs = 1_000;
/** Far more events than come twice: after a break the service repeats those that were not read to their end. */
const mostRemembered = 10_000;

export const followEvents = async (options: FollowOptions): Promise<void> => {
  const { url, call, signal, tell, position, handle } = options;
  const known = new Set<string>();
  const underWay: InHand[] = [];
  let lastId = (await position?.load()) ?? '';
  const take = ({ id, data }: StreamRecord): void => {
    if (data === '') return;
    const record = JSON.parse(data) as EventRecord;
    if (id !== '') lastId = id;
    if (!isNew(known, record.message_id)) return;
    const inHand: InHand = { id, isDone: false };
    underWay.push(inHand);
    void handle(record).then(async () => {
      inHand.isDone = true;
      await saveHandled(underWay, position).catch((error: unknown) =>
        tell(`the position was not kept: ${String(error)}`),
      );
    });
  };
  while (!hasEnded(signal)) {
    try {
      for await (const record of recordsOf(call, { url, signal, lastId })) take(record);
    } catch (error) {
      if (hasEnded(signal)) return;
      if (error instanceof Refused && error.status !== 401) throw error;
      tell(`the stream of events broke, and is opened again: ${String(error)}`);
    }
    await pause(retryMs, undefined, { signal }).catch(() => undefined);
  }
};

const hasEnded = ({ aborted }: AbortSignal): boolean => aborted;

interface InHand {
  readonly id: string;
  isDone: boolean;
}

/** The position is that of the last event before which nothing is under way. */
const saveHandled = async (underWay: InHand[], position: ReadPosition | undefined): Promise<void> => {
  let handled = '';
  while (underWay[0]?.isDone === true) handled = underWay.shift()?.id ?? handled;
  if (handled !== '') await position?.save(handled);
};

const isNew = (known: Set<string>, messageId: string): boolean => {
  if (known.has(messageId)) return false;
  known.add(messageId);
  const [oldest] = known;
  if (known.size > mostRemembered && oldest !== undefined) known.delete(oldest);
  return true;
};

interface StreamRecord {
  readonly id: string;
  readonly data: string;
}

interface OpenOptions {
  readonly url: string;
  readonly signal: AbortSignal;
  readonly lastId: string;
}

async function* recordsOf(call: Call, { url, signal, lastId }: OpenOptions): AsyncGenerator<StreamRecord> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error('nothing came for a minute')), silenceMs);
  try {
    const response = await call.send('GET', url, {
      headers: { accept: 'text/event-stream', ...(lastId !== '' && { 'last-event-id': lastId }) },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!response.ok) throw faultOf(response.status, await response.text());
    const decoder = new TextDecoder();
    let text = '';
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
      timer.refresh();
      const records = (text + decoder.decode(chunk, { stream: true })).split(/\r?\n\r?\n/);
      text = records.pop() ?? '';
      yield* records.map((record) => ({ id: fieldOf(record, 'id'), data: fieldOf(record, 'data') }));
    }
  } finally {
    clearTimeout(timer);
  }
}

const faultOf = (status: number, text: string): Error =>
  status >= 500 || status === 429 ? new Error(text) : new Refused(text, status);

const fieldOf = (record: string, name: string): string =>
  record
    .split(/\r?\n/)
    .filter((line) => line.startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).replace(/^ /, ''))
    .join('\n');
