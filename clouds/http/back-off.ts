/** Decides whether and when a call to a cloud's service is repeated. It does not wait. */
import type { HttpAnswer } from './exchange';

/** The maximum number of tries of one call. The caller may try again later. */
export const mostTries = 4;

const firstPauseMs = 250;
const longestPauseMs = 20_000;

/** Answers that mean "not now": the service has not refused the call itself. */
const passing = new Set([429, 500, 502, 503, 504]);

export const isPassing = (status: number): boolean => passing.has(status);

type ToldAnswer = Pick<HttpAnswer, 'status' | 'headers'>;

/**
 * An answer which says that the service did nothing with the call, so that any call may be repeated after it. OpenStack
 * has long said 413 with the time to wait where others say 429.
 */
export const wasNotTaken = ({ status, headers }: ToldAnswer): boolean =>
  status === 429 || (status === 413 && headers.has('retry-after'));

/**
 * Milliseconds until the next try: the time that the service asks for (Retry-After), or else doubled from try to try.
 */
export const pauseBeforeRetryMs = (triesDone: number, answer: HttpAnswer | undefined, nowMs: number): number => {
  const asked = retryAfterMs(answer?.headers.get('retry-after'), nowMs);
  return Math.min(longestPauseMs, asked ?? firstPauseMs * 2 ** (triesDone - 1));
};

const asksForPause: ReadonlySet<number> = new Set([413, 429, 503]);

/** Milliseconds for which the service asks not to be called again; undefined: it does not ask for that. */
export const askedPauseMs = ({ status, headers }: ToldAnswer, nowMs: number): number | undefined =>
  asksForPause.has(status) ? retryAfterMs(headers.get('retry-after'), nowMs) : undefined;

/** Reads seconds or a date (RFC 9110, Retry-After). */
const retryAfterMs = (text: string | undefined, nowMs: number): number | undefined => {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text.trim())) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
};
