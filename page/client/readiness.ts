/** Asks the health check what the service lacks: an answer also says that the API goes on. */
import { NoAnswer } from './problem';
import type { Reach } from './reach';

/** The API gives its parts three seconds to answer. */
const answerMs = 4_500;

/** A proxy says by such a status that it does not reach the API, which itself always answers in JSON. */
export const isOfProxy = ({ status, headers }: Response): boolean =>
  status >= 502 && headers.get('content-type')?.includes('json') !== true;

/** A proxy may hide the address: then nothing is known to be missing. */
const problemsIn = (body: unknown): readonly string[] =>
  typeof body === 'object' && body !== null && 'problems' in body && Array.isArray(body.problems)
    ? body.problems.map(String)
    : [];

/** @returns what is missing for sessions to go on, one line each @throws NoAnswer */
export const readProblems = async (base: string, reach: Reach): Promise<readonly string[]> => {
  try {
    const signal = AbortSignal.timeout(answerMs);
    const response = await fetch(new URL('readyz', base), { cache: 'no-store', credentials: 'omit', signal });
    if (isOfProxy(response)) throw new TypeError('nobody is behind the proxy');
    const body: unknown = await response.json().catch(() => undefined);
    reach.found();
    return problemsIn(body);
  } catch (error) {
    reach.lost();
    throw new NoAnswer('the API does not answer', { cause: error });
  }
};
