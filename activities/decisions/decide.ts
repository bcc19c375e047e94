/**
 * Decides for one session: reads the facts that its workflow's rules need beside the fleet, and applies the rules.
 * Writes nothing.
 */
import { ApplicationFailure } from '@temporalio/client';
import type { Transaction } from '../../prisma/database';
import { findUnusedAnswers } from '../../prisma/questions/find-unused-answers';
import type { SessionProgress } from '../../prisma/session/session-progress';
import { whyByProject } from '../../rules/cloud/departure';
import { asksInstances, choicesOf, impactShareIn } from '../../rules/decisions/both-workflows/built-in-workflow';
import { domainLimitsOf } from '../../rules/decisions/both-workflows/fault-domains';
import { fleetToDecideOn } from '../../rules/decisions/both-workflows/fleet-of-session';
import { type Decision, nothingDecided } from '../../rules/decisions/decision';
import { decideDefaultOn } from '../../rules/decisions/default/decide-default';
import {
  type Action,
  type Fleet,
  type Host,
  type SessionState,
  sessionStates,
} from '../../rules/decisions/fleet/fleet';
import { type ByWhatIsListed, noneLeaves, sortByWhatIsListed } from '../../rules/decisions/fleet/gone-hosts';
import type { ViewOfInstance } from '../../rules/decisions/fleet/seen-through';
import { withDefaultImpact } from '../../rules/decisions/limits/default-impact';
import { FleetModel } from '../../rules/decisions/model/fleet-model';
import type { ExpectedTimes } from '../../rules/expectations/expected-times';
import { haveOwnerTimes } from '../../rules/owner-times/release';
import { actionOf } from '../../rules/questions/action-by-answer';
import { pausedAfterRefusals, withUnusedAnswers } from '../../rules/questions/use-unused-answers';
import type { Reason } from '../../rules/reasons/reason';
import { canaryStageOf } from '../../rules/steering/canary-of';
import { doubtsWhileDrained, heldByCloud, heldByController, hostsComingBack } from '../../rules/steering/held-by-cloud';
import { isToBeAborted } from '../../rules/steering/may-begin';
import { type SteeringNow, type SteeringStage, type WorkNow, workNow } from '../../rules/steering/work-now';
import { decideAllVnfOn, type VnfDecisions } from '../../rules/steps/decide-all-vnf';
import { keptPlaces } from '../../rules/steps/kept-places';
import { nothingNow, type SessionNow, stepOfSession } from '../../rules/steps/session-step';
import { asOwnedHosts } from '../../snapshot/owned-hosts';
import type { FleetFacts } from '../../snapshot/read-fleet';
import { readyInstances, withoutExpiredQuestions } from '../../snapshot/settled-answers';
import type { Services } from '../services';
import { begunAtMsOf, maintenanceWindowNow } from './maintenance-window-now';

export interface DecisionFacts extends FleetFacts {
  readonly tx: Transaction;
  readonly session: SessionProgress;
  readonly now: Date;
  /** Looked up for sessions that have windows, freezes or a deadline. */
  readonly expected?: ExpectedTimes;
}

interface DecidingServices extends Pick<Services, 'limits'> {
  readonly cloud: Pick<Services['cloud'], 'hostsLeave'>;
}

export const decide = async (services: DecidingServices, facts: DecisionFacts): Promise<Decision> => {
  const { session, now } = facts;
  // A call that was overtaken by a stop grants nothing.
  if (session.stopping !== null || isToBeAborted(session)) return nothingNow;
  const work = workNow(controlsOf(services, facts));
  const own = ownHosts(facts);
  const { model, decide: decideWork, finish } = await workOf(services, facts, work);
  const { decision } = stepOfSession({
    nowMs: now.getTime(),
    hosts: hostsByWhatIsListed(services, facts),
    maxFailedHosts: session.maxFailedHosts ?? 0,
    work,
    model,
    decide: decideWork,
    seen: {
      heldByCloud: heldByCloudOf(facts),
      inDoubt: doubtsWhileDrained(own),
      comingBack: hostsComingBack(own),
    },
  });
  return finish(decision);
};

/** The rows tell, since the snapshot lacks a host that the cloud no longer lists. */
const hostsByWhatIsListed = ({ cloud }: DecidingServices, { session, fleet, hosts }: DecisionFacts): ByWhatIsListed => {
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const owned = asOwnedHosts(own, new Set(fleet.hosts.map(({ name }) => name)));
  return cloud.hostsLeave ? sortByWhatIsListed(owned) : noneLeaves(owned);
};

interface WorkOfSession extends Pick<SessionNow, 'model' | 'decide'> {
  /** Completes the decision of the step by records that only few decisions need. */
  readonly finish: (decision: Decision) => Decision | Promise<Decision>;
}

const asItIs = (decision: Decision): Decision => decision;

/** The workflow's decision, with what it needs of the records where there is work. */
const workOf = async (services: DecidingServices, facts: DecisionFacts, { kind }: WorkNow): Promise<WorkOfSession> => {
  if (kind !== 'work') {
    return { model: () => modelOf(services, facts, facts.fleet), decide: () => nothingDecided, finish: asItIs };
  }
  return asksInstances(facts.session) ? byInstance(services, facts) : byHost(services, facts);
};

const modelOf = ({ limits }: DecidingServices, { session, now }: DecisionFacts, fleet: Fleet): FleetModel => {
  const share = impactShareIn(session, limits.defaultImpactShare);
  return new FleetModel(withDefaultImpact(fleet, share), now.getTime());
};

const ownHosts = ({ session, fleet }: DecisionFacts): readonly Host[] =>
  fleet.hosts.filter(({ work }) => work?.sessionId === session.id);

const heldByCloudOf = (facts: DecisionFacts): readonly Reason[] => {
  const { session, fleet } = facts;
  const own = ownHosts(facts);
  const names = new Set(own.map(({ name }) => name));
  const besideOthers = heldByController(session, fleet).filter(({ who }) => names.has(who));
  return [...heldByCloud({ ...fleet, hosts: own }), ...besideOthers];
};

const controlsOf = (services: DecidingServices, facts: DecisionFacts): SteeringNow => {
  const { session, fleet, now, expected } = facts;
  const nowMs = now.getTime();
  return {
    stage: stageOf(facts),
    window: maintenanceWindowNow(session, now),
    own: ownHosts(facts),
    hasOwnerTimes: haveOwnerTimes(fleet.instances),
    model: () => modelOf(services, facts, fleet),
    nowMs,
    begunAtMs: begunAtMsOf(session, now),
    replySeconds: services.limits.projectReplySeconds,
    ...(expected !== undefined && { expected }),
  };
};

const stageOf = ({ session, fleet, hosts, now }: DecisionFacts): SteeringStage => {
  if (session.pausedAt !== null) return { kind: 'paused' };
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  return canaryStageOf(session, { fleet, now, own: own.map(({ hostname: name, phase }) => ({ name, phase })) });
};

/** The rules know the specification's states. A workflow from a package has other states between them. */
const plannedState = ({ state, workflow }: SessionProgress): SessionState => {
  const planned = sessionStates.find((name) => name === state);
  if (planned !== undefined) return planned;
  throw ApplicationFailure.nonRetryable(`workflow ${workflow}: no hosts are worked on in state ${state}`, 'WrongState');
};

const ruledBy = ({ session, now }: DecisionFacts) => ({
  sessionId: session.id,
  state: plannedState(session),
  nowMs: now.getTime(),
});

// default: projects are asked about a whole host

const byHost = async (services: DecidingServices, facts: DecisionFacts): Promise<WorkOfSession> => {
  const { tx, session, fleet, now } = facts;
  const ready = await readyInstances(tx, facts);
  const seen = fleetToDecideOn(session, fleet, { nowMs: now.getTime(), answered: settledBy(ready) });
  const limits = { maxFailedHosts: session.maxFailedHosts ?? 0 };
  return {
    model: () => modelOf(services, facts, seen),
    decide: (model) => decideDefaultOn({ ...ruledBy(facts), model, limits, ready }),
    finish: asItIs,
  };
};

/** A project that chose an own action may act without a free place, whatever its constraints expect. */
const settledBy =
  (ready: ReadonlyMap<string, Action>): ViewOfInstance =>
  (instance) => {
    const settledAction = ready.get(instance.id);
    const counts = settledAction === 'OWN_ACTION' || instance.resourceMitigation === false;
    return settledAction !== undefined && counts ? { ...instance, settledAction } : instance;
  };

// vnf: every instance has its own question

const byInstance = async (services: DecidingServices, facts: DecisionFacts): Promise<WorkOfSession> => {
  const { tx, session, fleet, now, reservations: all } = facts;
  const answered = await withoutExpiredQuestions(tx, facts);
  const seen = fleetToDecideOn(session, fleet, { nowMs: now.getTime(), answered });
  const before = { own: all.filter(({ sessionId }) => sessionId === session.id), all };
  let planned: VnfDecisions | undefined;
  return {
    model: () => modelOf(services, facts, seen),
    decide: (model) => {
      planned = decideAllVnfOn({ ...ruledBy(facts), ...limitsAndOrder(services, session), model });
      return { ...planned.decision, ...keptPlaces(planned, planned.decision, before) };
    },
    finish: async (decision) => {
      const changed = await withoutRepeats(services, facts, decision);
      return planned === undefined || changed === decision
        ? decision
        : { ...changed, ...keptPlaces(planned, changed, before) };
    },
  };
};

const limitsAndOrder = ({ limits }: DecidingServices, session: SessionProgress) => {
  const { drainOrder, maxFailedHosts, maxParallelHosts } = session;
  return {
    limits: {
      maxFailedHosts: maxFailedHosts ?? 0,
      defaultImpactShare: limits.defaultImpactShare,
      ...choicesOf(session),
      ...(maxParallelHosts !== null && { maxParallelHosts }),
      ...domainLimitsOf(session),
    },
    ...(drainOrder.length > 0 && { drainOrder }),
  };
};

/**
 * A project that answered before the session stopped is not asked the same again: its instance still waits for what it
 * agreed to.
 */
const withoutRepeats = async (
  { limits: { nackRetrySeconds, nackRetries } }: DecidingServices,
  { tx, session, fleet, now }: DecisionFacts,
  decision: Decision,
): Promise<Decision> => {
  if (!decision.admit.some(({ kind }) => kind === 'ask')) return decision;
  const unused = [...(await findUnusedAnswers(tx, { sessionId: session.id }))];
  if (unused.length === 0) return decision;
  const refused = unused.filter(([, { answer }]) => answer === 'NACK');
  const accepted = unused.filter(([, { answer }]) => answer === 'ACK');
  // An answer that leads to a move does not help an instance that the cloud cannot move by now.
  const instanceById = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const helpful = accepted.flatMap(([id, question]) => {
    const instance = instanceById.get(id);
    if (instance === undefined) return [];
    const helps = whyByProject(instance) === undefined || actionOf(instance, question) === 'OWN_ACTION';
    return helps ? [[id, { instance, question }] as const] : [];
  });
  const admit = withUnusedAnswers(decision.admit, new Map(helpful));
  const pause = { nowMs: now.getTime(), nackRetrySeconds, nackRetries };
  return pausedAfterRefusals({ ...decision, admit }, new Map(refused), pause);
};
