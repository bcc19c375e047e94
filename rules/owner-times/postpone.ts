/**
 * Decides until when the owners of instances may put work off: by the field `postpone` of a session, and not without
 * it. answered-times.ts says what follows from an answer with a time.
 */

/** Until that time (ISO 8601), or for so many seconds after a project was first asked in the session. */
export type Postpone = { readonly until: string } | { readonly seconds: number };

/** True for questions about impact: there is nothing to put off in others. */
export const canBePutOff = (state: string): boolean => state !== 'SCALE_IN' && state !== 'MAINTENANCE_COMPLETE';

/**
 * The latest time until which a project may put work off; undefined: it may not, or the time is not fixed yet.
 *
 * @param firstAskedAt the time at which the project was first asked in the session; undefined: it was not
 */
export const notBeforeLatest = (postpone: Postpone | null, firstAskedAt: Date | undefined): Date | undefined => {
  if (postpone === null) return undefined;
  if ('until' in postpone) return new Date(postpone.until);
  return firstAskedAt && new Date(firstAskedAt.getTime() + postpone.seconds * 1000);
};

/** The same for the answer to a question about the state. */
export const latestInAnswer = (postpone: Postpone | null, state: string, firstAskedAt: Date): Date | undefined =>
  canBePutOff(state) ? notBeforeLatest(postpone, firstAskedAt) : undefined;
