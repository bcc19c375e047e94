/** One manager for all projects of a session: agrees to every question as soon as the event stream tells it. */
import { setTimeout as sleep } from 'node:timers/promises';

/** The fields of a maintenance.planned event that this manager uses. */
interface Planned {
  readonly session_id: string;
  readonly state: string;
  readonly instance_ids: string | readonly string[];
  readonly reply_url: string;
  readonly reply_at: string;
}

const parsePlanned = (data: string): Planned => (JSON.parse(data) as { payload: Planned }).payload;

export interface Manager {
  /** The numbers of replies that were accepted, and that were not. */
  readonly counts: () => { readonly taken: number; readonly refused: number };
  readonly stop: () => Promise<void>;
}

const retryMs = 500;

/** Records of server-sent events end with an empty line. */
async function* recordsOf({ body }: { readonly body: AsyncIterable<Uint8Array> | null }): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body ?? []) {
    const records = (text + decoder.decode(chunk, { stream: true })).split('\n\n');
    text = records.pop() ?? '';
    yield* records;
  }
}

const fieldIn = (record: string, name: string): string | undefined =>
  record
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

interface Streamed {
  readonly id: string | undefined;
  /** Undefined when the record is about something else. */
  readonly planned: Planned | undefined;
}

const readRecord = (record: string): Streamed => {
  const data = fieldIn(record, 'event') === 'maintenance.planned' ? fieldIn(record, 'data') : undefined;
  return { id: fieldIn(record, 'id'), planned: data === undefined ? undefined : parsePlanned(data) };
};

interface Following {
  readonly api: string;
  readonly signal: AbortSignal;
  readonly tell: (event: Planned) => void;
}

/** Runs until it is aborted. After a break it continues from the last event. */
const followEvents = async ({ api, signal, tell }: Following): Promise<void> => {
  let lastId = '';
  while (!signal.aborted) {
    try {
      const response = await fetch(`${api}/v1/events`, { signal, headers: { 'last-event-id': lastId } });
      for await (const record of recordsOf(response)) {
        const { id, planned } = readRecord(record);
        if (planned !== undefined) tell(planned);
        lastId = id ?? lastId;
      }
    } catch (error) {
      await afterBreak(error, signal);
    }
  }
};

const afterBreak = async (error: unknown, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  process.stderr.write(`the event stream broke, trying again: ${String(error)}\n`);
  await sleep(retryMs);
};

/** Answers every question with ACK; nothing has to scale in. It leaves the actions to the constraints. */
const agreeTo = async ({ reply_url, state }: Planned, signal: AbortSignal): Promise<boolean> => {
  const answer = state === 'SCALE_IN' ? 'NACK' : 'ACK';
  const headers = { 'content-type': 'application/json' };
  const body = JSON.stringify({ state: `${answer}_${state}` });
  try {
    const response = await fetch(reply_url, { method: 'PUT', headers, body, signal });
    await response.text();
    return response.status === 200;
  } catch {
    return false; // the service is down, or the measurement is over: the reply counts as not accepted
  }
};

/** @param isMine tells for which sessions it answers */
export const startManager = (api: string, isMine: (sessionId: string) => boolean): Manager => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let [taken, refused] = [0, 0];
  const answer = async (event: Planned): Promise<void> => {
    if (await agreeTo(event, signal)) taken += 1;
    else refused += 1;
  };
  // an event without a deadline for replies only tells what has happened
  const tell = (event: Planned): void => {
    if (event.reply_at !== '' && isMine(event.session_id)) void answer(event);
  };
  const following = followEvents({ api, signal, tell });
  return {
    counts: () => ({ taken, refused }),
    async stop() {
      stopping.abort();
      await following;
    },
  };
};
