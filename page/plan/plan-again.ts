/** When a plan is asked for again without a change of the form. */
import { isPassing, NoAnswer, Refusal } from '../client/problem';

/** The API plans only a few sessions at once. */
const againMs = 3_000;
/** The ends of a plan count down: an old plan tells of a session that begins in the past. */
const oldMs = 120_000;
/** A plan that took long rests this many times its length. */
const restFactor = 10;

/** @returns the milliseconds to wait; undefined: the same request would fail again, or would only take as long again */
export const againAfterFailure = (error: unknown): number | undefined => {
  if (!isPassing(error) || tookTooLong(error)) return undefined;
  return Math.max(againMs, error instanceof Refusal ? (error.retryAfter ?? 0) * 1_000 : 0);
};

/** True where the service gave up, or this page. */
const tookTooLong = (error: unknown): boolean =>
  error instanceof Refusal
    ? error.problem.code === 'PLAN_TOOK_TOO_LONG'
    : error instanceof NoAnswer && error.cause instanceof Error && error.cause.name === 'TimeoutError';

/** @returns the milliseconds after which a plan is old that took so long to make */
export const againAfterPlan = (tookMs: number): number => Math.max(oldMs, restFactor * tookMs);
