/**
 * A way to the rig's services on which things go wrong: answers of another kind, none at all, cut connections. All else
 * is passed on to the real service and back; every call is noted.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Certificate } from './make-certificate';
import { testOpenStack } from './openstack-addresses';

export interface CallMatch {
  readonly method?: string;
  readonly path?: RegExp;
}

export type Misfortune =
  | { readonly status: number; readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> }
  /** Never answers. */
  | 'silence'
  /** The service carries it out, and the answer is lost. */
  | 'lost answer'
  /** The answer lacks the header Date. */
  | 'no date'
  /** The text of the service's answer is another one. */
  | { readonly rewrite: (text: string) => string };

export interface NotedCall {
  readonly method: string;
  readonly path: string;
  readonly status: number | undefined;
}

export interface FaultyService {
  /** In place of the service's address. */
  readonly url: string;
  readonly calls: readonly NotedCall[];
  /** The next call that matches, or the next few. */
  answerOnce(match: CallMatch, misfortune: Misfortune, times?: number): void;
  /** Every call from now on that matches, until `heal`. */
  answerAlways(match: CallMatch, misfortune: Misfortune): void;
  heal(): void;
  close(): Promise<void>;
}

interface Rule {
  readonly match: CallMatch;
  readonly misfortune: Misfortune;
  timesLeft: number;
}

const readBody = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
};

/** Headers that concern the service itself, beside those of OpenStack's own. */
const spoken = new Set(['accept', 'content-type', 'openstack-api-version']);

const passOn = async (target: string, request: IncomingMessage, body: Buffer): Promise<Response> => {
  const headers = Object.entries(request.headers).filter(([name]) => name.startsWith('x-') || spoken.has(name));
  return fetch(`${target}${request.url ?? ''}`, {
    method: request.method!,
    headers: Object.fromEntries(headers) as Record<string, string>,
    redirect: 'manual',
    ...(body.length > 0 && { body: new Uint8Array(body) }),
  });
};

const unpassed = new Set(['content-length', 'transfer-encoding', 'content-encoding', 'connection', 'keep-alive']);

/** With a certificate the way to the service is TLS. */
type Tls = Pick<Certificate, 'cert' | 'key'>;

const openFaulty = async (target: string, tls?: Tls): Promise<FaultyService> => {
  const { origin, pathname } = new URL(target);
  let rules: Rule[] = [];
  const calls: NotedCall[] = [];

  const ruleFor = ({ method, url = '' }: IncomingMessage): Rule | undefined => {
    const rule = rules.find(
      ({ match, timesLeft }) =>
        timesLeft > 0 && (match.method ?? method) === method && (match.path === undefined || match.path.test(url)),
    );
    if (rule !== undefined) rule.timesLeft -= 1;
    return rule;
  };

  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = await readBody(request);
    const misfortune = ruleFor(request)?.misfortune;
    const noted = { method: request.method!, path: request.url! };
    if (misfortune === 'silence') {
      calls.push({ ...noted, status: undefined });
      return;
    }
    if (typeof misfortune === 'object' && 'status' in misfortune) {
      calls.push({ ...noted, status: misfortune.status });
      response.writeHead(misfortune.status, { 'content-type': 'application/json', ...misfortune.headers });
      response.end(misfortune.body === undefined ? '' : JSON.stringify(misfortune.body));
      return;
    }
    const answer = await passOn(origin, request, body);
    const text = await answer.text();
    calls.push({ ...noted, status: misfortune === 'lost answer' ? undefined : answer.status });
    if (misfortune === 'lost answer') {
      response.destroy();
      return;
    }
    response.sendDate = misfortune !== 'no date';
    const hidden = misfortune === 'no date' ? new Set([...unpassed, 'date']) : unpassed;
    const headers = [...answer.headers].filter(([name]) => !hidden.has(name));
    response.writeHead(answer.status, Object.fromEntries(headers));
    response.end(typeof misfortune === 'object' ? misfortune.rewrite(text) : text);
  };

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    serve(request, response).catch(() => response.destroy());
  };
  const server = tls === undefined ? createServer(handle) : createTlsServer({ ...tls }, handle);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const add = (match: CallMatch, misfortune: Misfortune, timesLeft: number): void => {
    rules.push({ match, misfortune, timesLeft });
  };
  return {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${port}${pathname}`,
    calls,
    answerOnce: (match, misfortune, times = 1) => add(match, misfortune, times),
    answerAlways: (match, misfortune) => add(match, misfortune, Infinity),
    heal() {
      rules = [];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
};

export const openFaultyNova = (tls?: Tls): Promise<FaultyService> => openFaulty(testOpenStack().nova, tls);
export const openFaultyPlacement = (tls?: Tls): Promise<FaultyService> => openFaulty(testOpenStack().placement, tls);
export const openFaultyKeystone = (tls?: Tls): Promise<FaultyService> => openFaulty(testOpenStack().keystone, tls);
