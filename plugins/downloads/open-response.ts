/**
 * Requests a URL. This code follows redirects itself, and judges each in the same way as the first URL. It resolves a
 * name once, judges the addresses, and connects to exactly these, so a later change of the name's addresses has no
 * effect.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorCode, errorMessage } from '../addresses/error-facts';
import { judgeLookup } from '../addresses/judged-lookup';
import type { ResolveHost } from '../addresses/resolve-host';
import { shownUrl } from '../addresses/shown-url';
import type { UrlPolicy } from '../addresses/url-policy';
import { DownloadRefused, SourceAway } from './download-refused';

export interface Source {
  readonly policy: UrlPolicy;
  readonly resolveHost: ResolveHost;
  /** A server that sends nothing for this long counts as down. Left out: 30 seconds. */
  readonly silenceMs?: number;
}

const mostRedirects = 5;
const usualSilenceMs = 30_000;

/**
 * @returns a response with status 200 whose body is unread
 * @throws DownloadRefused, or SourceAway when another attempt may help
 */
export const openResponse = async (source: Source, url: string, signal: AbortSignal): Promise<IncomingMessage> => {
  let next = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await ask(source, next, signal);
    if (response.statusCode === 200) return response;
    response.destroy();
    next = redirectOf(response, next);
  }
  throw new DownloadRefused(`${shownUrl(url)} is redirected more than ${mostRedirects} times`);
};

const ask = async (source: Source, text: string, signal: AbortSignal): Promise<IncomingMessage> => {
  const { policy, resolveHost, silenceMs = usualSilenceMs } = source;
  const judgement = policy(text);
  if (judgement.kind === 'refused') throw new DownloadRefused(`${shownUrl(text)} ${judgement.because}`);
  const judged = await judgeLookup(judgement, resolveHost);
  if (judged.kind === 'forbidden') throw new DownloadRefused(`${shownUrl(text)} ${judged.because}`);
  if (judged.kind === 'unresolved') {
    throw new SourceAway(`${shownUrl(judgement.url.href)}: ${judged.because}`, { cause: judged.cause });
  }
  if (signal.aborted) throw transferError(judgement.url.href, signal.reason, signal);
  return send(judgement.url, { lookup: judged.lookup, silenceMs, signal });
};

interface RequestOptions {
  readonly lookup: LookupFunction;
  readonly silenceMs: number;
  readonly signal: AbortSignal;
}

const send = (url: URL, { lookup, silenceMs, signal }: RequestOptions): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const fail = (error: Error): void => {
      const broken = transferError(url.href, error, signal);
      reject(broken instanceof Error ? broken : error);
    };
    const request = (url.protocol === 'https:' ? https : http).get(url, {
      agent: false,
      lookup,
      signal,
      headers: { 'user-agent': 'parley', 'accept-encoding': 'identity' },
      timeout: silenceMs,
      rejectUnauthorized: true,
    });
    let response: IncomingMessage | undefined;
    // Destroys the response with the reason: its reader learns the reason only from there.
    request.on('timeout', () => (response ?? request).destroy(new Error(`it sent nothing for ${silenceMs / 1000} s`)));
    request.on('response', (answer) => {
      response = answer;
      resolve(answer);
    });
    request.on('upgrade', ({ statusCode = 0 }, socket) => {
      socket.destroy();
      reject(new DownloadRefused(`${shownUrl(url.href)} is answered with status ${statusCode}`));
    });
    // An error after the response reaches its reader as well. This promise is settled by then.
    request.on('error', fail);
    request.on('close', () => fail(new Error('it closed the connection without an answer')));
  });

/** A server that cannot be trusted or understood now cannot be a moment later either. */
const isLasting = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^HPE_/.test(errorCode(error) ?? '');

/** The failure of a transfer in words, and whether another attempt may help. */
export const transferError = (url: string, error: unknown, signal: AbortSignal): unknown => {
  if (error instanceof DownloadRefused || error instanceof SourceAway) return error;
  if (isTimeUp(signal)) return new SourceAway(`${shownUrl(url)} was not fetched within the time limit`);
  if (signal.aborted) return signal.reason;
  const Kind = isLasting(error) ? DownloadRefused : SourceAway;
  return new Kind(`${shownUrl(url)} cannot be fetched: ${inWords(error)}`, { cause: error });
};

/** Node.js only says "aborted" when a connection ends within a body. */
const inWords = (error: unknown): string =>
  errorMessage(error) === 'aborted' ? 'the connection broke off' : errorMessage(error);

/** The error of an AbortSignal.timeout, in contrast to a signal that somebody has aborted. */
const isTimeUp = ({ reason }: AbortSignal): boolean => Reflect.get(Object(reason), 'name') === 'TimeoutError';

const comesBack = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

const redirectOf = ({ statusCode: status = 0, headers }: IncomingMessage, url: string): string => {
  const { location } = headers;
  if ([301, 302, 303, 307, 308].includes(status) && location !== undefined) return absolute(location, url);
  const Kind = comesBack(status) ? SourceAway : DownloadRefused;
  throw new Kind(`${shownUrl(url)} is answered with status ${status}`);
};

const absolute = (location: string, base: string): string => {
  // Keeps an address that cannot be joined, so that the policy reports its fault.
  if (/[\s\\\p{Cc}]/u.test(location) || !URL.canParse(location, base)) return location;
  return new URL(location, base).href;
};
