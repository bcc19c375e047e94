/**
 * Decides what follows a NACK: the project is asked again after a pause, until it has refused too often. Then:
 * reply-policy.ts.
 */

export interface RefusalLimits {
  readonly nackRetrySeconds: number;
  /** The number of times that a project that refuses is asked again. */
  readonly nackRetries: number;
}

/** Then the session fails, or what reply-policy.ts says follows. */
export const isRefusedTooOften = (refusals: number, { nackRetries }: Pick<RefusalLimits, 'nackRetries'>): boolean =>
  refusals > nackRetries;

/** A refusal, the last one of so many. */
export interface RefusedQuestion {
  readonly refusedAtMs: number;
  readonly refusals: number;
  /** The time until which the project may put the work off (`postpone`); left out: it may not. */
  readonly latestMs?: number | undefined;
}

/**
 * The time from which the project may be asked again. Where it may put work off, the questions that are left are spread
 * over the time until the latest one.
 */
export const askedAgainAtMs = (
  { refusedAtMs, refusals, latestMs = refusedAtMs }: RefusedQuestion,
  { nackRetrySeconds, nackRetries }: RefusalLimits,
): number => {
  const questionsLeft = Math.max(1, nackRetries - refusals + 1);
  return refusedAtMs + Math.max(nackRetrySeconds * 1000, (latestMs - refusedAtMs) / questionsLeft);
};
