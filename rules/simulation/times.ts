/** The durations of future events: all knowledge of a run in virtual time beyond that of decisions. */
import type { Action, Host, Instance } from '../decisions/fleet/fleet';

/** All in milliseconds. */
export interface Times {
  /** The time from the beginning of a host's maintenance to its end. */
  readonly maintenanceMs: (host: Host) => number;
  readonly moveMs: (instance: Instance, action: Action) => number;
  /**
   * The time from a question about the instance to the answer of its manager, which has so long; null: it never comes.
   */
  readonly answerMs: (instance: Instance, windowSeconds: number) => number | null;
  /** False: instances that end by themselves do so at once. Left out: they are waited for as long as may be. */
  readonly waitsForEnds?: boolean;
}
