/**
 * The rolling states of the workflow `vnf` (design §4, §5): as many hosts at once as room and constraints allow, each
 * maintained as soon as it is empty, controllers one at a time beside them. Every instance has its own question, and
 * what is admitted is leave to ask it, or to move it at once where nothing is asked.
 */
import { wayOut, mayStillChange } from './deadlock';
import type { Decision, SessionView } from './decision';
import { lackOfRest } from './emptying';
import type { Host, SessionState } from './fleet';
import { compareText, instancesOn } from './fleet-index';
import { controllerUnderWork, failureOfHosts, isInPhase, isUnderWork } from './host-work';
import { LiveFleet } from './live-fleet';
import { longestWaitMs } from './look-again';
import { planParallelWork } from './parallel-work';
import { type VnfFacts, type VnfLimits, ownInPhase, situationOf, withDefaultImpact } from './vnf-facts';
import { withReasons } from './vnf-waiting';

export type { VnfLimits } from './vnf-facts';

/**
 * What the session does now, from the snapshot and what was reserved before alone.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export function decideVnf(view: SessionView, nowMs: number, limits: VnfLimits): Decision {
  const fleet = withDefaultImpact(view.fleet, limits.defaultImpactShare);
  const live = new LiveFleet(fleet, nowMs, view.reserved);
  const facts = { sessionId: view.sessionId, state: view.state, live, nowMs, limits };
  return withReasons(facts, decideOnLive(facts));
}

/**
 * The same on facts that are kept up to date, without the reasons for what waits: quick enough for every event of a
 * large fleet.
 */
export function decideOnLive(facts: VnfFacts): Decision {
  const failure = failureOfHosts(ownInPhase(facts, 'failed'));
  if (failure !== undefined) return { ...nothing, failure };
  const decide = rollingStates[facts.state];
  if (!decide) throw new RangeError(`state ${facts.state} is not one in which hosts are worked on`);
  return decide(facts);
}

const rollingStates: Partial<Record<SessionState, (facts: VnfFacts) => Decision>> = {
  PREPARE_MAINTENANCE: prepareMaintenance,
  START_MAINTENANCE: startMaintenance,
  PLANNED_MAINTENANCE: plannedMaintenance,
};

/** Empties a first set of hosts, until one of them can begin. */
function prepareMaintenance(facts: VnfFacts): Decision {
  const isBegun = ownInPhase(facts, 'maintaining').length > 0 || readyToBegin(facts).length > 0;
  return isBegun || isAllMaintained(facts) ? goTo('START_MAINTENANCE') : goOn(facts, []);
}

/** Begins what is empty and goes on emptying beside it; ends when all that has begun is announced. */
function startMaintenance(facts: VnfFacts): Decision {
  if (isAllMaintained(facts)) return goTo('MAINTENANCE_COMPLETE');
  const begin = readyToBegin(facts);
  return begin.length === 0 && hasStarted(facts) ? goTo('PLANNED_MAINTENANCE') : goOn(facts, begin);
}

/** Something has begun, all that has is announced, and no empty host is about to begin. */
function hasStarted(facts: VnfFacts): boolean {
  const maintaining = ownInPhase(facts, 'maintaining');
  if (maintaining.some(({ work }) => work?.announced !== true)) return false;
  if (ownInPhase(facts, 'emptying').some(({ name }) => instancesOn(facts.live, name).length === 0)) return false;
  return maintaining.length > 0 || ownInPhase(facts, 'maintained').length > 0;
}

function plannedMaintenance(facts: VnfFacts): Decision {
  return isAllMaintained(facts) ? goTo('MAINTENANCE_COMPLETE') : goOn(facts, readyToBegin(facts));
}

function isAllMaintained({ live, sessionId }: VnfFacts): boolean {
  return live.countOutside(sessionId, 'maintained') === 0;
}

function readyToBegin({ live, sessionId }: VnfFacts): readonly Host[] {
  const vacated = [...live.vacated].sort(compareText).flatMap((name) => live.hostByName.get(name) ?? []);
  return vacated.filter(({ work }) => work?.sessionId === sessionId);
}

/** Begins these, opens further ones and admits what may go; or leaves the deadlock that it finds. */
function goOn(facts: VnfFacts, begin: readonly Host[]): Decision {
  const { open, reserve, admit } = planParallelWork(facts);
  const isIdle = open.length + reserve.length + admit.length + begin.length === 0;
  if (isIdle && isStandingStill(facts)) return leaveDeadlock(facts);
  return { ...nothing, open: namesOf(open), reserve, admit, begin: namesOf(begin) };
}

/** Nothing is in flight, recovering or being disabled, and no host of any session becomes a target by itself. */
function isStandingStill(facts: VnfFacts): boolean {
  const { live } = facts;
  if (live.claimByInstance.size > 0) return false;
  if (ownInPhase(facts, 'emptying').some(({ work }) => work?.disabled === false)) return false;
  return !live.hosts.some((host) => isInPhase('maintaining')(host) || isInPhase('releasing')(host));
}

/** Gives the least emptied host back, or asks for scaling in where nothing is under work. */
function leaveDeadlock(facts: VnfFacts): Decision {
  const situation = situationOf(facts);
  const { own } = situation;
  // Another session's controller keeps ours waiting: no project could help with that.
  const mayWait = mayStillChange(situation) || controllerUnderWork(facts.live) !== undefined;
  if (!own.some(isUnderWork)) return mayWait ? nothing : goTo('SCALE_IN');
  const stuck = own.filter(isInPhase('emptying')).flatMap((host) => {
    const lack = lackOfRest(situation, host);
    return lack ? [{ host, lack }] : [];
  });
  const out = wayOut(situation, stuck);
  if (out.kind === 'fail') return { ...nothing, failure: out.failure };
  return out.kind === 'release' ? { ...nothing, release: [out.hostname] } : nothing;
}

const nothing: Decision = { open: [], admit: [], begin: [], release: [], waiting: [], lookAgainMs: longestWaitMs };

function goTo(next: SessionState): Decision {
  return { ...nothing, next };
}

function namesOf(hosts: readonly Host[]): readonly string[] {
  return hosts.map(({ name }) => name);
}
