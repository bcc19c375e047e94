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

/** The time from which the project may be asked again. */
export const askedAgainAtMs = (
  refusedAtMs: number,
  { nackRetrySeconds }: Pick<RefusalLimits, 'nackRetrySeconds'>,
): number => refusedAtMs + nackRetrySeconds * 1000;
