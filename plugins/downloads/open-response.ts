/**
 * Requests a URL. This code follows redirects itself, and judges each in the same way as the first URL. It resolves a
 * name once, judges the addresses, and connects to exactly these, so a later change of the name's addresses has no
 * effect.
 */
import type { IncomingHttpHeaders } from 'node:http';
import type { LookupFunction } from 'node:net';
import type { Readable } from 'node:stream';
import { request } from 'undici';
import { openDispatcher } from '../../outgoing/open-dispatcher';
import { errorCode, errorMessage } from '../addresses/error-facts';
import { judgeLookup, type WayToOthers } from '../addresses/judged-lookup';
import { shownUrl } from '../addresses/shown-url';
import type { UrlPolicy } from '../addresses/url-policy';
import { DownloadRefused, SourceAway } from './download-refused';

export interface Source extends WayToOthers {
  readonly policy: UrlPolicy;
  /** A server that sends nothing for this long counts as down. Left out: 30 seconds. */
  readonly silenceMs?: number;
}

const mostRedirects = 5;
const usualSilenceMs = 30_000;

/** Its connection ends with its body. */
export interface OpenResponse {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
}

/**
 * @returns a response with status 200 whose body is unread
 * @throws DownloadRefused, or SourceAway when another attempt may help
 */
export const openResponse = async (source: Source, url: string, signal: AbortSignal): Promise<OpenResponse> => {
  let next = url;
  for (let redirects = 0; redirects <= mostRedirects; redirects += 1) {
    const response = await ask(source, next, signal);
    if (response.status === 200) return response;
    response.body.destroy();
    next = redirectOf(response, next);
  }
  throw new DownloadRefused(`${shownUrl(url)} is redirected more than ${mostRedirects} times`);
};

const ask = async (source: Source, text: string, signal: AbortSignal): Promise<OpenResponse> => {
  const judgement = source.policy(text);
  if (judgement.kind === 'refused') throw new DownloadRefused(`${shownUrl(text)} ${judgement.because}`);
  const judged = await judgeLookup(judgement, source);
  if (judged.kind === 'forbidden') throw new DownloadRefused(`${shownUrl(text)} ${judged.because}`);
  if (judged.kind === 'unresolved') {
    throw new SourceAway(`${shownUrl(judgement.url.href)}: ${judged.because}`, { cause: judged.cause });
  }
  return send(judgement.url, { source, lookup: judged.lookup, signal });
};

interface RequestOptions {
  readonly source: Source;
  readonly lookup: LookupFunction;
  readonly signal: AbortSignal;
}

const send = async (url: URL, { source, lookup, signal }: RequestOptions): Promise<OpenResponse> => {
  const silenceMs = silenceOf(source);
  const dispatcher = openDispatcher({
    proxies: source.proxies,
    ...{ timeoutMs: silenceMs, answerMs: silenceMs },
    ...{ lookup, allowsHttp2: false },
  });
  try {
    const answer = await request(url, {
      dispatcher,
      signal,
      headers: { 'user-agent': 'parley', 'accept-encoding': 'identity' },
      headersTimeout: silenceMs,
      bodyTimeout: silenceMs,
    });
    answer.body.on('error', () => undefined); // its reader learns of it, where there is one
    answer.body.once('close', () => void dispatcher.destroy());
    return { status: answer.statusCode, headers: answer.headers, body: answer.body };
  } catch (error) {
    void dispatcher.destroy();
    throw transferError(url.href, error, { source, signal });
  }
};

const silenceOf = ({ silenceMs = usualSilenceMs }: Source): number => silenceMs;

/** A server that cannot be trusted or understood now cannot be a moment later either. */
const isLasting = (error: unknown): boolean =>
  /CERT|SELF_SIGNED|UNABLE_TO_|^ERR_TLS|^ERR_SSL|^HPE_/.test(errorCode(error) ?? '');

interface Transfer {
  readonly source: Source;
  readonly signal: AbortSignal;
}

/** The failure of a transfer in words, and whether another attempt may help. */
export const transferError = (url: string, error: unknown, { source, signal }: Transfer): unknown => {
  if (error instanceof DownloadRefused || error instanceof SourceAway) return error;
  if (isTimeUp(signal)) return new SourceAway(`${shownUrl(url)} was not fetched within the time limit`);
  if (signal.aborted) return signal.reason;
  if (errorMessage(error) === 'bad upgrade') return new DownloadRefused(`${shownUrl(url)} is answered with status 101`);
  const Kind = isLasting(error) ? DownloadRefused : SourceAway;
  return new Kind(`${shownUrl(url)} cannot be fetched: ${inWords(error, source)}`, { cause: error });
};

const inWords = (error: unknown, source: Source): string => {
  const code = errorCode(error) ?? '';
  if (/^UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT$/.test(code)) return `it sent nothing for ${silenceOf(source) / 1000} s`;
  return code === 'UND_ERR_SOCKET' ? 'the connection broke off' : errorMessage(error);
};

/** The error of an AbortSignal.timeout, in contrast to a signal that somebody has aborted. */
const isTimeUp = ({ reason }: AbortSignal): boolean => Reflect.get(Object(reason), 'name') === 'TimeoutError';

const comesBack = (status: number): boolean => status >= 500 || [408, 425, 429].includes(status);

const redirectOf = ({ status, headers }: OpenResponse, url: string): string => {
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
