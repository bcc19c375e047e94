/**
 * HTTP as the tests speak it. A server may close a kept-alive connection in the very moment in which a request goes out
 * on it, more often so on a busy machine: that says nothing about the service. What is safe to repeat is repeated; all
 * else goes over a connection of its own, which nobody closes for having been idle.
 */
import { Agent, request } from 'undici';

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Without pipelining undici keeps no connection alive. */
const ownConnections = new Agent({ pipelining: 0 });

const isSafe = ({ method }: HttpRequest): boolean => ['GET', 'HEAD', 'OPTIONS'].includes(method);

const closedEarly = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

const wasClosed = (error: unknown): boolean => closedEarly.has((error as { readonly code?: string }).code ?? '');

const send = async (given: HttpRequest): Promise<Answer> => {
  const { method, url, body, headers } = given;
  const response = await request(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    ...(isSafe(given) ? {} : { dispatcher: ownConnections }),
  });
  const text = await response.body.text();
  return { status: response.statusCode, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
};

const attempts = 5;

/** @throws Error when there is no answer; one that is no success is returned like any other */
export const callHttp = async (given: HttpRequest): Promise<Answer> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await send(given);
    } catch (error) {
      if (!isSafe(given) || !wasClosed(error) || attempt === attempts) throw error;
    }
  }
};

/** The body of an answer that has to be a success. @throws Error with the whole answer otherwise */
export const bodyOf = async (given: HttpRequest): Promise<unknown> => {
  const { status, body } = await callHttp(given);
  if (status === 200) return body;
  throw new Error(`${given.method} ${given.url} was answered ${status}: ${JSON.stringify(body)}`);
};
