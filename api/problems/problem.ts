/** The one shape of every error reply: RFC 9457 problem details, with a stable code and a hint that says what to do. */
import type { Static } from '@sinclair/typebox';
import type { FieldErrorSchema, ProblemSchema } from '../schemas/problem-schemas';

export type FieldError = Static<typeof FieldErrorSchema>;
export type Problem = Static<typeof ProblemSchema>;

export interface ProblemInput {
  /** HTTP status, one that the specification lists for the endpoint, or 401, 403, 405, 429 or 503. */
  readonly status: number;
  /** Stable, for programs. */
  readonly code: string;
  readonly detail: string;
  readonly errors?: readonly FieldError[];
  readonly hint: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An expected refusal; problem-catalogue.ts and away-problems.ts have them all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  /** @param options `cause`: for the log alone */
  constructor(
    readonly problem: ProblemInput,
    options?: ErrorOptions,
  ) {
    super(problem.detail, options);
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Invalid request',
  401: 'Not authenticated',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  422: 'Not in line with the resource',
  429: 'Too many requests',
  500: 'Internal error',
  503: 'Not ready',
  509: 'Too many parallel sessions',
};

/** A reply is for people, and a list of ten thousand wrong hosts helps nobody. */
const errorsShown = 50;

const countOf = (errors: readonly FieldError[]): string =>
  errors.length > errorsShown ? `; errors has the first ${errorsShown} of ${errors.length}` : '';

export const toProblem = ({ status, code, detail, errors = [], hint }: ProblemInput): Problem => ({
  type: `urn:parley:problem:${code.toLowerCase().replaceAll('_', '-')}`,
  title: titles[status] ?? 'Error',
  status,
  code,
  detail: detail + countOf(errors),
  errors: errors.slice(0, errorsShown),
  hint,
});
