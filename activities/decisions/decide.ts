/**
 * Decides for one session: reads the facts that its workflow's rules need beside the fleet, and applies the rules.
 * Writes nothing.
 */
import { ApplicationFailure } from '@temporalio/client';
import { type Decision, nothingDecided } from '../../planning/decision';
import { decideDefault } from '../../planning/default/decide-default';
import type { ExpectedTimes } from '../../planning/fleet/expected-times';
import { type Action, type Fleet, type SessionState, sessionStates, type Waiting } from '../../planning/fleet/fleet';
import { failureOfHosts, hostsToSetAside } from '../../planning/fleet/set-aside-or-fail';
import { resumeReason } from '../../planning/limits/reasons';
import { longestWaitMs, untilNextLook } from '../../planning/look-again';
import { afterCanaryReason, withCanaryHeld } from '../../planning/rolling/canary';
import { holdBack } from '../../planning/rolling/hold-back';
import { usualReleases } from '../../planning/rolling/session-facts';
import { asksInstances } from '../../planning/rolling/ways-of-rolling';
import { withHeld, withoutHeld } from '../../planning/rolling/work-in-window';
import { type KeptPlaces, keptPlaces } from '../../planning/vnf/kept-places';
import { planVnf } from '../../planning/vnf/vnf-plan';
import type { Transaction } from '../../prisma/database';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { findUnusedAnswers } from '../../prisma/questions/earlier-answers';
import { findQuestions } from '../../prisma/questions/question-rounds';
import { isToBeAborted, type SessionProgress } from '../../prisma/session/session-progress';
import { chosenAction } from '../../questions/answer-or-silence';
import { pausedAfterRefusals, withEarlierAnswers } from '../../questions/earlier-answer';
import { waitingWhilePaused } from '../../questions/paused';
import { canaryStageOf } from '../../snapshot/canary-of';
import type { FleetFacts } from '../../snapshot/load-fleet';
import { asOwnedHosts } from '../../snapshot/owned-hosts';
import { readyInstances, withoutExpiredQuestions } from '../../snapshot/settled-answers';
import type { Services } from '../services';
import { windowNow, withGivenBack } from './window-now';

export interface SessionFacts extends FleetFacts {
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

export const decide = async (services: Pick<Services, 'limits'>, facts: SessionFacts): Promise<Decided> => {
  const { session, fleet, hosts } = facts;
  // A call that was overtaken by a stop grants nothing.
  if (session.stopping !== null || isToBeAborted(session)) return onlyDecided(nothing({}));
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  // From the rows: the snapshot lacks a host that the cloud no longer lists.
  const owned = asOwnedHosts(own, new Set(fleet.hosts.map(({ name }) => name)));
  const maxFailedHosts = session.maxFailedHosts ?? 0;
  const failure = failureOfHosts(owned, maxFailedHosts);
  if (failure !== undefined) return onlyDecided(nothing({ failure }));
  const setAside = hostsToSetAside(owned, maxFailedHosts);
  // Only set hosts aside now: the next decision sees the result.
  if (setAside.length > 0) return onlyDecided({ ...nothing({}), setAside, lookAgainMs: 1 });
  if (session.pausedAt !== null) {
    const held = await holdEverything(facts, resumesAt(session.pausedAt, session.pausedBecause));
    return onlyDecided(withGivenBack(held, windowNow(services, facts)));
  }
  return decideWithCanary(services, facts);
};

/** Hosts of the canary come first and alone (planning/rolling/canary.ts). */
const decideWithCanary = async (services: Pick<Services, 'limits'>, facts: SessionFacts): Promise<Decided> => {
  const { session, fleet, hosts, now } = facts;
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const stage = canaryStageOf(session, { fleet, now, own: own.map(({ hostname: name, phase }) => ({ name, phase })) });
  switch (stage.kind) {
    case 'none':
      return decideInWindow(services, facts);
    case 'first': {
      const decided = await decideInWindow(services, { ...facts, fleet: holdBack(fleet, stage.held) });
      return { ...decided, decision: withCanaryHeld(decided.decision, stage) };
    }
    case 'ended': {
      const { pauseBecause } = stage;
      const canaryEnded = pauseBecause === undefined ? {} : { pauseBecause };
      return onlyDecided({ ...nothing({}), canaryEnded, lookAgainMs: 1 });
    }
    case 'waiting': {
      const untilMs = stage.untilMs - now.getTime();
      const held = await holdEverything(facts, (who) => afterCanaryReason(who, stage.untilMs, now.getTime()));
      const lookAgainMs = untilNextLook([untilMs]);
      return onlyDecided(withGivenBack({ ...held, lookAgainMs }, windowNow(services, facts)));
    }
  }
};

const decideWork = async (services: Pick<Services, 'limits'>, facts: SessionFacts): Promise<Decided> =>
  asksInstances(facts.session) ? decideByInstance(services, facts) : onlyDecided(await decideByHost(facts));

/** A session with maintenance windows (planning/rolling/work-in-window.ts). */
const decideInWindow = async (services: Pick<Services, 'limits'>, facts: SessionFacts): Promise<Decided> => {
  const window = windowNow(services, facts);
  if (window === undefined) return decideWork(services, facts);
  if (window.kind === 'closed') {
    const { reasonFor, opensInMs = longestWaitMs } = window;
    const held = withGivenBack(await holdEverything(facts, reasonFor), window);
    return onlyDecided({ ...held, lookAgainMs: untilNextLook([opensInMs]) });
  }
  const { look } = window;
  const decided = look.isAnyToWorkOn
    ? await decideWork(services, { ...facts, fleet: withoutHeld(facts.fleet, look) })
    : onlyDecided({ ...nothing({}), lookAgainMs: longestWaitMs });
  return { ...decided, decision: withHeld(decided.decision, look) };
};

const onlyDecided = (decision: Decision): Decided => ({ decision, reserve: [], unreserve: [] });

/** The workflow of a stopping session acts on the stop at any moment, and asks nothing any more. */
const untilStoppedMs = 1_000;

const nothing = (outcome: { failure?: string }): Decision => ({
  ...nothingDecided,
  ...outcome,
  lookAgainMs: untilStoppedMs,
});

const resumesAt =
  (pausedAt: Date, because: string | null) =>
  (who: string): Waiting =>
    resumeReason(who, pausedAt.getTime(), because);

/** Such a session also stays in its state. Its hosts' workflows see to everything in flight. */
const holdEverything = async (
  { tx, session, fleet, hosts, claims, now }: SessionFacts,
  reasonFor: (who: string) => Waiting,
) => {
  const own = hosts.filter(({ sessionId }) => sessionId === session.id);
  const names = new Set(own.map(({ hostname }) => hostname));
  const questions = await findQuestions(tx, { sessionId: session.id });
  const waiting = waitingWhilePaused({
    reasonFor,
    nowMs: now.getTime(),
    hosts: own.map(({ hostname: name, phase, announcedAt }) => ({ name, phase, isAnnounced: announcedAt !== null })),
    instances: fleet.instances.filter(({ host }) => names.has(host)),
    moving: new Set(claims.filter(isMoving).map(({ instanceId }) => instanceId)),
    questions: questions.flatMap(({ hostname, status, ...question }) =>
      hostname === undefined || status !== 'open' ? [] : [{ ...question, hostname }],
    ),
  });
  return { ...nothing({}), waiting, lookAgainMs: longestWaitMs };
};

const isMoving = ({ phase, startedAt }: ClaimRecord): boolean => phase === 'moving' && startedAt !== null;

/** Planning knows the specification's states. A workflow from a package has other states between them. */
const plannedState = ({ state, workflow }: SessionProgress): SessionState => {
  const planned = sessionStates.find((name) => name === state);
  if (planned !== undefined) return planned;
  throw ApplicationFailure.nonRetryable(`workflow ${workflow}: no hosts are worked on in state ${state}`, 'WrongState');
};

// default: projects are asked about a whole host

const decideByHost = async (facts: SessionFacts): Promise<Decision> => {
  const { session, fleet, now } = facts;
  const ready = await readyInstances(facts.tx, facts);
  const view = { sessionId: session.id, state: plannedState(session), fleet: withSettled(fleet, ready), ready };
  return decideDefault(view, now.getTime(), { releases: usualReleases, maxFailedHosts: session.maxFailedHosts ?? 0 });
};

/** A project that chose an own action may act without a reserved place, whatever its constraints expect. */
const withSettled = (fleet: Fleet, ready: ReadonlyMap<string, Action>): Fleet => ({
  ...fleet,
  instances: fleet.instances.map((instance) => {
    const settledAction = instance.resourceMitigation === false ? ready.get(instance.id) : undefined;
    return settledAction === undefined ? instance : { ...instance, settledAction };
  }),
});

// vnf: every instance has its own question

const decideByInstance = async ({ limits }: Pick<Services, 'limits'>, facts: SessionFacts): Promise<Decided> => {
  const { tx, session, now, reservations } = facts;
  const fleet = await withoutExpiredQuestions(tx, facts);
  const { drainOrder } = session;
  const view = {
    sessionId: session.id,
    state: plannedState(session),
    fleet,
    ready: new Map(),
    drainOrder: drainOrder.length > 0 ? drainOrder : undefined,
  };
  const plan = planVnf(view, now.getTime(), {
    releases: usualReleases,
    maxFailedHosts: session.maxFailedHosts ?? 0,
    defaultImpactShare: limits.defaultImpactShare,
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
  { tx, session, fleet, now }: SessionFacts,
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
  const admit = withEarlierAnswers(decision.admit, new Map(helpful));
  return pausedAfterRefusals({ ...decision, admit }, new Map(refused), { nowMs: now.getTime(), nackRetrySeconds });
};
