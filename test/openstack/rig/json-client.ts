/** Calls of the rig's own to OpenStack, as an administrator or a project would make them. */
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export interface JsonCall {
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface JsonAnswer {
  readonly headers: Headers;
  // The caller says what the answer contains: these are tests.
  readonly body: unknown;
}

export class WrongAnswer extends Error {
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

/** @throws WrongAnswer with the service's words where it answers anything but a success */
export const callJson = async (
  url: string,
  { method = 'GET', headers = {}, body }: JsonCall = {},
): Promise<JsonAnswer> => {
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new WrongAnswer(`${method} ${url} was answered ${response.status}: ${text}`, response.status);
  return { headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
};
