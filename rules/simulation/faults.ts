/**
 * Faults of virtual time. A plan supposes that there are none; tests put them in. The service meets the same faults in
 * the cloud and in the answers of projects.
 */
import type { Claim, Instance } from '../decisions/fleet/fleet';
import type { RefusalLimits } from '../questions/after-refusal';

/**
 * done: the instance is on its target. forced: the action is given up, and the cloud's own move takes its place.
 * expired: the project did not carry out its own action. failed: the instance could not be moved.
 */
export type MoveOutcome = 'done' | 'forced' | 'expired' | 'failed';

/** A step of the service that takes no time in a plan. */
export type QuickStep = 'disable' | 'ask' | 'announce' | 'release';

export interface Faults extends RefusalLimits {
  /** The time that the step takes. */
  readonly lagMs: (step: QuickStep) => number;
  /** True when the project of these instances, which answers in time, refuses. */
  readonly isRefused: (instances: readonly Instance[]) => boolean;
  /** The last look before an action begins. False: it does not begin, and decisions are taken anew. */
  readonly mayBegin: (claim: Claim) => boolean;
  /** Asked when the action begins, which takes this long. */
  readonly outcomeOf: (claim: Claim, moveMs: number) => MoveOutcome;
  /** Asked at the end of the maintenance of the host. True: its plug-in has failed, and nobody knows its state. */
  readonly failsMaintenance: (hostname: string) => boolean;
  /** Projects are asked for capacity. True when some have freed any, so that the session looks at the fleet anew. */
  readonly freesCapacity: (sessionId: string) => boolean;
}

export const noFaults: Faults = {
  nackRetrySeconds: 0,
  nackRetries: 0,
  lagMs: () => 0,
  isRefused: () => false,
  mayBegin: () => true,
  outcomeOf: () => 'done',
  failsMaintenance: () => false,
  freesCapacity: () => false,
};
