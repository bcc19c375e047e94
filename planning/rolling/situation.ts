/** The facts for a decision about one session: its view, indexed and counted once. */
import { Budget } from '../limits/budget';
import type { SessionView } from '../decision';
import { type Outlook, outlookOn } from './emptying';
import type { Host } from '../fleet/fleet';
import { indexFleet } from '../fleet/fleet-index';
import { hostsOf } from '../fleet/host-work';

/** After this many attempts a host that could not be drained counts as impossible to drain. */
export const usualReleases = 2;

export interface PlanningLimits {
  /** The number of times that a host may be given back to break a deadlock before it counts as failed. */
  readonly releases: number;
  /** The number of hosts that may fail before the session does; left out: none. */
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
