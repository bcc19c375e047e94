/** A small HTTP server in the place of the API. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answer {
  readonly status?: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Nothing comes, and the connection stays. */
  readonly hangs?: true;
  /** The connection is cut instead. */
  readonly cut?: true;
  /** The unchanged text of a stream of events; the connection stays open where `stays`. */
  readonly text?: string;
  readonly stays?: true;
}

/** The answers by method and path; the last of several is repeated. */
export type Answers = Readonly<Record<string, Answer | readonly Answer[]>>;

export interface FakeApi {
  readonly url: string;
  readonly received: Received[];
  readonly answers: (answers: Answers) => void;
  readonly close: () => Promise<void>;
}

const reply = (res: ServerResponse, { status = 200, headers = {}, body, cut, text, stays, hangs }: Answer): void => {
  if (hangs === true) return;
  if (cut === true) {
    res.destroy();
    return;
  }
  res.writeHead(status, { 'content-type': text === undefined ? 'application/json' : 'text/event-stream', ...headers });
  if (stays === true) res.write(text ?? '');
  else res.end(text ?? (body === undefined ? '' : JSON.stringify(body)));
};

export const startFakeApi = async (): Promise<FakeApi> => {
  const received: Received[] = [];
  let rest = new Map<string, Answer[]>();
  const server = createServer((req, res) => {
    const parts: Buffer[] = [];
    req.on('data', (part: Buffer) => parts.push(part));
    req.on('end', () => {
      const text = Buffer.concat(parts).toString();
      const { method = '', url = '', headers } = req;
      // Commands ask beside their own requests whether the service is ready.
      if (url !== '/readyz')
        received.push({ method, path: url, headers, body: text === '' ? undefined : JSON.parse(text) });
      const answers = rest.get(`${method} ${url}`);
      const problem = {
        type: 'urn:x',
        title: 'Not found',
        status: 404,
        code: 'NO',
        detail: `no ${url}`,
        errors: [],
        hint: 'h',
      };
      const answer = answers?.[0] ?? { status: 404, body: problem };
      if (answers !== undefined && answers.length > 1) answers.shift();
      reply(res, answer);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    answers: (answers) => {
      rest = new Map(
        Object.entries(answers).map(([at, given]) => [at, [given].flat<(Answer | readonly Answer[])[]>()]),
      );
      received.length = 0;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};
