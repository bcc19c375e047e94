/**
 * Starts, wakes, resets and ends workflows from outside, through Temporal's client, for api and activities. Every call
 * may be repeated, and gives up after some seconds. No call decides anything: the facts are in PostgreSQL. When
 * Temporal does not take a signal at once, the call returns, and the signal is retried in the background.
 */
import type { SessionRequest } from '../rules/requests/session-request';

/**
 * - takenUp: the session's workflow acts on the request.
 * - refused: the workflow is ending, and the row will soon say so.
 * - unanswered: no worker, no workflow or no Temporal at present. The row has the fact, so the request still holds.
 */
export type RequestAnswer =
  { readonly kind: 'takenUp' | 'unanswered' } | { readonly kind: 'refused'; readonly because: string };

export interface WorkflowCalls {
  /** Starts the session's workflow. Succeeds when it is running already. */
  start(sessionId: string): Promise<void>;
  /** Wakes the session's workflow, if it runs. Never throws: a lost wake-up costs time and nothing else. */
  wakeSession(sessionId: string): Promise<void>;
  /** Wakes the workflow of a host under work, if it runs. Never throws. */
  wakeHost(sessionId: string, hostname: string): Promise<void>;
  /** Makes the session's workflow act on a request in its row. Never throws, and waits for some seconds at most. */
  request(sessionId: string, request: SessionRequest): Promise<RequestAnswer>;
  /**
   * Tells the session's workflow to check its row for an abort or a deletion. Never throws: the sweeper repeats a
   * request that the workflow missed.
   */
  abort(sessionId: string): Promise<void>;
  /** Starts the workflow of a host under work. Succeeds when it is running already. */
  startHost(sessionId: string, hostname: string): Promise<void>;
  /** Starts the workflow that cleans up after a failed or dead session. Succeeds when it is running already. */
  startCleanup(sessionId: string): Promise<void>;
  /**
   * Lets a failed session continue as its row asks for: resets the workflow to the entry point of `continueState`.
   * The request's identity is `continueRequestId`, so repeated calls reset once. When the history no longer exists,
   * starts a new run at that state.
   */
  continueFailed(sessionId: string): Promise<void>;
  /**
   * Wakes the workflow that delivers the session's events to the webhook, or starts it. Never throws: the sweeper sees
   * to deliveries that nobody makes.
   */
  deliverEvents(lane: { readonly webhookId: string; readonly sessionId: string }): Promise<void>;
}
