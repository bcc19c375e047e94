/** The answer of an activity that would begin something while its session may begin nothing: it did nothing. */
import type { SessionProgress } from '../../prisma/session/session-progress';
import { untilOpenMs } from '../../rules/steering/may-begin';

/**
 * The answer while nothing may begin. The caller tries again after the time: when the next maintenance window opens, or
 * after a while.
 */
export interface HeldBack {
  readonly tryAgainMs: number;
}

export const heldBack = (session: SessionProgress, now: Date): HeldBack => ({ tryAgainMs: untilOpenMs(session, now) });
