/**
 * Decides for one session: reads the facts that its workflow's rules need beside the fleet, and applies the rules.
 * Writes nothing.
 */
import { ApplicationFailure } from '@temporalio/client';
import type { Transaction } from '../../prisma/database';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { findUnusedAnswers } from '../../prisma/questions/find-unused-answers';
import { findQuestions } from '../../prisma/questions/question-rounds';
import { isToBeAborted, type SessionProgress } from '../../prisma/session/session-progress';
import { canaryStageOf } from '../../prisma/snapshot/canary-of';
import { asOwnedHosts } from '../../prisma/snapshot/owned-hosts';
import type { FleetFacts } from '../../prisma/snapshot/read-fleet';
import { readyInstances, withoutExpiredQuestions } from '../../prisma/snapshot/settled-answers';
import { withoutThoseBack } from '../../rules/decisions/both-workflows/back-again';
import { asksInstances, choicesOf } from '../../rules/decisions/both-workflows/built-in-workflow';
import { waitingForEnds } from '../../rules/decisions/both-workflows/wait-for-ends';
import { fleetOfSession } from '../../rules/decisions/both-workflows/without-a-word';
import { type Decision, isOutcome, nothingDecided } from '../../rules/decisions/decision';
import { decideDefault } from '../../rules/decisions/default/decide-default';
import {
  type Action,
  type Fleet,
  type Host,
  type SessionState,
  sessionStates,
} from '../../rules/decisions/fleet/fleet';
import { noneLeaves, sortByWhatIsListed } from '../../rules/decisions/fleet/gone-hosts';
import { failureOfHosts, hostsToSetAside } from '../../rules/decisions/fleet/set-aside-or-fail';
import { whileStartingMs } from '../../rules/decisions/look-again';
import { FleetModel } from '../../rules/decisions/model/fleet-model';
import { decideAllVnf } from '../../rules/decisions/vnf/decide-all-vnf';
import { type KeptPlaces, keptPlaces } from '../../rules/decisions/vnf/kept-places';
import type { ExpectedTimes } from '../../rules/expectations/expected-times';
import type { Waiting } from '../../rules/obstacles/waits';
import { chosenAction } from '../../rules/questions/chosen-action';
import { pausedAfterRefusals, withUnusedAnswers } from '../../rules/questions/use-unused-answers';
import { waitingWhilePaused } from '../../rules/questions/while-paused';
import {
  doubtsWhileDrained,
  heldByCloud,
  heldByController,
  hostsComingBack,
  lookAgainAtDoubtsMs,
} from '../../rules/steering/held-by-cloud';
import { holdAlso, withHeld, withoutHeld } from '../../rules/steering/hold-back';
import {
  decisionOfNoWork,
  resumeReason,
  type SteeringNow,
  type SteeringStage,
  workNow,
} from '../../rules/steering/work-now';
import type { Services } from '../services';
import { begunAtMsOf, maintenanceWindowNow } from './maintenance-window-now';

export interface DecisionFacts extends FleetFacts {
  readonly tx: Transaction;
  readonly session: SessionProgress;
  readonly now: Date;
  /** Looked up for sessions that have windows or a deadline. */
  readonly expected?: ExpectedTimes;
}

/** A decision with the changes to reservations, when the workflow makes some. */
export interface Decided extends KeptPlaces {
  readonly decision: Decision;
}

interface DecidingServices extends Pick<Services, 'limits'> {
  readonly cloud: Pick<Services['cloud'], 'hostsLeave'>;
}

export const decide = async (services: DecidingServices, facts: DecisionFacts): Promise<Decided> => {
  const decided = await decideByRows(services, facts);
  return { ...decided, decision: soonAgain(decided.decision) };
};

/** Nobody wakes a session that goes on without hosts, and without them it may be done. */
const soonAgain = (decision: Decision): Decision =>
  decision.setAside === undefined && decision.gone === undefined ? decision : { ...decision, lookAgainMs: 1 };

const decideByRows = async (services: DecidingServices, facts: DecisionFacts): Promise<Decided> => {
  const { session, fleet, hosts } = facts;
  // A call that was overtaken by a stop grants nothing.
  if (session.stopping !== null || isToBeAborted(session)) return onlyDecided(nothing({}));
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  // The rows tell, since the snapshot lacks a host that the cloud no longer lists.
  const owned = asOwnedHosts(own, new Set(fleet.hosts.map(({ name }) => name)));
  const { gone, away, others } = services.cloud.hostsLeave ? sortByWhatIsListed(owned) : noneLeaves(owned);
  // Only let hosts go, or set them aside, now: the next decision sees the result.
  if (gone.length > 0) return onlyDecided({ ...nothing({}), gone });
  const maxFailedHosts = session.maxFailedHosts ?? 0;
  const failure = failureOfHosts(others, maxFailedHosts);
  if (failure !== undefined) return onlyDecided(nothing({ failure }));
  const setAside = hostsToSetAside(others, maxFailedHosts);
  if (setAside.length > 0) return onlyDecided({ ...nothing({}), setAside });
  const decided = await decideWithinControls(services, facts);
  // The fleet lacks hosts that are away, and the work on them is not over.
  return away.length > 0 && decided.decision.next !== undefined ? onlyDecided(nothing({})) : decided;
};

const decideWithinControls = async (services: Pick<Services, 'limits'>, facts: DecisionFacts): Promise<Decided> =>
  withComingBack(facts, await decideByControls(services, facts));

/** Says what hosts lack whose maintenance is over, whatever else the session may do, and looks again soon. */
const withComingBack = (facts: DecisionFacts, decided: Decided): Decided => {
  const reasons = hostsComingBack(ownHosts(facts), facts.now.getTime());
  if (reasons.length === 0 || isOutcome(decided.decision)) return decided;
  const { waiting, lookAgainMs } = decided.decision;
  const decision = {
    ...decided.decision,
    waiting: [...waiting, ...reasons],
    lookAgainMs: Math.min(lookAgainMs, whileStartingMs),
  };
  return { ...decided, decision };
};

const decideByControls = async (services: Pick<Services, 'limits'>, facts: DecisionFacts): Promise<Decided> => {
  const work = workNow(controlsOf(services, facts));
  switch (work.kind) {
    case 'canaryEnded':
      return onlyDecided(work.decision);
    case 'nothing':
      return onlyDecided(decisionOfNoWork(work, await waitingOf(facts, work.reasonFor)));
    case 'work': {
      const held = holdAlso(work, heldByCloudOf(facts));
      const decided = work.isAnyToWorkOn
        ? await decideWork(services, { ...facts, fleet: withoutHeld(facts.fleet, held) })
        : onlyDecided(nothingDecided);
      const decision = withHeld(decided.decision, held);
      const inDoubt = doubtsWhileDrained(ownHosts(facts));
      return { ...decided, decision: { ...decision, waiting: [...decision.waiting, ...inDoubt] } };
    }
  }
};

const ownHosts = ({ session, fleet }: DecisionFacts): readonly Host[] =>
  fleet.hosts.filter(({ work }) => work?.sessionId === session.id);

const heldByCloudOf = (facts: DecisionFacts) => {
  const { session, fleet } = facts;
  const own = ownHosts(facts);
  const names = new Set(own.map(({ name }) => name));
  const besideOthers = heldByController(session, fleet).filter(({ who }) => names.has(who));
  return { held: [...heldByCloud({ ...fleet, hosts: own }), ...besideOthers], lookAgainMs: lookAgainAtDoubtsMs };
};

const controlsOf = ({ limits }: Pick<Services, 'limits'>, facts: DecisionFacts): SteeringNow => {
  const { session, fleet, now, expected } = facts;
  const nowMs = now.getTime();
  return {
    stage: stageOf(facts),
    window: maintenanceWindowNow(session, now),
    own: ownHosts(facts),
    model: () => new FleetModel(fleet, nowMs),
    nowMs,
    begunAtMs: begunAtMsOf(session, now),
    replySeconds: limits.projectReplySeconds,
    ...(expected !== undefined && { expected }),
  };
};

const stageOf = ({ session, fleet, hosts, now }: DecisionFacts): SteeringStage => {
  const { pausedAt, pausedBecause } = session;
  if (pausedAt !== null) {
    return { kind: 'paused', reasonFor: (who) => resumeReason(who, pausedAt.getTime(), pausedBecause) };
  }
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  return canaryStageOf(session, { fleet, now, own: own.map(({ hostname: name, phase }) => ({ name, phase })) });
};

const decideWork = async (services: Pick<Services, 'limits'>, facts: DecisionFacts): Promise<Decided> =>
  asksInstances(facts.session) ? decideByInstance(services, facts) : onlyDecided(await decideByHost(facts));

const onlyDecided = (decision: Decision): Decided => ({ decision, reserve: [], unreserve: [] });

/** The workflow of a stopping session acts on the stop at any moment, and asks nothing any more. */
const untilStoppedMs = 1_000;

const nothing = (outcome: { failure?: string }): Decision => ({
  ...nothingDecided,
  ...outcome,
  lookAgainMs: untilStoppedMs,
});

/** Why everything waits in a session that begins nothing. Its hosts' workflows see to everything in flight. */
const waitingOf = async (
  { tx, session, fleet, hosts, claims, now }: DecisionFacts,
  reasonFor: (who: string) => Waiting,
): Promise<readonly Waiting[]> => {
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const names = new Set(own.map(({ hostname }) => hostname));
  const questions = await findQuestions(tx, { sessionId: session.id });
  return waitingWhilePaused({
    reasonFor,
    nowMs: now.getTime(),
    hosts: own.map(({ hostname: name, phase, announcedAt }) => ({ name, phase, isAnnounced: announcedAt !== null })),
    instances: fleet.instances.filter(({ host }) => names.has(host)),
    moving: new Set(claims.filter(isMoving).map(({ instanceId }) => instanceId)),
    questions: questions.flatMap(({ hostname, status, ...question }) =>
      hostname === undefined || status !== 'open' ? [] : [{ ...question, hostname }],
    ),
  });
};

const isMoving = ({ phase, startedAt }: ClaimRecord): boolean => phase === 'moving' && startedAt !== null;

/** The rules know the specification's states. A workflow from a package has other states between them. */
const plannedState = ({ state, workflow }: SessionProgress): SessionState => {
  const planned = sessionStates.find((name) => name === state);
  if (planned !== undefined) return planned;
  throw ApplicationFailure.nonRetryable(`workflow ${workflow}: no hosts are worked on in state ${state}`, 'WrongState');
};

/** Instances that end by themselves are left alone for a while, and those that come back again and again. */
const withoutThoseWaitedFor = ({ session, now }: DecisionFacts, fleet: Fleet): Fleet =>
  waitingForEnds(withoutThoseBack(fleet, session.id), {
    sessionId: session.id,
    nowMs: now.getTime(),
  });

// default: projects are asked about a whole host

const decideByHost = async (facts: DecisionFacts): Promise<Decision> => {
  const { session, fleet, now } = facts;
  const ready = await readyInstances(facts.tx, facts);
  const seen = withoutThoseWaitedFor(facts, withSettled(fleet, ready));
  const view = { sessionId: session.id, state: plannedState(session), fleet: seen, ready };
  return decideDefault(view, now.getTime(), { maxFailedHosts: session.maxFailedHosts ?? 0 });
};

/** A project that chose an own action may act without a free place, whatever its constraints expect. */
const withSettled = (fleet: Fleet, ready: ReadonlyMap<string, Action>): Fleet => ({
  ...fleet,
  instances: fleet.instances.map((instance) => {
    const settledAction = ready.get(instance.id);
    const counts = settledAction === 'OWN_ACTION' || instance.resourceMitigation === false;
    return settledAction !== undefined && counts ? { ...instance, settledAction } : instance;
  }),
});

// vnf: every instance has its own question

const decideByInstance = async ({ limits }: Pick<Services, 'limits'>, facts: DecisionFacts): Promise<Decided> => {
  const { tx, session, now, reservations } = facts;
  const fleet = withoutThoseWaitedFor(facts, fleetOfSession(session, await withoutExpiredQuestions(tx, facts)));
  const { drainOrder } = session;
  const view = {
    sessionId: session.id,
    state: plannedState(session),
    fleet,
    drainOrder: drainOrder.length > 0 ? drainOrder : undefined,
  };
  const plan = decideAllVnf(view, now.getTime(), {
    maxFailedHosts: session.maxFailedHosts ?? 0,
    defaultImpactShare: limits.defaultImpactShare,
    ...choicesOf(session),
    ...(session.maxParallelHosts !== null && { maxParallelHosts: session.maxParallelHosts }),
  });
  const decision = await withoutRepeats(facts, plan.decision, limits);
  const own = reservations.filter(({ sessionId }) => sessionId === session.id);
  return { decision, ...keptPlaces(plan, decision, { own, all: reservations }) };
};

/**
 * A project that answered before the session stopped is not asked the same again: its instance still waits for what it
 * agreed to.
 */
const withoutRepeats = async (
  { tx, session, fleet, now }: DecisionFacts,
  decision: Decision,
  { nackRetrySeconds }: Pick<Services['limits'], 'nackRetrySeconds'>,
): Promise<Decision> => {
  if (!decision.admit.some(({ kind }) => kind === 'ask')) return decision;
  const unused = [...(await findUnusedAnswers(tx, { sessionId: session.id }))];
  const refused = unused.filter(([, { answer }]) => answer === 'NACK');
  const accepted = unused.filter(([, { answer }]) => answer === 'ACK');
  // An answer that leads to a move does not help an instance that the cloud cannot move by now.
  const instanceById = new Map(fleet.instances.map((instance) => [instance.id, instance]));
  const helpful = accepted.flatMap(([id, question]) => {
    const instance = instanceById.get(id);
    if (instance === undefined) return [];
    const helps = instance.cannotMove === undefined || chosenAction(id, question) === 'OWN_ACTION';
    return helps ? [[id, { instance, question }] as const] : [];
  });
  const admit = withUnusedAnswers(decision.admit, new Map(helpful));
  return pausedAfterRefusals({ ...decision, admit }, new Map(refused), { nowMs: now.getTime(), nackRetrySeconds });
};
