/**
 * Sends one delivery. The address is judged anew in each attempt, and the connection goes to exactly the addresses that
 * were judged. Redirects are not followed, and nothing of the answer but its status is kept: an answer that is shown
 * would let whoever chose the address read what the service can reach.
 */
import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { errorMessage } from '../../plugins/addresses/error-facts';
import { judgeLookup } from '../../plugins/addresses/judged-lookup';
import type { ResolveHost } from '../../plugins/addresses/resolve-host';
import type { UrlPolicy } from '../../plugins/addresses/url-policy';
import { withinLimit } from '../time-limit';
import { parseRetryAfter, type ReceiverAnswer } from './next-attempt';

export interface Receivers {
  readonly policy: UrlPolicy;
  readonly resolveHost: ResolveHost;
  /** Limit for one attempt as a whole, whatever the receiver sends meanwhile. Left out: 20 seconds. */
  readonly attemptMs?: number;
}

const usualAttemptMs = 20_000;

export interface Post {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Aborted when the worker stops: the attempt is repeated by another. */
  readonly signal: AbortSignal;
}

/** @throws the reason of the signal, when it is aborted */
export const post = async (receivers: Receivers, given: Post): Promise<ReceiverAnswer> => {
  const { attemptMs = usualAttemptMs } = receivers;
  const overMs = performance.now() + attemptMs;
  const judgement = receivers.policy(given.url);
  if (judgement.kind === 'refused') return { kind: 'forbidden', because: `the address ${judgement.because}` };
  const judged = await judgeInTime(judgement, { ...receivers, attemptMs });
  given.signal.throwIfAborted();
  if (judged.kind === 'forbidden') return { kind: 'forbidden', because: `the address ${judged.because}` };
  if (judged.kind === 'unresolved') return { kind: 'none', because: judged.because };
  const leftMs = Math.max(1, Math.ceil(overMs - performance.now()));
  return send(judgement.url, { ...given, lookup: judged.lookup, leftMs, attemptMs });
};

const judgeInTime = async (
  judgement: Parameters<typeof judgeLookup>[0],
  { resolveHost, attemptMs }: Required<Receivers>,
): ReturnType<typeof judgeLookup> => {
  const { host } = judgement.url;
  try {
    return await withinLimit(attemptMs, `resolving ${host}`, judgeLookup(judgement, resolveHost));
  } catch {
    return { kind: 'unresolved', because: `the name of ${host} was not resolved within ${attemptMs / 1000} s` };
  }
};

interface AttemptToPost extends Post {
  readonly lookup: LookupFunction;
  readonly leftMs: number;
  readonly attemptMs: number;
}

const send = (url: URL, { headers, body, signal, lookup, leftMs, attemptMs }: AttemptToPost): Promise<ReceiverAnswer> =>
  new Promise((resolve, reject) => {
    const timeLimit = AbortSignal.timeout(leftMs);
    const fail = (error: unknown): void => {
      if (signal.aborted) reject(asError(signal.reason));
      else resolve({ kind: 'none', because: whyNone(error, timeLimit, attemptMs) });
    };
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: 'POST',
      agent: false,
      lookup,
      signal: AbortSignal.any([signal, timeLimit]),
      headers: { ...headers, 'user-agent': 'parley', 'content-length': Buffer.byteLength(body) },
      rejectUnauthorized: true,
    });
    const answer = (response: IncomingMessage): void => {
      const retryAfterMs = parseRetryAfter(response.headers['retry-after'], Date.now());
      resolve({
        kind: 'status',
        status: response.statusCode ?? 0,
        ...(retryAfterMs !== undefined && { retryAfterMs }),
      });
      response.destroy();
    };
    request.on('response', answer);
    request.on('upgrade', (response, socket) => {
      socket.destroy();
      answer(response);
    });
    // An error after the answer has no effect: this promise is settled by then.
    request.on('error', fail);
    request.on('close', () => fail(new Error('the receiver closed the connection without an answer')));
    request.end(body);
  });

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

const whyNone = (error: unknown, timeLimit: AbortSignal, attemptMs: number): string =>
  timeLimit.aborted ? `the receiver did not answer within ${attemptMs / 1000} s` : errorMessage(error);
