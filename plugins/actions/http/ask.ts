/**
 * Sends a request of the action plug-in `http`. The address is judged anew each time, and the connection goes to
 * exactly the addresses that were judged. Redirects are not followed: a secret would go along.
 */
import { request } from 'undici';
import { openDispatcher } from '../../../outgoing/open-dispatcher';
import type { AllowedSource } from '../../addresses/allowed-source';
import { errorMessage } from '../../addresses/error-facts';
import { isGuardedAddress } from '../../addresses/guarded-addresses';
import { judgeLookup, type WayToOthers } from '../../addresses/judged-lookup';
import { shownUrl } from '../../addresses/shown-url';
import { createUrlPolicy, type UrlPolicy } from '../../addresses/url-policy';
import type { Values } from './fill';
import type { JobAnswer } from './read-answer';
import { fillHeaders, type HttpSecrets } from './secrets';

export interface OtherSystems extends WayToOthers {
  readonly policy: UrlPolicy;
  readonly secrets: () => HttpSecrets;
  /** Limit of one request as a whole. Left out: 30 seconds. */
  readonly requestMs?: number;
}

/** Private networks are not refused: such systems usually are there, and the setting says which they are. */
export const createHttpPolicy = (allowed: readonly AllowedSource[]): UrlPolicy =>
  createUrlPolicy(
    {
      setting: 'PARLEY_HTTP_ALLOW',
      lists: 'which addresses the action plug-in http may ask',
      refuses: 'loopback, link-local and metadata addresses',
      isGuarded: isGuardedAddress,
    },
    allowed,
  );

export interface HttpAsked {
  readonly method: string;
  readonly url: string;
  /** With placeholders, because secrets are filled in last. */
  readonly headers: Values;
  readonly values: Values;
  readonly body?: string;
  readonly contentType?: string;
  readonly signal: AbortSignal;
}

/** forbidden: it was not sent, and never will be. none: nobody knows whether it arrived. */
export type AskedSystem =
  | { readonly kind: 'answered'; readonly answer: JobAnswer }
  | { readonly kind: 'forbidden'; readonly because: string }
  | { readonly kind: 'none'; readonly because: string };

const usualRequestMs = 30_000;
const mostBytes = 4_000_000;

/** @throws the reason of the signal, when it is aborted */
export const ask = async (systems: OtherSystems, asked: HttpAsked): Promise<AskedSystem> => {
  const shown = shownUrl(asked.url);
  const judgement = systems.policy(asked.url);
  if (judgement.kind === 'refused') return { kind: 'forbidden', because: `${shown} ${judgement.because}` };
  const { url } = judgement;
  const secrets = secretsNow(systems);
  if ('because' in secrets) return { kind: 'none', because: secrets.because };
  const filled = fillHeaders(asked.headers, asked.values, { ...secrets, url });
  if ('because' in filled) return { kind: 'forbidden', because: filled.because };
  const judged = await judgeLookup(judgement, systems);
  if (judged.kind === 'forbidden') return { kind: 'forbidden', because: `${shown} ${judged.because}` };
  if (judged.kind === 'unresolved') return { kind: 'none', because: judged.because };
  const { requestMs = usualRequestMs } = systems;
  const timeLimit = AbortSignal.timeout(requestMs);
  const dispatcher = openDispatcher({
    ...{ proxies: systems.proxies, timeoutMs: requestMs, answerMs: requestMs },
    ...{ lookup: judged.lookup, allowsHttp2: false },
  });
  try {
    return { kind: 'answered', answer: await send(url, { ...asked, filled: filled.headers, dispatcher, timeLimit }) };
  } catch (error) {
    asked.signal.throwIfAborted();
    const because = timeLimit.aborted ? `did not answer within ${requestMs / 1000} s` : errorMessage(error);
    return { kind: 'none', because: `${shown}: ${because}` };
  } finally {
    void dispatcher.destroy();
  }
};

/** Whoever renews a secret may write a wrong file, and right it. */
const secretsNow = ({ secrets }: OtherSystems): { readonly secrets: HttpSecrets } | { readonly because: string } => {
  try {
    return { secrets: secrets() };
  } catch (error) {
    return { because: errorMessage(error) };
  }
};

interface Sending extends HttpAsked {
  readonly filled: Values;
  readonly dispatcher: ReturnType<typeof openDispatcher>;
  readonly timeLimit: AbortSignal;
}

const send = async (url: URL, sending: Sending): Promise<JobAnswer> => {
  const { method, body, contentType, signal, filled, dispatcher, timeLimit } = sending;
  const answer = await request(url, {
    method: method as 'GET',
    dispatcher,
    signal: AbortSignal.any([signal, timeLimit]),
    headersTimeout: 0, // the time limit bounds all of it
    headers: {
      ...{ 'user-agent': 'parley', accept: 'application/json' },
      ...(contentType !== undefined && { 'content-type': contentType }),
      ...filled,
    },
    ...(body !== undefined && { body }),
  });
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of answer.body as AsyncIterable<Buffer>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new Error(`its answer has more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  const headers = Object.entries(answer.headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name.toLowerCase(), [value].flat().join(', ')] as const],
  );
  return { status: answer.statusCode, headers: Object.fromEntries(headers), body: jsonOf(Buffer.concat(pieces)) };
};

const jsonOf = (bytes: Buffer): unknown => {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
};
