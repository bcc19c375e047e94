/**
 * The rolling states of the workflow `vnf`: as many hosts at once as room and constraints allow, each
 * maintained as soon as it is empty, controllers one at a time beside them. Every instance has its own question, and
 * what is admitted is leave to ask it, or to move it at once where nothing is asked.
 */
import { isWorthWaiting, wayOut } from '../rolling/deadlock';
import type { Decision } from '../decision';
import { lackOfRest } from '../rolling/emptying';
import { type Host, phasesDone, type SessionState } from '../fleet/fleet';
import { compareText } from '../fleet/fleet-index';
import { isEmpty } from '../fleet/host-content';
import { asOwned, failureOfHosts, ifTheseFail, type OwnedHost } from '../fleet/host-failure';
import { isInPhase, isUnderWork } from '../fleet/host-work';
import { failureOfLeftOutController } from '../rolling/left-out-controller';
import { longestWaitMs } from '../look-again';
import { mayOpenEmptyHost, planParallelWork } from './parallel-work';
import type { Situation } from '../rolling/situation';
import { type VnfFacts, ownInPhase, situationOf } from '../live/vnf-facts';
import { leaveWithoutPlaces, openWithoutPlaces } from './without-places';

/**
 * What the session does now, from what is known and what decisions before it reserved and found alone; without the
 * reasons for what waits, so that it is quick enough for every event of a large fleet.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export function decideVnf(facts: VnfFacts): Decision {
  const failure = failureOfHosts(hostsThatMayHaveFailed(facts), facts.limits.maxFailedHosts);
  if (failure !== undefined) return { ...nothing, failure };
  const decide = rollingStates[facts.state];
  if (!decide) throw new RangeError(`state ${facts.state} is not one in which hosts are worked on`);
  return decide(facts);
}

function hostsThatMayHaveFailed(facts: VnfFacts): readonly OwnedHost[] {
  return asOwned((['failed', 'releasing', 'set_aside'] as const).flatMap((phase) => ownInPhase(facts, phase)));
}

const rollingStates: Partial<Record<SessionState, (facts: VnfFacts) => Decision>> = {
  PREPARE_MAINTENANCE: prepareMaintenance,
  START_MAINTENANCE: startMaintenance,
  PLANNED_MAINTENANCE: plannedMaintenance,
};

/** Empties a first set of hosts, until one of them can begin. */
function prepareMaintenance(facts: VnfFacts): Decision {
  const isBegun = ownInPhase(facts, 'maintaining').length > 0 || readyToBegin(facts).length > 0;
  return isBegun || isAllOver(facts) ? goTo('START_MAINTENANCE') : goOn(facts, []);
}

/** Begins what is empty, untouched hosts too, and goes on emptying beside it; ends when all of that is announced. */
function startMaintenance(facts: VnfFacts): Decision {
  if (isAllOver(facts)) return goTo('MAINTENANCE_COMPLETE');
  const isBegun = !mayOpenEmptyHost(facts) && !isAnyToBeAnnounced(facts);
  return isBegun ? goTo('PLANNED_MAINTENANCE') : goOn(facts, readyToBegin(facts));
}

function isAnyToBeAnnounced(facts: VnfFacts): boolean {
  const isToBegin = ownInPhase(facts, 'emptying').some((host) => isEmpty(facts.live, host));
  return isToBegin || ownInPhase(facts, 'maintaining').some(({ work }) => work?.announced !== true);
}

function plannedMaintenance(facts: VnfFacts): Decision {
  return isAllOver(facts) ? goTo('MAINTENANCE_COMPLETE') : goOn(facts, readyToBegin(facts));
}

function isAllOver({ live, sessionId }: VnfFacts): boolean {
  return live.countOutside(sessionId, ...phasesDone) === 0;
}

function readyToBegin({ live, sessionId }: VnfFacts): readonly Host[] {
  const vacated = [...live.vacated].sort(compareText).flatMap((name) => live.hostByName.get(name) ?? []);
  return vacated.filter(({ work }) => work?.sessionId === sessionId);
}

/** Begins these, opens further ones and admits what may go; or leaves the deadlock that it finds. */
function goOn(facts: VnfFacts, begin: readonly Host[]): Decision {
  const { open, ...work } = planParallelWork(facts);
  const isIdle = open.length + work.reserve.length + work.admit.length + begin.length === 0;
  // The order that was found stays found.
  if (isIdle && isStandingStill(facts)) return { ...work, ...leaveDeadlock(facts) };
  return { ...nothing, ...work, open: namesOf(open), begin: namesOf(begin) };
}

/**
 * Nothing of the session is in flight or recovering, and of its hosts none is being disabled, in maintenance or given
 * back.
 */
function isStandingStill(facts: VnfFacts): boolean {
  const { live, sessionId } = facts;
  for (const claim of live.claimByInstance.values()) if (claim.sessionId === sessionId) return false;
  if (ownInPhase(facts, 'emptying').some(({ work }) => work?.disabled === false)) return false;
  return ownInPhase(facts, 'maintaining').length + ownInPhase(facts, 'releasing').length === 0;
}

/**
 * Lets those go that need no place; else gives the least emptied host back, or asks for scaling in where nothing is
 * under work.
 */
function leaveDeadlock(facts: VnfFacts): Decision {
  const without = leaveWithoutPlaces(facts);
  if (without) return { ...nothing, ...without };
  const situation = situationOf(facts);
  const { own } = situation;
  if (!own.some(isUnderWork)) return whenIdle(facts, situation);
  const stuck = own.filter(isInPhase('emptying')).flatMap((host) => {
    const lack = lackOfRest(situation, host);
    return lack ? [{ host, lack }] : [];
  });
  const out = wayOut(situation, stuck);
  if (out.kind === 'fail') {
    return { ...nothing, ...ifTheseFail(hostsThatMayHaveFailed(facts), [out.host], facts.limits.maxFailedHosts) };
  }
  return out.kind === 'release' ? { ...nothing, release: [out.hostname] } : nothing;
}

/** Nothing of the session is under work, or could be with a place for everything. */
function whenIdle(facts: VnfFacts, situation: Situation): Decision {
  const { live } = facts;
  const without = openWithoutPlaces(facts, situation);
  if (without) return { ...nothing, ...without };
  if (isWorthWaiting(situation)) return nothing;
  const failure = failureOfLeftOutController(live, situation.own);
  return failure === undefined ? goTo('SCALE_IN') : { ...nothing, failure };
}

const nothing: Decision = { open: [], admit: [], begin: [], release: [], waiting: [], lookAgainMs: longestWaitMs };

function goTo(next: SessionState): Decision {
  return { ...nothing, next };
}

function namesOf(hosts: readonly Host[]): readonly string[] {
  return hosts.map(({ name }) => name);
}
