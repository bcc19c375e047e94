/** Carries HTTP to the API server: its certificates, the service's credentials, JSON both ways, gzip, time limits. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { type Dispatcher, request } from 'undici';
import type { OutgoingWay } from '../../../outgoing/open-dispatcher';
import { onlyBy, type ProxySettings } from '../../../outgoing/proxies';
import { renewedWays } from '../../../outgoing/renewed-ways';
import { type HttpAnswer, type HttpRequest, NoAnswer, reasonOf } from '../../http/exchange';
import { createServerClock } from '../../http/server-clock';
import { AccessFault, type ClusterAccess, type Credential } from './access/cluster-access';

export interface HttpCall {
  readonly method: HttpRequest['method'];
  /** Path and query. */
  readonly path: string;
  readonly body?: unknown;
  /** Left out: JSON. */
  readonly contentType?: string;
}

export interface Transport {
  /** One exchange. @throws NoAnswer, AccessFault */
  exchange(call: HttpCall): Promise<HttpAnswer>;
  /**
   * An answer whose body comes bit by bit, as long as something comes within `quietMs`.
   * @throws NoAnswer, AccessFault
   */
  open(call: HttpCall, options: { readonly quietMs: number; readonly signal: AbortSignal }): Promise<OpenAnswer>;
  /** The time of the API server, with which the times in its objects are compared. */
  nowMs(): number;
  close(): Promise<void>;
}

export interface OpenAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: Dispatcher.ResponseData['body'];
}

export interface TransportOptions {
  readonly timeoutSeconds: number;
  /** The proxies, unless the kubeconfig names one for its cluster. */
  readonly proxies: ProxySettings;
}

/** @param accessNow the access as it is at each request, since its certificates may be replaced */
export const createTransport = (accessNow: () => ClusterAccess, options: TransportOptions): Transport => {
  const ways = renewedWays();
  const clock = createServerClock();
  const { timeoutSeconds } = options;
  const timeoutMs = timeoutSeconds * 1000;
  const place = { accessNow, timeoutSeconds };

  const send = async (access: ClusterAccess, call: HttpCall, limits: Limits): Promise<OpenAnswer> => {
    const { takesGzip = false, ...times } = limits;
    const credential = await access.credentials.current();
    const answer = await request(`${access.server}${call.path}`, {
      method: call.method,
      dispatcher: ways.dispatcherFor(wayTo(access, credential, options)),
      headersTimeout: timeoutMs,
      ...times,
      headers: headersFor(call, credential, takesGzip),
      ...(call.body !== undefined && { body: JSON.stringify(call.body) }),
    });
    const headers = headersOf(answer.headers);
    clock.hear(headers.get('date'));
    return { status: answer.statusCode, headers, body: answer.body };
  };

  const sendTwice = (call: HttpCall, limits: Limits): Promise<OpenAnswer> =>
    unlessRefused(accessNow, (access) => send(access, call, limits));

  return {
    exchange: (call) =>
      naming(call, place, async () => {
        // undici's own limits come first: only after them it makes sure that the connection still lives, and replaces
        // it. The signal bounds an answer that trickles.
        const limits = { bodyTimeout: timeoutMs, signal: AbortSignal.timeout(2 * timeoutMs), takesGzip: true };
        const { status, headers, body } = await sendTwice(call, limits);
        const text = await textOf(headers, Buffer.from(await body.arrayBuffer()));
        return { status, headers, body: bodyOf(headers, text) };
      }),
    open: (call, { quietMs, signal }) => naming(call, place, () => sendTwice(call, { bodyTimeout: quietMs, signal })),
    nowMs: clock.nowMs,
    close: () => ways.close(),
  };
};

interface Limits {
  readonly bodyTimeout: number;
  readonly signal: AbortSignal;
  readonly takesGzip?: boolean;
}

/** A credential plug-in may give a new certificate of the client at any time. */
const wayTo = (
  { ca, serverName, isVerified, proxy }: ClusterAccess,
  { certificate }: Credential,
  { timeoutSeconds, proxies }: TransportOptions,
): OutgoingWay => ({
  proxies: proxy === undefined ? proxies : onlyBy(proxy),
  timeoutMs: timeoutSeconds * 1000,
  tls: {
    rejectUnauthorized: isVerified,
    ...(ca !== undefined && { ca }),
    ...(serverName !== undefined && { servername: serverName }),
    ...certificate,
  },
});

const headersFor = (call: HttpCall, { token }: Credential, takesGzip: boolean): Record<string, string> => ({
  accept: 'application/json',
  ...(takesGzip && { 'accept-encoding': 'gzip' }),
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(call.body !== undefined && { 'content-type': call.contentType ?? 'application/json' }),
});

const headersOf = (headers: Dispatcher.ResponseData['headers']): ReadonlyMap<string, string> =>
  new Map(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, [value].flat().join(', ')]],
    ),
  );

const unzip = promisify(gunzip);

const textOf = async (headers: ReadonlyMap<string, string>, bytes: Buffer): Promise<string> =>
  (headers.get('content-encoding') === 'gzip' ? await unzip(bytes) : bytes).toString('utf8');

const bodyOf = (headers: ReadonlyMap<string, string>, text: string): unknown => {
  if (text === '') return undefined;
  return headers.get('content-type')?.startsWith('application/json') === true ? JSON.parse(text) : text;
};

/** Asks for the credential anew and sends again, once, after a 401. */
const unlessRefused = async (
  accessNow: () => ClusterAccess,
  send: (access: ClusterAccess) => Promise<OpenAnswer>,
): Promise<OpenAnswer> => {
  const access = accessNow();
  const first = await send(access);
  if (first.status !== 401) return first;
  await first.body.dump();
  access.credentials.forget();
  return send(accessNow());
};

interface ServerPlace {
  readonly accessNow: () => ClusterAccess;
  readonly timeoutSeconds: number;
}

/** Makes every error of an exchange one that names the call, except for what a credential lacks. */
const naming = async <T>(
  { method, path }: HttpCall,
  { accessNow, timeoutSeconds }: ServerPlace,
  act: () => Promise<T>,
): Promise<T> => {
  try {
    return await act();
  } catch (cause) {
    if (cause instanceof AccessFault) throw cause;
    throw new NoAnswer({ method, url: `${accessNow().server}${path}` }, reasonOf(cause, timeoutSeconds), { cause });
  }
};
