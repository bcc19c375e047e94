/**
 * The rolling states of the workflow `vnf`: as many hosts at once as capacity and constraints allow, each maintained as
 * soon as it is empty, controllers one at a time beside them. Every instance has its own question, and an admission is
 * leave to ask it, or to move the instance at once where nothing is asked.
 */
import { type Decision, goTo, namesOf, nothingDecided } from '../decision';
import type { Host, SessionState } from '../fleet/fleet';
import { failureOfHosts, ifTheseFail } from '../fleet/set-aside-or-fail';
import { wayOut } from '../rolling/deadlock';
import { failureByOtherController } from '../rolling/failed-controller';
import {
  hostsThatMayHaveFailed,
  isAllDone,
  isAnyToBeAnnounced,
  ownHosts,
  ownUnderWork,
  readyToBegin,
  type VnfFacts,
} from '../rolling/session-facts';
import { isWorthWaiting } from '../scale-in/when-to-scale-in';
import { admitVnf } from './admit-vnf';
import { mayStartEmptyHost, startDraining } from './start-draining';
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
  const isBegun = !mayStartEmptyHost(facts) && !isAnyToBeAnnounced(facts);
  return isBegun ? goTo('PLANNED_MAINTENANCE') : rollOn(facts, readyToBegin(facts));
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
 * Nothing of the session is in flight or recovering, and of its hosts none is being disabled, in maintenance or given
 * back.
 */
const isStandingStill = (facts: VnfFacts): boolean => {
  const { model, sessionId } = facts;
  for (const claim of model.claimByInstance.values()) if (claim.sessionId === sessionId) return false;
  if (ownHosts(facts, 'emptying').some(({ work }) => work?.disabled === false)) return false;
  return ownHosts(facts, 'maintaining', 'releasing').length === 0;
};

/**
 * Lets those go that need no place; else gives the least drained host back, or asks for scaling in where nothing is
 * under work.
 */
const leaveDeadlock = (facts: VnfFacts): Partial<Decision> => {
  const without = leaveWithoutPlaces(facts);
  if (without) return without;
  if (ownUnderWork(facts).length === 0) return whenIdle(facts);
  const out = wayOut(facts);
  if (out.kind === 'fail') return ifTheseFail(hostsThatMayHaveFailed(facts), [out.host], facts.limits.maxFailedHosts);
  return out.kind === 'release' ? { giveBackForDeadlock: [out.hostname] } : {};
};

/** True when no host of the session is under work, and none could be with a place for all its instances. */
const whenIdle = (facts: VnfFacts): Partial<Decision> => {
  const without = startWithoutPlaces(facts);
  if (without) return without;
  if (isWorthWaiting(facts)) return {};
  const failure = failureByOtherController(facts.model, ownHosts(facts));
  return failure === undefined ? { next: 'SCALE_IN' } : { failure };
};
