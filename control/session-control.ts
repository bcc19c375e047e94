/**
 * Starting, waking, resetting and ending workflows from outside, through Temporal's client: for api and activities.
 * Every call may be repeated, and gives up after some seconds; none of them decides anything, the facts are in
 * PostgreSQL. A signal that Temporal does not take at once is tried on beside the caller's work.
 */
import type { SessionRequest } from '../planning/questions/session-request';

/**
 * - takenUp: the session's workflow acts on it.
 * - refused: the workflow comes to its end; the row will say so in a moment.
 * - unanswered: no worker, no workflow or no Temporal just now. The row has the fact: it holds all the same.
 */
export type RequestAnswer =
  { readonly kind: 'takenUp' | 'unanswered' } | { readonly kind: 'refused'; readonly because: string };

export interface SessionControl {
  /** Starts the session's workflow; running already is fine. */
  start(sessionId: string): Promise<void>;
  /** Wakes the session's workflow, if it runs. Never throws: a lost wake-up costs time, nothing else. */
  wakeSession(sessionId: string): Promise<void>;
  /** Wakes the workflow of a host under work, if it runs. Never throws. */
  wakeHost(sessionId: string, hostname: string): Promise<void>;
  /** Has the session's workflow act on a request that its row has. Never throws, and waits for some seconds at most. */
  request(sessionId: string, request: SessionRequest): Promise<RequestAnswer>;
  /**
   * Tells the session's workflow to look whether its row asks for an abort or a deletion. Never throws: the sweeper
   * sees to what is not taken up.
   */
  abort(sessionId: string): Promise<void>;
  /** Starts the workflow of a host under work; running already is fine. */
  startHost(sessionId: string, hostname: string): Promise<void>;
  /** Starts the workflow that cleans up after a failed or dead session; running already is fine. */
  startCleanup(sessionId: string): Promise<void>;
  /**
   * Carries out the resume that the session's row asks for: resets the workflow to the entry point of `resumeState`,
   * with `resumeRequestId` as the request's identity, so that repeating it resets once; where the history is gone,
   * starts a new run at that state.
   */
  resume(sessionId: string): Promise<void>;
}
