/**
 * The rolling states of the workflow `vnf`: as many hosts at once as capacity and constraints allow, each maintained as
 * soon as it is empty, controllers one at a time beside them. Every instance has its own question, and an admission is
 * leave to ask it, or to move the instance at once where nothing is asked.
 */
import { endDeadlock } from '../both-workflows/deadlock';
import {
  hostsThatMayHaveFailed,
  isAllDone,
  isAnyMemberAway,
  isAnyToBeAnnounced,
  ownHosts,
  ownUnderWork,
  readyToBegin,
  type VnfFacts,
} from '../both-workflows/session-facts';
import { type Decision, goTo, namesOf, nothingDecided } from '../decision';
import { noTarget } from '../fleet/double-allocation';
import type { Claim, Host, SessionState } from '../fleet/fleet';
import { failureOfHosts } from '../fleet/set-aside-or-fail';
import { isEmpty } from '../model/host-content';
import { whenIdle } from '../scale-in/when-to-scale-in';
import { admitVnf } from './admit-vnf';
import { hostsFreeToStart, startDraining } from './start-draining';
import { leaveWithoutPlaces, startWithoutPlaces } from './without-places';

/**
 * One step of the session now, from what is known alone: asked again on the same facts, it says the same. It leaves out
 * the reasons for those that wait, so that it is quick enough for every event of a large fleet.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export const decideVnf = (facts: VnfFacts): Decision => {
  const failure = failureOfHosts(hostsThatMayHaveFailed(facts), facts.limits.maxFailedHosts);
  if (failure !== undefined) return { ...nothingDecided, failure };
  const decide = rollingStates[facts.state];
  if (!decide) throw new RangeError(`state ${facts.state} is not one in which hosts are worked on`);
  return decide(facts);
};

/** Drains a first set of hosts, until one of them can begin. */
const prepareMaintenance = (facts: VnfFacts): Decision => {
  const isBegun = ownHosts(facts, 'maintaining').length > 0 || readyToBegin(facts).length > 0;
  return isBegun || isAllDone(facts) ? goTo('START_MAINTENANCE') : rollOn(facts, []);
};

/** Begins empty hosts, untouched ones too, and goes on draining beside it; ends when all of these are announced. */
const startMaintenance = (facts: VnfFacts): Decision => {
  if (isAllDone(facts)) return goTo('MAINTENANCE_COMPLETE');
  const isAnyToStart = hostsFreeToStart(facts).some((host) => isEmpty(facts.model, host));
  return !isAnyToStart && !isAnyToBeAnnounced(facts) ? goTo('PLANNED_MAINTENANCE') : rollOn(facts, readyToBegin(facts));
};

const plannedMaintenance = (facts: VnfFacts): Decision =>
  isAllDone(facts) ? goTo('MAINTENANCE_COMPLETE') : rollOn(facts, readyToBegin(facts));

const rollingStates: Partial<Record<SessionState, (facts: VnfFacts) => Decision>> = {
  PREPARE_MAINTENANCE: prepareMaintenance,
  START_MAINTENANCE: startMaintenance,
  PLANNED_MAINTENANCE: plannedMaintenance,
};

/** Begins these, and drains further hosts or, where there is nothing of that to do, admits; or leaves a deadlock. */
const rollOn = (facts: VnfFacts, begin: readonly Host[]): Decision => {
  const start = startDraining(facts);
  const isNothingToStart = start.drain.length + start.reserve.length === 0;
  const admit = isNothingToStart ? admitVnf(facts) : [];
  const work = { ...start, admit, begin: namesOf(begin) };
  const isIdle = isNothingToStart && admit.length + begin.length === 0;
  // The order that was found stays found.
  return { ...nothingDecided, ...work, ...(isIdle && isStandingStill(facts) && leaveDeadlock(facts)) };
};

/**
 * Nothing of the session is in flight or recovering, no member of a group is away, and of its hosts none is being
 * disabled, in maintenance or given back.
 */
const isStandingStill = (facts: VnfFacts): boolean => {
  const { model, sessionId } = facts;
  for (const claim of model.claimByInstance.values()) {
    if (claim.sessionId === sessionId && !isAwayUntilHostIsBack(claim)) return false;
  }
  if (isAnyMemberAway(facts) || ownHosts(facts, 'emptying').some(({ work }) => work?.disabled === false)) return false;
  return ownHosts(facts, 'maintaining', 'releasing').length === 0;
};

/** A plan counts it as impacted until its host is back: what has to leave that host must not wait for it. */
const isAwayUntilHostIsBack = ({ phase, target, recoversAtMs }: Claim): boolean =>
  phase === 'recovering' && target === noTarget && recoversAtMs === undefined;

/**
 * Lets those go that need no place; else gives the least drained host back. Where nothing is under work, it starts with
 * a host that can be drained when these leave first, or asks for scaling in.
 */
const leaveDeadlock = (facts: VnfFacts): Partial<Decision> => {
  const without = leaveWithoutPlaces(facts);
  if (without) return without;
  return ownUnderWork(facts).length > 0 ? endDeadlock(facts) : (startWithoutPlaces(facts) ?? whenIdle(facts));
};
