/** What a decision of the workflow `vnf` starts from. */
import { type Action, type Host, type HostPhase, type SessionState, phasesDone } from '../fleet/fleet';
import { hostsOf } from '../fleet/host-work';
import type { SessionView } from '../decision';
import { LiveFleet } from './live-fleet';
import { Budget } from '../limits/budget';
import { withDefaultImpact } from '../limits/default-impact';
import { type Occupancy, occupancyWhenSettled } from '../fleet/occupancy';
import { targetsOf } from '../limits/placement';
import { settleReserved } from '../limits/reservations';
import type { PlanningLimits, Situation } from '../rolling/situation';

export interface VnfLimits extends PlanningLimits {
  /** Share of a group whose members may be impacted at once where nobody stored constraints; at least one may. */
  readonly defaultImpactShare: number;
  /** Hosts of the session under work at once, controllers included; undefined: as many as is safe. */
  readonly maxParallelHosts?: number;
}

export interface VnfFacts {
  readonly sessionId: string;
  readonly state: SessionState;
  /** Groups with the default impact, as `withDefaultImpact` gives it. */
  readonly live: LiveFleet;
  readonly nowMs: number;
  readonly limits: VnfLimits;
  /** As the last decision that had one gave it; undefined: none had yet. See Decision. */
  readonly openingOrder?: readonly string[] | undefined;
}

/** The same of a snapshot, looked up anew. */
export function factsOf(view: SessionView, nowMs: number, limits: VnfLimits): VnfFacts {
  const { sessionId, state, openingOrder } = view;
  const live = new LiveFleet(withDefaultImpact(view.fleet, limits.defaultImpactShare), nowMs);
  return { sessionId, state, live, nowMs, limits, openingOrder };
}

/** The session's hosts in the phase, by name. */
export function ownInPhase({ live, sessionId }: VnfFacts, phase: HostPhase): readonly Host[] {
  return live.inPhase(sessionId, phase);
}

/** Those that are being emptied or maintained, and will be back. */
export function ownReturning(facts: VnfFacts): readonly Host[] {
  return [...ownInPhase(facts, 'emptying'), ...ownInPhase(facts, 'maintaining')];
}

/** How many of the session's hosts are under work, controllers included. */
export function countUnderWork({ live, sessionId }: VnfFacts): number {
  return live.countOutside(sessionId, 'waiting', 'failed', ...phasesDone);
}

/** How many more of them may be. */
export function slotsLeft(facts: VnfFacts): number {
  return (facts.limits.maxParallelHosts ?? Infinity) - countUnderWork(facts);
}

/**
 * The facts as the rules that all workflows share take them; costs a look at every instance.
 *
 * @param ready where projects are asked about whole hosts: see `SessionView`
 */
export function situationOf(facts: VnfFacts, ready: ReadonlyMap<string, Action> = new Map()): Situation {
  const { live, nowMs, limits, sessionId, state } = facts;
  const now = live.occupancy;
  let settled: Occupancy | undefined;
  return {
    view: { sessionId, state, fleet: live.fleet, ready },
    nowMs,
    limits,
    own: hostsOf(live, sessionId),
    budget: new Budget(live, nowMs),
    index: live,
    now,
    targets: targetsOf(live, now),
    // Only a session that stands still is asked about it.
    get settled() {
      settled ??= settledOf(live);
      return settled;
    },
    reserved: live.reservedTarget,
  };
}

function settledOf(live: LiveFleet): Occupancy {
  const settled = occupancyWhenSettled(live);
  settleReserved(live, settled, live.reservedTarget);
  return settled;
}
