/** The answer of an activity that would begin something while its session may begin nothing: it did nothing. */
import { untilOpenMs } from '../../prisma/session/may-begin';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { type Paused, paused } from './run-in-force';

/**
 * The answer while nothing may begin. The caller tries again after the time: when the next maintenance window opens, or
 * after a while.
 */
export interface HeldBack {
  readonly tryAgainMs: number;
}

/** The input of an activity that may be held back. */
export interface BeginsInWindow {
  /** True: the workflow understands `HeldBack`. Workflow code from before left it out, and is told `paused`. */
  readonly knowsHeldBack?: boolean | undefined;
}

export const heldBack = (session: SessionProgress, now: Date, { knowsHeldBack }: BeginsInWindow): Paused | HeldBack =>
  knowsHeldBack === true ? { tryAgainMs: untilOpenMs(session, now) } : paused;
