/**
 * The measurements that activities make. Workflow code never calls these: only activities and the worker
 * around them do.
 */

/** Follows one decision about a session through its transaction. */
export interface AdmissionWatch {
  /** It is the session's turn to decide. */
  begun(): void;
  decided(): void;
  /** Writers of constraints wait from now on. */
  locked(): void;
  /** The transaction is over, and the lock with it. */
  ended(): void;
}

/** Something of which a process does a bounded number at a time. */
export interface Bounded {
  /** The task queue, or `transactions`. */
  readonly kind: string;
  readonly places: number;
  readonly taken: () => number;
  /** What waits in this process. What waits in Temporal is not known here. */
  readonly waiting?: () => number;
}

export interface Measures {
  /** Shows from now on how many of its places are taken. */
  watchPlaces(bounded: Bounded): void;
  /** @param waitedMs how long the decision has waited for its turn already, in milliseconds */
  watchAdmission(waitedMs: number): AdmissionWatch;
  /** @param isRetried whether Temporal runs the activity again */
  activityFailed(activity: string, isRetried: boolean): void;
  /**
   * @param sink the way by which the events went, such as `kafka`
   * @param result too_large: the sink never takes the event, and the ones behind it go on
   */
  delivered(sink: string, result: 'ok' | 'failed' | 'too_large', events: number): void;
  /** Counts an attempt, or an event that was given up. */
  webhookDelivered(result: WebhookResult): void;
  cloudCalled(operation: string, result: CallResult, seconds: number): void;
  /** An action on an instance is over, or will not begin. */
  moveEnded(action: string, outcome: string): void;
}

export type WebhookResult = 'ok' | 'failed' | 'given_up';

export type CallResult = 'ok' | 'refused' | 'failed';

const nothing = (): void => undefined;

/** Measures nothing, in processes that nobody scrapes and in tests. */
export const noMeasures: Measures = {
  watchPlaces: nothing,
  watchAdmission: () => ({ begun: nothing, decided: nothing, locked: nothing, ended: nothing }),
  activityFailed: nothing,
  delivered: nothing,
  webhookDelivered: nothing,
  cloudCalled: nothing,
  moveEnded: nothing,
};
