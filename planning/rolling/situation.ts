/** What a decision for one session starts from: its view, looked up and counted once. */
import { Budget } from '../limits/budget';
import type { SessionView } from '../decision';
import { type Outlook, outlookOn } from './emptying';
import type { Host } from '../fleet/fleet';
import { indexFleet } from '../fleet/fleet-index';
import { hostsOf } from '../fleet/host-work';

/** A host that could not be emptied so often will not be. */
export const usualReleases = 2;

export interface PlanningLimits {
  /** How often a host may be given back to break a deadlock before it counts as failed. */
  readonly releases: number;
  /** How many hosts may fail before the session does; left out: none. */
  readonly maxFailedHosts?: number;
}

export interface Situation extends Outlook {
  readonly view: SessionView;
  readonly nowMs: number;
  readonly limits: PlanningLimits;
  /** The session's hosts, by name. */
  readonly own: readonly Host[];
  readonly budget: Budget;
}

export interface SituationInput {
  readonly view: SessionView;
  readonly nowMs: number;
  readonly limits: PlanningLimits;
}

export function lookAt({ view, nowMs, limits }: SituationInput): Situation {
  const index = indexFleet(view.fleet);
  const own = hostsOf(index, view.sessionId);
  return { view, nowMs, limits, own, budget: new Budget(index, nowMs), ...outlookOn(index) };
}
