/**
 * The rolling states of the workflow `vnf` (design §4, §5): as many hosts at once as room and constraints allow, each
 * maintained as soon as it is empty, controllers one at a time beside them. Every instance has its own question, and
 * what is admitted is leave to ask it, or to move at once where nothing is asked.
 */
import { mayStillChange, wayOut } from './deadlock';
import type { Decision, SessionView } from './decision';
import { lackOfRest, outlookOn } from './emptying';
import type { Host } from './fleet';
import { isEmpty, isVacated } from './host-content';
import { isInPhase, isUnderWork } from './host-work';
import { LiveFleet } from './live-fleet';
import { longestWaitMs } from './look-again';
import { planParallelWork } from './opening';
import { Budget } from './budget';
import type { Situation } from './situation';
import { type VnfFacts, type VnfLimits, ownHosts, withDefaultImpact } from './vnf-facts';

export type { VnfLimits } from './vnf-facts';

export function decideVnf(view: SessionView, nowMs: number, limits: VnfLimits): Decision {
  const fleet = withDefaultImpact(view.fleet, limits.defaultImpactShare);
  const live = new LiveFleet(fleet, nowMs, view.reserved);
  return decideOnLive({ sessionId: view.sessionId, state: view.state, live, nowMs, limits });
}

/** The same on facts that are kept up to date. */
export function decideOnLive(facts: VnfFacts): Decision {
  const own = ownHosts(facts);
  const failed = own.filter(isInPhase('failed'));
  if (failed.length > 0) {
    return { ...nothing, failure: failed.map(({ name, work }) => `host ${name}: ${work?.failure ?? 'failed'}`).join('; ') };
  }
  if (own.every(isInPhase('maintained'))) {
    return { ...nothing, next: facts.state === 'PREPARE_MAINTENANCE' ? 'START_MAINTENANCE' : 'MAINTENANCE_COMPLETE' };
  }
  if (facts.state === 'PREPARE_MAINTENANCE') return prepare(facts, own);
  if (facts.state === 'START_MAINTENANCE') return start(facts, own);
  return work(facts, own, true);
}

function prepare(facts: VnfFacts, own: readonly Host[]): Decision {
  if (own.some((host) => isReadyToBegin(facts, host) || isInPhase('maintaining')(host))) {
    return { ...nothing, next: 'START_MAINTENANCE' };
  }
  return work(facts, own, false);
}

function start(facts: VnfFacts, own: readonly Host[]): Decision {
  const pending = own.some(
    (host) =>
      (isInPhase('maintaining')(host) && host.work?.announced !== true) || isReadyToBegin(facts, host),
  );
  if (!pending) return { ...nothing, next: 'PLANNED_MAINTENANCE' };
  return work(facts, own, true);
}

function work(facts: VnfFacts, own: readonly Host[], mayBegin: boolean): Decision {
  const { live } = facts;
  const begin = mayBegin ? own.filter((host) => isReadyToBegin(facts, host)) : [];
  const { open, reserve, admit } = planParallelWork(facts);
  const emptying = own.filter((host) => isInPhase('emptying')(host) && !isEmpty(live, host));
  const isIdle = open.length + admit.length + reserve.length + begin.length === 0;
  if (isIdle && isStandingStill(facts)) return leaveDeadlock(facts, emptying);
  return { ...nothing, open: open.map(({ name }) => name), admit, reserve, begin: begin.map(({ name }) => name) };
}

/** Nothing is in flight or recovering, and no host of any session will become a target by itself. */
function isStandingStill({ live }: VnfFacts): boolean {
  if (live.claimByInstance.size > 0) return false;
  return !live.hosts.some((host) => isInPhase('maintaining')(host) || isInPhase('releasing')(host));
}

/** Gives the least emptied host back, or asks for scaling in where nothing is under work. */
function leaveDeadlock(facts: VnfFacts, emptying: readonly Host[]): Decision {
  const situation = situationOf(facts);
  if (!situation.own.some(isUnderWork)) return mayStillChange(situation) ? nothing : { ...nothing, next: 'SCALE_IN' };
  const stuck = emptying.flatMap((host) => {
    const lack = lackOfRest(situation, host);
    return lack ? [{ host, lack }] : [];
  });
  const out = wayOut(situation, stuck);
  if (out.kind === 'fail') return { ...nothing, failure: out.failure };
  return out.kind === 'release' ? { ...nothing, release: [out.hostname] } : nothing;
}

function situationOf(facts: VnfFacts): Situation {
  const { live, nowMs, limits, sessionId, state } = facts;
  const view = { sessionId, state, fleet: live.fleet, ready: new Map() };
  return { view, nowMs, limits, own: ownHosts(facts), budget: new Budget(live, nowMs), ...outlookOn(live) };
}

function isReadyToBegin({ live }: VnfFacts, host: Host): boolean {
  return isInPhase('emptying')(host) && host.work?.disabled === true && isVacated(live, host);
}

const nothing: Decision = { open: [], admit: [], begin: [], release: [], waiting: [], lookAgainMs: longestWaitMs };
