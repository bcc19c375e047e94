/**
 * How long the owners of instances may put work off in a session: its field `postpone`. Nobody may without it.
 * answered-times.ts says what follows from an answer with a time.
 */

/** Until that time (ISO 8601), or for so many seconds after a project was first asked in the session. */
export type Postpone = { readonly until: string } | { readonly seconds: number };

/** True for questions about impact: there is nothing to put off in others. */
export const canBePutOff = (state: string): boolean => state !== 'SCALE_IN' && state !== 'MAINTENANCE_COMPLETE';

/**
 * The latest time that an answer may name, in milliseconds.
 *
 * @param firstAskedMs the time at which the project was first asked in the session
 */
export const notBeforeLatestMs = (postpone: Postpone, firstAskedMs: number): number =>
  'until' in postpone ? Date.parse(postpone.until) : firstAskedMs + postpone.seconds * 1000;
