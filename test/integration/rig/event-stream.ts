/** Reads GET /v1/events as a consumer does: until stopped, and after a break on from the last event. */
import { setTimeout as pause } from 'node:timers/promises';

/** The envelope of an event, as the specification has it. */
export interface StreamedEnvelope {
  readonly priority: string;
  readonly event_type: string;
  readonly timestamp: string;
  readonly publisher_id: string;
  readonly message_id: string;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface FollowOptions {
  /** The address of the stream, with its query. */
  readonly url: string;
  readonly signal: AbortSignal;
  readonly tell: (envelope: StreamedEnvelope) => void;
}

async function* recordsOf(response: Response): AsyncGenerator<string> {
  let text = '';
  for await (const chunk of response.body!) {
    text += Buffer.from(chunk as Uint8Array).toString();
    const records = text.split('\n\n');
    text = records.pop() ?? '';
    yield* records;
  }
}

const fieldOf = (record: string, name: string): string | undefined =>
  record
    .split('\n')
    .find((line) => line.startsWith(`${name}: `))
    ?.slice(name.length + 2);

export const followEvents = async ({ url, signal, tell }: FollowOptions): Promise<void> => {
  let lastId = '';
  while (!signal.aborted) {
    try {
      const response = await fetch(url, { signal, headers: { 'last-event-id': lastId } });
      for await (const record of recordsOf(response)) {
        lastId = fieldOf(record, 'id') ?? lastId;
        const data = fieldOf(record, 'data');
        if (data !== undefined) tell(JSON.parse(data) as StreamedEnvelope);
      }
    } catch {
      await pause(200);
    }
  }
};
