/**
 * One step of a session: all that it does at one time, from facts alone. The service (activities/decisions/decide.ts)
 * and virtual time (rules/simulation/steered-step.ts) both ask here, so that a plan and its session can differ in
 * times only.
 */
import { type Decision, isOutcome, nothingDecided } from '../decisions/decision';
import type { ByWhatIsListed } from '../decisions/fleet/gone-hosts';
import { failureOfHosts, hostsToSetAside } from '../decisions/fleet/set-aside-or-fail';
import { whileStartingMs } from '../decisions/look-again';
import type { FleetModel } from '../decisions/model/fleet-model';
import type { Reason } from '../reasons/reason';
import { lookAgainAtDoubtsMs } from '../steering/held-by-cloud';
import { holdAlso, withHeld } from '../steering/hold-back';
import { decisionOfNoWork, type Work, type WorkNow } from '../steering/work-now';

export interface SessionNow {
  readonly nowMs: number;
  /** The session's hosts; those that have failed are enough where all are listed. */
  readonly hosts: ByWhatIsListed;
  readonly maxFailedHosts: number;
  readonly work: WorkNow;
  /** Asked for where there is work. */
  readonly model: () => FleetModel;
  /** The decision of the session's workflow on the facts that the model has at the time of the call. */
  readonly decide: (model: FleetModel) => Decision;
  /** Left out in virtual time, which supposes that waits for the cloud end, and where nobody reads reasons. */
  readonly seen?: SeenNow;
}

/** What only a look at the real cloud and the records tells. */
export interface SeenNow {
  /** Why hosts that wait for their turn are not begun. */
  readonly heldByCloud: readonly Reason[];
  /** Why hosts that are being drained do not go on. */
  readonly inDoubt: readonly Reason[];
  /** Why hosts are not back whose maintenance is over. */
  readonly comingBack: readonly Reason[];
}

export interface SessionStep {
  readonly decision: Decision;
  /** The time of the next step, whatever happens before; Infinity: steering asks for none. Milliseconds. */
  readonly againAtMs: number;
  /** Why hosts wait that would not be back before the open window closes. */
  readonly heldInWindow: readonly Reason[];
}

export const stepOfSession = (now: SessionNow): SessionStep => {
  const outcome = outcomeOfHosts(now);
  const step = outcome ? alone(outcome) : stepWithinSteering(now);
  return { ...step, decision: soonAgain(step.decision) };
};

/** The workflow of a stopping session acts on the stop at any moment, and asks nothing any more. */
const untilStoppedMs = 1_000;

/** Nothing is granted: the session stops, or something else comes first. */
export const nothingNow: Decision = { ...nothingDecided, lookAgainMs: untilStoppedMs };

/** Only lets hosts go, or sets them aside, or fails: the next step sees the result. */
const outcomeOfHosts = ({ hosts: { gone, others }, maxFailedHosts }: SessionNow): Decision | undefined => {
  if (gone.length > 0) return { ...nothingNow, gone };
  const failure = failureOfHosts(others, maxFailedHosts);
  if (failure !== undefined) return { ...nothingNow, failure };
  const setAside = hostsToSetAside(others, maxFailedHosts);
  return setAside.length > 0 ? { ...nothingNow, setAside } : undefined;
};

const alone = (decision: Decision): SessionStep => ({ decision, againAtMs: Infinity, heldInWindow: [] });

/** Nobody wakes a session that goes on without hosts, and without them it may be done. */
const soonAgain = (decision: Decision): Decision =>
  decision.setAside === undefined && decision.gone === undefined ? decision : { ...decision, lookAgainMs: 1 };

const stepWithinSteering = (now: SessionNow): SessionStep => {
  const step = stepOnOthers(now);
  const decision = withComingBack(now, step.decision);
  // The fleet lacks hosts that are away, and the work on them is not over.
  return { ...step, decision: now.hosts.away.length > 0 && decision.next !== undefined ? nothingNow : decision };
};

const stepOnOthers = (now: SessionNow): SessionStep => {
  const { nowMs, work } = now;
  switch (work.kind) {
    case 'canaryEnded':
      return alone(work.decision);
    case 'nothing':
      return { ...alone(decisionOfNoWork(work)), againAtMs: nowMs + work.lookAgainMs };
    case 'work':
      return {
        decision: decideBesideHeld(now, work),
        againAtMs: nowMs + Math.max(1, Math.ceil(work.lookAgainMs)),
        heldInWindow: work.held.filter(({ waitingFor }) => waitingFor !== 'host'),
      };
  }
};

const decideBesideHeld = (now: SessionNow, inWindow: Work): Decision => {
  const { heldByCloud = [], inDoubt = [] } = now.seen ?? {};
  const work = holdAlso(inWindow, { held: heldByCloud, lookAgainMs: lookAgainAtDoubtsMs });
  const decision = withHeld(work.isAnyToWorkOn ? decideOnOthers(now, work) : nothingDecided, work);
  return { ...decision, waiting: [...decision.waiting, ...inDoubt] };
};

/** The model has the hosts as they are again afterwards. */
const decideOnOthers = (now: SessionNow, { held, giveBack }: Work): Decision => {
  const model = now.model();
  const givenBack = giveBack.flatMap((name) => model.hostByName.get(name) ?? []);
  model.holdBack(held.map(({ who }) => who));
  for (const host of givenBack) {
    if (host.work) model.setHost({ ...host, work: { ...host.work, phase: 'releasing' } });
  }
  const decision = now.decide(model);
  for (const host of givenBack) model.setHost(host);
  model.holdBack([]);
  return decision;
};

/** Says what hosts lack whose maintenance is over, whatever else the session may do, and looks again soon. */
const withComingBack = ({ seen }: SessionNow, decision: Decision): Decision => {
  const { comingBack = [] } = seen ?? {};
  if (comingBack.length === 0 || isOutcome(decision)) return decision;
  const { waiting, lookAgainMs } = decision;
  return { ...decision, waiting: [...waiting, ...comingBack], lookAgainMs: Math.min(lookAgainMs, whileStartingMs) };
};
