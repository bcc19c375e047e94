/** One HTTP call to Keystone. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { KeystoneAway } from './keystone-errors';

export interface KeystoneRequest {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object;
}

export interface KeystoneReply {
  readonly status: number;
  readonly headers: Headers;
  /** undefined where it is not JSON. */
  readonly body: unknown;
}

/** Somebody waits for the answer, so it is not waited for long. */
const answerMs = 5_000;

const send = async ({ method, url, headers, body }: KeystoneRequest): Promise<KeystoneReply> => {
  const response = await fetch(url, {
    method,
    headers: { ...headers, accept: 'application/json', ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
    redirect: 'manual', // a token must not follow to another address
    signal: AbortSignal.timeout(answerMs),
  });
  return { status: response.status, headers: response.headers, body: parseJson(await response.text()) };
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/**
 * Asks twice: a connection kept from earlier may have been closed by the other side meanwhile.
 * @throws KeystoneAway where nothing answers, or a server error does
 */
export const askKeystone = async (request: KeystoneRequest): Promise<KeystoneReply> => {
  const reply = await send(request)
    .catch(() => send(request))
    .catch((cause: unknown) => {
      throw new KeystoneAway(`Keystone does not answer at ${request.url}`, { cause });
    });
  if (reply.status < 500 && reply.status !== 429) return reply;
  throw new KeystoneAway(`Keystone answers ${reply.status} at ${request.url}: ${keystoneMessage(reply)}`);
};

const ErrorBody = Type.Object({ error: Type.Object({ message: Type.String() }) });

/** Keystone's own words for a refusal. */
export const keystoneMessage = ({ body }: KeystoneReply): string =>
  Value.Check(ErrorBody, body) ? body.error.message : 'no reason given';
