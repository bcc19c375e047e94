/** The failure of a request: a refusal of the API in its own words, or no answer. */
import type { ProblemBody } from './types';

export class Refusal extends Error {
  constructor(
    readonly problem: ProblemBody,
    /** Seconds after which the API wants to be asked again. */
    readonly retryAfter?: number,
  ) {
    super(problem.detail);
  }
}

/** No answer, or none within the time for it. The request may have been carried out. */
export class NoAnswer extends Error {}

const isProblem = (body: unknown): body is ProblemBody =>
  typeof body === 'object' && body !== null && 'detail' in body && 'code' in body && 'hint' in body;

const unknownProblem = (status: number): ProblemBody => ({
  type: 'about:blank',
  title: 'Error',
  status,
  code: 'UNKNOWN',
  detail: `the answer was ${status}, and not in the form of this API`,
  errors: [],
  hint: 'is a proxy between this page and the API?',
});

export const refusalIn = (status: number, body: unknown, retryAfter?: string | null): Refusal => {
  const seconds = Number(retryAfter ?? NaN);
  return new Refusal(isProblem(body) ? body : unknownProblem(status), Number.isNaN(seconds) ? undefined : seconds);
};

/** The token is not known any more, or there is none. */
export const isSignedOut = (error: unknown): boolean => error instanceof Refusal && error.problem.status === 401;

/** What the address names is not there, or it is no address. */
export const isWrongAddress = (error: unknown): boolean =>
  error instanceof Refusal && (error.problem.status === 404 || error.problem.code === 'MALFORMED_ID');

/** True for a passing failure: nobody answers, or the API has too much to do. */
export const isPassing = (error: unknown): boolean =>
  error instanceof NoAnswer ||
  (error instanceof Refusal && (error.problem.status === 429 || error.problem.status >= 500));
