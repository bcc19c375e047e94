/**
 * Sends one delivery. The address is judged anew in each attempt, and the connection goes to exactly the addresses that
 * were judged. Redirects are not followed, and nothing of the answer but its status is kept: an answer that is shown
 * would let whoever chose the address read what the service can reach.
 */
import type { LookupFunction } from 'node:net';
import { request } from 'undici';
import { withinLimit } from '../../calls/time-limit';
import { openDispatcher } from '../../outgoing/open-dispatcher';
import type { ProxySettings } from '../../outgoing/proxies';
import { errorCode, errorMessage } from '../../plugins/addresses/error-facts';
import { judgeLookup, type WayToOthers } from '../../plugins/addresses/judged-lookup';
import type { UrlPolicy } from '../../plugins/addresses/url-policy';
import { parseRetryAfter, type ReceiverAnswer } from './next-attempt';

export interface Receivers extends WayToOthers {
  readonly policy: UrlPolicy;
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
  return send(judgement.url, { ...given, proxies: receivers.proxies, lookup: judged.lookup, leftMs, attemptMs });
};

const judgeInTime = async (
  judgement: Parameters<typeof judgeLookup>[0],
  receivers: Required<Receivers>,
): ReturnType<typeof judgeLookup> => {
  const { attemptMs } = receivers;
  const { host } = judgement.url;
  try {
    return await withinLimit(attemptMs, `resolving ${host}`, judgeLookup(judgement, receivers));
  } catch {
    return { kind: 'unresolved', because: `the name of ${host} was not resolved within ${attemptMs / 1000} s` };
  }
};

interface AttemptToPost extends Post {
  readonly proxies: ProxySettings;
  readonly lookup: LookupFunction;
  readonly leftMs: number;
  readonly attemptMs: number;
}

const send = async (url: URL, attempt: AttemptToPost): Promise<ReceiverAnswer> => {
  const { headers, body, signal, proxies, lookup, leftMs, attemptMs } = attempt;
  const timeLimit = AbortSignal.timeout(leftMs);
  const dispatcher = openDispatcher({ proxies, timeoutMs: leftMs, answerMs: leftMs, lookup, allowsHttp2: false });
  try {
    const answer = await request(url, {
      method: 'POST',
      dispatcher,
      signal: AbortSignal.any([signal, timeLimit]),
      headersTimeout: 0, // the time limit bounds all of it
      headers: { ...headers, 'user-agent': 'parley' },
      body,
    });
    answer.body.on('error', () => undefined).destroy();
    return answered(answer.statusCode, answer.headers['retry-after']);
  } catch (error) {
    if (signal.aborted) throw asError(signal.reason);
    return { kind: 'none', because: whyNone(error, { timeLimit, attemptMs }) };
  } finally {
    void dispatcher.destroy();
  }
};

const answered = (status: number, retryAfter: string | string[] | undefined): ReceiverAnswer => {
  const retryAfterMs = parseRetryAfter([retryAfter].flat()[0], Date.now());
  return { kind: 'status', status, ...(retryAfterMs !== undefined && { retryAfterMs }) };
};

const asError = (reason: unknown): Error => (reason instanceof Error ? reason : new Error(String(reason)));

interface AttemptLimit {
  readonly timeLimit: AbortSignal;
  readonly attemptMs: number;
}

const whyNone = (error: unknown, { timeLimit, attemptMs }: AttemptLimit): string =>
  timeLimit.aborted || errorCode(error) === 'UND_ERR_CONNECT_TIMEOUT'
    ? `the receiver did not answer within ${attemptMs / 1000} s`
    : errorMessage(error);
