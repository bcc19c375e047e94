/**
 * All that a session of `vnf` does at one time: decisions are taken one after the other, each on what those before have
 * changed, until there is nothing more to do (places are reserved before anything is admitted).
 */
import type { VnfFacts, VnfLimits } from '../decisions/both-workflows/session-facts';
import {
  hostsNotDrainedBeside,
  hostsNotReady,
  instancesWaiting,
  untilNextDecision,
} from '../decisions/both-workflows/waiting-reasons';
import { type Decision, isOutcome, type SessionView } from '../decisions/decision';
import type { Reservation } from '../decisions/fleet/fleet';
import { withDefaultImpact } from '../decisions/limits/default-impact';
import { FleetModel } from '../decisions/model/fleet-model';
import { decideVnf } from '../decisions/vnf/decide-vnf';
import { applyDecision } from './apply-decision';

export interface VnfDecisions {
  readonly decision: Decision;
  /** Every place that is reserved afterwards, of all sessions, by instance ID. */
  readonly reserved: ReadonlyMap<string, string>;
}

/** @throws RangeError for a state that is not a rolling one */
export const decideAllVnf = (view: SessionView, nowMs: number, limits: VnfLimits): VnfDecisions =>
  decideAllVnfOn(vnfFactsOf(view, nowMs, limits));

/**
 * The same on facts that are looked up already. The model has all changes of the decision afterwards.
 *
 * @throws RangeError for a state that is not a rolling one
 */
export const decideAllVnfOn = (facts: VnfFacts): VnfDecisions => {
  const decision = withReasons(facts, decideUntilQuiet(facts));
  return { decision, reserved: facts.model.reservedTarget };
};

export const vnfFactsOf = (view: SessionView, nowMs: number, limits: VnfLimits): VnfFacts => {
  const { sessionId, state, fleet, drainOrder } = view;
  const model = new FleetModel(withDefaultImpact(fleet, limits.defaultImpactShare), nowMs);
  return { sessionId, state, model, nowMs, limits, drainOrder };
};

/** Far more than there are things to do at one time; what is left then is done at the next look. */
const mostRounds = 1_000;

const decideUntilQuiet = (facts: VnfFacts): Decision => {
  let all = decideVnf(facts);
  let last = all;
  for (let rounds = 1; hasNews(last) && rounds < mostRounds; rounds += 1) {
    applyDecision(facts.model, facts.sessionId, last);
    last = decideVnf({ ...facts, drainOrder: all.drainOrder ?? facts.drainOrder });
    all = joined(all, last);
  }
  return all;
};

const hasNews = (decision: Decision): boolean => {
  const { drain, reserve = [], admit, begin, giveBackForDeadlock } = decision;
  return (
    !isOutcome(decision) && drain.length + reserve.length + admit.length + begin.length + giveBackForDeadlock.length > 0
  );
};

const joined = (one: Decision, other: Decision): Decision => ({
  ...one,
  ...other,
  drain: [...one.drain, ...other.drain],
  admit: [...one.admit, ...other.admit],
  begin: [...one.begin, ...other.begin],
  giveBackForDeadlock: [...one.giveBackForDeadlock, ...other.giveBackForDeadlock],
  reserve: lastOfEach([...(one.reserve ?? []), ...(other.reserve ?? [])]),
});

/** A later decision may reserve another place for the same instance. */
const lastOfEach = (reservations: readonly Reservation[]): readonly Reservation[] => [
  ...new Map(reservations.map((reservation) => [reservation.instanceId, reservation])).values(),
];

/** The decision with one reason for every host and instance of the session that does not go on with it. */
export const withReasons = (facts: VnfFacts, decision: Decision): Decision => {
  if (isOutcome(decision)) return decision;
  const notReady = hostsNotReady(facts).filter(({ who }) => !decision.begin.includes(who));
  const waiting = [...instancesWaiting(facts, decision), ...notReady, ...hostsNotDrainedBeside(facts)];
  return { ...decision, waiting, lookAgainMs: untilNextDecision(facts) };
};
