/** The facts that a decision for one session starts from, whatever its workflow. */
import type { SessionView } from '../decision';
import { type Host, type HostPhase, hostPhases } from '../fleet/fleet';
import { isDone } from '../fleet/host-work';
import { asOwned, type OwnedHost } from '../fleet/set-aside-or-fail';
import { limitsOf } from '../limits/limits-of-instance';
import type { FleetModel } from '../model/fleet-model';
import { isEmpty, isVacated } from '../model/host-content';
import type { RollingChoices } from './built-in-workflow';
import type { DomainLimits } from './fault-domains';

export interface DecisionLimits {
  /** The number of hosts that may fail before the session does; left out: none. */
  readonly maxFailedHosts?: number;
}

export interface VnfLimits extends DecisionLimits, RollingChoices {
  /** Share of a group whose members may be impacted at once where nobody stored constraints; at least one may. */
  readonly defaultImpactShare: number;
  /** Hosts of the session under work at once, controllers included; undefined: as many as is safe. */
  readonly maxParallelHosts?: number;
  /** Left out: it has none. */
  readonly domains?: DomainLimits;
}

export interface SessionFacts extends Omit<SessionView, 'fleet' | 'drainOrder'> {
  readonly model: FleetModel;
  readonly nowMs: number;
  readonly limits: DecisionLimits;
}

export interface VnfFacts extends SessionFacts, Pick<SessionView, 'drainOrder'> {
  readonly limits: VnfLimits;
}

/** The session's hosts in one of the phases, or in any where none is named; by name. */
export const ownHosts = ({ model, sessionId }: SessionFacts, ...phases: readonly HostPhase[]): readonly Host[] =>
  model.hostsOf(sessionId, ...phases);

export const ownUnderWork = (facts: SessionFacts): readonly Host[] =>
  ownHosts(facts, 'emptying', 'maintaining', 'releasing');

/** Those of the session's hosts whose failure may count. */
export const hostsThatMayHaveFailed = (facts: Pick<SessionFacts, 'model' | 'sessionId'>): readonly OwnedHost[] =>
  asOwned(facts.model.failedHostsOf(facts.sessionId));

/** Hosts that are drained, disabled and empty. */
export const readyToBegin = (facts: SessionFacts): readonly Host[] =>
  ownHosts(facts, 'emptying').filter((host) => host.work?.disabled === true && isVacated(facts.model, host));

/** True when a host is under work and empty, and its maintenance is not announced yet. */
export const isAnyToBeAnnounced = (facts: SessionFacts): boolean =>
  ownHosts(facts, 'emptying').some((host) => isEmpty(facts.model, host)) ||
  ownHosts(facts, 'maintaining').some(({ work }) => work?.announced !== true);

/** True when nothing more is done on any of the session's hosts. */
export const isAllDone = (facts: SessionFacts): boolean =>
  hostPhases.every((phase) => isDone({ phase }) || ownHosts(facts, phase).length === 0);

/** The number of further hosts of the session that may be under work. */
export const slotsLeft = (facts: VnfFacts): number =>
  (facts.limits.maxParallelHosts ?? Infinity) - ownUnderWork(facts).length;

/**
 * True when a member is away of a group that has others on the session's hosts under work, and is soon back. Of members
 * that should be back by now nobody knows it.
 */
export const isAnyMemberAway = (facts: SessionFacts): boolean => {
  const { model } = facts;
  return ownHosts(facts, 'emptying').some(({ name }) =>
    model
      .instancesOn(name)
      .some((instance) =>
        limitsOf(model, instance).some(({ membersAway = 0, overdue }) => membersAway > (overdue?.count ?? 0)),
      ),
  );
};
