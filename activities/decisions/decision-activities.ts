/** Decides: the one activity that plans and admits, and the look that chooses the state in which the work begins. */
import { Context } from '@temporalio/activity';
import { beginToSeeConstraints, findChangesSince } from '../../prisma/constraints/constraint-changes';
import { databaseNow, inTransaction, takeLock, type Transaction } from '../../prisma/database';
import { findSessionHosts, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { closeRecoveredClaims } from '../../prisma/moves/claims';
import { findAwaitedProjects } from '../../prisma/questions/question-rounds';
import { hasUnpublishedEvents, type SessionProgress } from '../../prisma/session/session-progress';
import { findExpectedTimes } from '../../prisma/times/find-expected-times';
import { areOutdated, type LimitedAdmission } from '../../rules/constraints/changed-limits';
import { fleetOfSession } from '../../rules/decisions/both-workflows/fleet-of-session';
import type { Decision } from '../../rules/decisions/decision';
import type { SessionState } from '../../rules/decisions/fleet/fleet';
import { stateAfterLook } from '../../rules/decisions/scale-in/when-to-scale-in';
import { usualTimesOf } from '../../rules/expectations/expected-times';
import { isBoundToTimes } from '../../rules/maintenance-windows/is-window-open';
import { fleetOfCanary } from '../../rules/steering/canary-of';
import { withoutHeldByCloud } from '../../rules/steering/held-by-cloud';
import { mayBegin } from '../../rules/steering/may-begin';
import type { CloudSnapshot } from '../../snapshot/look-at-cloud';
import { loadFleetFacts, readFleet } from '../../snapshot/read-fleet';
import type { AdmissionWatch } from '../../telemetry/metrics/measures';
import { shownProjects } from '../../temporal/workflow-messages';
import { followInstances, noteInstances } from '../hosts/note-instances';
import { showStandings } from '../hosts/show-standings';
import type { StateRef } from '../questions/state-ref';
import type { Services } from '../services';
import { type HeldBack, heldBack } from '../session/answer-held-back';
import { inSession, isAsBefore, sessionAsItIs, sessionInForce, takeOverSession } from '../session/run-in-force';
import { tellOfDeadline } from '../session/tell-deadline';
import { commitDecision, type HostOrdersDigest } from './commit-decision';
import { decide, type DecisionFacts } from './decide';
import type { DecisionTurn, HostListing } from './decision-turns';
import { areHostsAsBefore, withHostsNow } from './hosts-as-before';
import { findHostsToLookAtAgain, lookBeforeBegin } from './look-before-begin';
import { lookForSession } from './look-for-session';

/** The next steps of the session's workflow. The list has everything that is under work and granted, not only news. */
export interface NextSteps {
  readonly next?: SessionState;
  readonly failure?: string;
  /** Hosts whose workflow must be open, each with a digest of its orders. */
  readonly underWork: readonly HostOrdersDigest[];
  /** Projects for whose answer the session waits. */
  readonly awaitedProjects: readonly string[];
  readonly lookAgainMs: number;
  readonly unpublished: boolean;
}

export const createDecisionActivities = (services: Services) => ({
  async chooseBeginning(ref: StateRef): Promise<SessionState | HeldBack> {
    const snapshot = await lookForSession(services, ref);
    if (services.cloud.standingsSteer === true) await showStandings(services);
    return inSession(services, ref, async (tx, session) => {
      const now = await databaseNow(tx);
      if (!mayBegin(session, now)) return heldBack(session, now);
      const fleet = fleetOfSession(session, await readFleet(tx, snapshot, { now, ...services.limits }));
      await noteInstances(services, tx, { sessionId: ref.sessionId, listed: snapshot });
      return stateAfterLook(withoutHeldByCloud(fleetOfCanary(session, fleet, now)), ref.sessionId);
    });
  },

  /** Decides, and commits the decision in one transaction; one at a time over the whole service. */
  async planAndAdmit(ref: StateRef): Promise<NextSteps> {
    await takeOverSession(services, ref);
    return planOn(services, ref, { listing: 'listHostsLately', looked: await lookAgain(services, ref) });
  },
});

export type DecisionActivities = ReturnType<typeof createDecisionActivities>;

interface DecisionLook {
  readonly listing: HostListing;
  /** Hosts whose content was looked at for this decision. */
  readonly looked: readonly string[];
}

/** @returns the hosts that it has looked at: those that were in doubt */
const lookAgain = async (services: Services, ref: StateRef): Promise<readonly string[]> => {
  const hostnames = await findHostsToLookAtAgain(services, ref);
  await lookBeforeBegin(services, ref, hostnames);
  return hostnames;
};

/**
 * Never gives up because of hosts as they were lately, since a host may have come back: lists them again first. Never
 * begins a host without a look at what is on it: looks first, then decides again.
 */
const planOn = async (services: Services, ref: StateRef, { listing, looked }: DecisionLook): Promise<NextSteps> => {
  const decideInTurn = async (turn: DecisionTurn): Promise<NextSteps | LookFirst> => {
    const own = await findSessionHosts(services.db, ref.sessionId);
    const snapshot =
      recentEnough(own, turn.latestLook(services.cloud, listing)) ??
      (await turn.look(services.cloud, listing, () => lookForSession(services, ref, listing)));
    await followInstances(services, { sessionId: ref.sessionId, hosts: own }, snapshot);
    return decideAndCommit(services, ref, { snapshot, listing, looked, waitedMs: turn.waitedMs });
  };
  const over = Context.current().cancellationSignal;
  const plan = await services.decisionTurns.take(ref.sessionId, decideInTurn, over);
  if (!('unseen' in plan)) return plan;
  await lookBeforeBegin(services, ref, plan.unseen);
  return planOn(services, ref, { listing: plan.listing, looked: [...looked, ...plan.unseen] });
};

/** Only a look that began after a host was disabled shows that nothing more can come to it. */
const recentEnough = (
  own: readonly SessionHostRecord[],
  snapshot: CloudSnapshot | undefined,
): CloudSnapshot | undefined =>
  snapshot !== undefined && own.every(({ disabledAt }) => disabledAt === null || disabledAt <= snapshot.takenAt)
    ? snapshot
    : undefined;

/** True when the session asks for capacity, gives a host back or up, or fails. Outdated facts must not lead to this. */
const givesUp = ({ next, failure, setAside, gone, giveBackForDeadlock }: Decision): boolean =>
  next === 'SCALE_IN' || [failure, setAside, gone].some((one) => one !== undefined) || giveBackForDeadlock.length > 0;

interface LookedAt extends DecisionLook {
  readonly snapshot: CloudSnapshot;
  /** How long the session has waited for its turn in this process, in milliseconds. */
  readonly waitedMs: number;
}

/** Hosts that are to be begun and were not looked at, or an older look that is not good enough. */
interface LookFirst {
  readonly listing: HostListing;
  readonly unseen: readonly string[];
}

/**
 * Whom a decision holds off while it is made: nobody; those who change its session or its hosts; or writers of
 * constraints, too.
 */
const holdsOff = ['nobody', 'session', 'all'] as const;
type HeldOff = (typeof holdsOff)[number];

/**
 * A decision that was overtaken by a change of constraints, of its session or of its hosts is made anew, and holds
 * more off: a stream of changes does not keep the session from its end.
 */
const decideAndCommit = async (services: Services, ref: StateRef, look: LookedAt): Promise<NextSteps | LookFirst> => {
  for (const [attempt, heldOff] of holdsOff.entries()) {
    const waitedMs = attempt === 0 ? look.waitedMs : 0;
    const plan = await decideOnce(services, ref, { ...look, waitedMs, heldOff });
    if (plan !== 'overtaken') return plan;
  }
  throw new Error(`the decision of session ${ref.sessionId} was overtaken although it held all others off`);
};

type InDecision<T> = (tx: Transaction, watch: AdmissionWatch) => Promise<T>;

/** Sessions decide one after the other, over all processes. Only decisions wait for this, and no request does. */
const inDecision = <T>(
  { db, measures }: Pick<Services, 'db' | 'measures'>,
  { waitedMs }: Pick<LookedAt, 'waitedMs'>,
  work: InDecision<T>,
): Promise<T> => {
  const watch = measures.watchAdmission(waitedMs);
  return inTransaction(db, async (tx) => {
    await takeLock(tx, 'decision');
    watch.begun();
    return work(tx, watch);
  }).finally(() => watch.ended());
};

/** A change of constraints was committed before the decision: nothing of it is written. */
class Overtaken extends Error {}

/** Decides, writes the decision, and commits it unless something that it rests on has changed meanwhile. */
const decideOnce = async (
  services: Services,
  ref: StateRef,
  { heldOff, ...look }: LookedAt & { readonly heldOff: HeldOff },
): Promise<NextSteps | LookFirst | 'overtaken'> => {
  const made = inDecision(services, look, async (tx, watch) => {
    if (heldOff === 'all') await holdOffWriters(tx, watch, 'constraints');
    const seen = await beginToSeeConstraints(tx);
    const session = await (heldOff === 'nobody' ? sessionAsItIs : sessionInForce)(tx, ref.sessionId);
    if (session === undefined) return 'overtaken';
    const { facts, decision } = await decideFor(services, tx, { session, snapshot: look.snapshot });
    watch.decided();
    const hosts = heldOff === 'nobody' ? await lockAsBefore(tx, facts) : facts.hosts;
    if (hosts === undefined) return 'overtaken';
    const steps = await finish(services, { ...facts, hosts }, { decision, look });
    if (heldOff !== 'all') await holdOffWriters(tx, watch, 'admission');
    if (areOutdated(admissionsOf(facts, decision), await findChangesSince(tx, seen))) throw new Overtaken();
    return steps;
  });
  return made.catch((error: unknown) => {
    if (error instanceof Overtaken) return 'overtaken';
    throw error;
  });
};

/** Writers of constraints wait from now on: with what they write, or only with their commits. */
const holdOffWriters = async (
  tx: Transaction,
  watch: AdmissionWatch,
  lock: 'constraints' | 'admission',
): Promise<void> => {
  await takeLock(tx, lock);
  watch.locked();
};

/** Locks the session, and returns all hosts, its own as they are now; undefined where anything has changed. */
const lockAsBefore = async (
  tx: Transaction,
  { session: before, hosts }: DecisionFacts,
): Promise<readonly SessionHostRecord[] | undefined> => {
  const session = await sessionInForce(tx, before.id);
  if (!isAsBefore(session, before)) return undefined;
  const own = await findSessionHosts(tx, session.id);
  return areHostsAsBefore(own, hosts) ? withHostsNow(hosts, own) : undefined;
};

interface Deciding {
  readonly session: SessionProgress;
  readonly snapshot: CloudSnapshot;
}

const decideFor = async (
  services: Pick<Services, 'cloud' | 'limits'>,
  tx: Transaction,
  { session, snapshot }: Deciding,
): Promise<{ readonly facts: DecisionFacts; readonly decision: Decision }> => {
  const now = await databaseNow(tx);
  const expected = await expectations(services, tx, session);
  const foretellsAnswers = expected.expected !== undefined;
  const fleetFacts = await loadFleetFacts(tx, snapshot, { now, ...services.limits, foretellsAnswers });
  const facts = { tx, session, now, ...fleetFacts, ...expected };
  return { facts, decision: await decide(services, facts) };
};

const admissionsOf = ({ fleet }: DecisionFacts, { admit }: Decision): readonly LimitedAdmission[] => {
  if (admit.length === 0) return [];
  const projectOf = new Map(fleet.instances.map(({ id, projectId }) => [id, projectId]));
  return admit.map((admission) => ({ ...admission, projectId: projectOf.get(admission.instanceId) ?? '' }));
};

const finish = async (
  services: Services,
  facts: DecisionFacts,
  { decision, look: { listing, looked } }: { readonly decision: Decision; readonly look: LookedAt },
): Promise<NextSteps | LookFirst> => {
  // A recovered claim counts as closed already. Closing it lets its instance have a new claim.
  await closeRecoveredClaims(facts.tx, facts.now);
  await tellOfDeadline(services, facts.tx, facts);
  if (listing === 'listHostsLately' && givesUp(decision)) return { listing: 'listHosts', unseen: [] };
  const unseen = decision.drain.filter((name) => !looked.includes(name));
  return unseen.length > 0 ? { listing, unseen } : commit(services, facts, decision);
};

const expectations = async (
  { limits }: Pick<Services, 'limits'>,
  tx: Transaction,
  session: SessionProgress,
): Promise<Pick<DecisionFacts, 'expected'>> => {
  const { id: sessionId, actions, deadline, deadlineMissed } = session;
  if (!isBoundToTimes(session) && (deadline === null || deadlineMissed !== null)) return {};
  return { expected: await findExpectedTimes(tx, { sessionId, actions }, usualTimesOf(limits)) };
};

const commit = async (services: Services, facts: DecisionFacts, decision: Decision): Promise<NextSteps> => {
  const { tx, session } = facts;
  const underWork = await commitDecision(services, facts, decision);
  const { next, failure, lookAgainMs } = decision;
  return {
    ...(next && { next }),
    ...(failure && { failure }),
    underWork,
    awaitedProjects: shownProjects(await findAwaitedProjects(tx, session.id)),
    lookAgainMs,
    unpublished: await hasUnpublishedEvents(tx, session.id),
  };
};
