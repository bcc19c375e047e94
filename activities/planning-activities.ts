/** Deciding: the one activity that plans and admits, and the look that chooses where the work begins. */
import { randomUUID } from 'node:crypto';
import { loadFleet, lookAtCloud } from './load-fleet';
import { noteInstances } from './note-instances';
import { inSession, sessionInForce, takeOverSession } from './run-in-force';
import type { StateRef } from './question-activities';
import type { Services } from './services';
import { actionOf, coveringQuestion } from '../planning/action-of';
import { stateAfterLook } from '../planning/beginning';
import { decideDefault } from '../planning/decide-default';
import type { Decision } from '../planning/decision';
import type { Action, Fleet, HostPhase, Instance, SessionState } from '../planning/fleet';
import { findActiveClaims, findExpiredOwnActions, insertClaims, type NewClaim } from '../prisma/claims';
import { databaseNow, inTransaction, takeLock, type Transaction } from '../prisma/database';
import { findAwaitedProjects, findQuestions } from '../prisma/question-rounds';
import { changeHost, findSessionHosts, isUnderWork, type SessionHostRecord } from '../prisma/session-hosts';
import { hasUnpublishedEvents, recordWaiting, type SessionProgress } from '../prisma/session-progress';

export interface HostOrdersDigest {
  readonly hostname: string;
  readonly phase: HostPhase;
  /** Changes when there is something new for the host's workflow. */
  readonly orders: string;
}

/** What the session's workflow does next. Everything open and granted is in it, not only what is new. */
export interface Plan {
  readonly next?: SessionState;
  readonly failure?: string;
  /** Hosts whose workflow must be open, each with a digest of what it has to do. */
  readonly underWork: readonly HostOrdersDigest[];
  /** Projects whose answer is waited for. */
  readonly awaitedProjects: readonly string[];
  readonly lookAgainMs: number;
  readonly unpublished: boolean;
}

/** How often a host may be given back to break a deadlock. */
const mostReleases = 2;

export const createPlanningActivities = (services: Services) => ({
  async chooseBeginning(ref: StateRef): Promise<SessionState> {
    const snapshot = await lookAtCloud(services.cloud, services.db);
    return inSession(services, ref, async (tx) => {
      const fleet = await loadFleet(tx, snapshot, await databaseNow(tx));
      await noteInstances(tx, ref.sessionId, snapshot);
      return stateAfterLook(fleet, ref.sessionId);
    });
  },

  /** Decides, and commits what was decided, in one transaction; one at a time over the whole service. */
  async planAndAdmit(ref: StateRef): Promise<Plan> {
    await takeOverSession(services, ref);
    const snapshot = await lookAtCloud(services.cloud, services.db);
    return inTransaction(services.db, async (tx) => {
      await takeLock(tx, 'admission');
      const session = await sessionInForce(tx, ref.sessionId);
      const now = await databaseNow(tx);
      const fleet = await loadFleet(tx, snapshot, now);
      await noteInstances(tx, session.id, snapshot);
      const decision = await decide({ tx, session, fleet, now });
      await commit({ tx, session, fleet, decision, now });
      return toPlan(tx, session, decision);
    });
  },
});

export type PlanningActivities = ReturnType<typeof createPlanningActivities>;

interface Facts {
  readonly tx: Transaction;
  readonly session: SessionProgress;
  readonly fleet: Fleet;
  readonly now: Date;
}

const decide = async ({ tx, session, fleet, now }: Facts): Promise<Decision> => {
  // A call that a stop has overtaken grants nothing.
  if (session.stopping !== null || session.deleteRequestedAt !== null) return nothing({});
  const failures = (await findSessionHosts(tx, session.id)).flatMap((host) => failureOf(host, fleet));
  // One host's failure fails the session at once; what is in flight elsewhere ends cleanly (workflows/stop-work.ts).
  if (failures.length > 0) return nothing({ failure: failures.join('; ') });
  const ready = await readyInstances(tx, session, fleet);
  const view = { sessionId: session.id, state: session.state, fleet, ready };
  return decideDefault(view, now.getTime(), { releases: mostReleases });
};

/** Rows tell more than the snapshot: a host that the cloud does not list any more is not done. */
const failureOf = ({ hostname, failure, maintained }: SessionHostRecord, { hosts }: Fleet): string[] => {
  if (failure !== null) return [failure];
  if (maintained || hosts.some(({ name }) => name === hostname)) return [];
  return [`host ${hostname}: the cloud does not list it any more; bring it back, then resume`];
};

const nothing = (outcome: { failure?: string }): Decision => ({
  ...outcome,
  open: [],
  admit: [],
  begin: [],
  release: [],
  waiting: [],
  lookAgainMs: 1_000,
});

/** Instances on the session's hosts whose question is settled, or of which nothing is asked, and how each moves. */
const readyInstances = async (
  tx: Transaction,
  session: SessionProgress,
  fleet: Fleet,
): Promise<ReadonlyMap<string, Action>> => {
  const emptying = new Set(
    fleet.hosts
      .filter(({ work }) => work?.sessionId === session.id && work.phase === 'emptying')
      .map(({ name }) => name),
  );
  const questions = await findQuestions(tx, { sessionId: session.id, state: session.state });
  const expired = await findExpiredOwnActions(tx, session.id);
  const actionFor = (instance: Instance): [string, Action][] => {
    const about = questions.filter(({ hostname }) => hostname === instance.host);
    const question = coveringQuestion(instance.id, about);
    if (question === undefined && instance.leadTimeSeconds !== 0) return [];
    const action = actionOf(instance, expired.has(instance.id) ? undefined : question);
    return [[instance.id, action]];
  };
  return new Map(fleet.instances.filter(({ host }) => emptying.has(host)).flatMap(actionFor));
};

const commit = async ({ tx, session, fleet, decision, now }: Facts & { decision: Decision }): Promise<void> => {
  const { id: sessionId } = session;
  const host = (hostname: string) => ({ sessionId, hostname });
  for (const name of decision.open) await changeHost(tx, host(name), { phase: 'emptying', openedAt: now });
  for (const name of decision.begin) await changeHost(tx, host(name), { phase: 'maintaining' });
  for (const name of decision.release) {
    await changeHost(tx, host(name), { phase: 'releasing', releases: { increment: 1 } });
  }
  await insertClaims(tx, newClaims(sessionId, fleet, decision));
  if (JSON.stringify(decision.waiting) !== JSON.stringify(session.waiting)) {
    await recordWaiting(tx, sessionId, decision.waiting);
  }
};

const newClaims = (sessionId: string, { instances, groups }: Fleet, { admit }: Decision): NewClaim[] => {
  const instanceOf = new Map(instances.map((instance) => [instance.id, instance]));
  const groupOf = new Map(groups.map((group) => [group.key, group]));
  return admit.flatMap(({ instanceId, groupKey, source, target, action }) => {
    const instance = instanceOf.get(instanceId);
    if (instance === undefined) return [];
    const { name: instanceName, projectId, vcpus, memoryMb } = instance;
    const recoveryTime = groupOf.get(groupKey)?.recoveryTimeSeconds ?? 0;
    const place = { source, target, action, vcpus, memoryMb, recoveryTime };
    return [{ id: randomUUID(), sessionId, instanceId, instanceName, projectId, groupKey, ...place }];
  });
};

const toPlan = async (tx: Transaction, session: SessionProgress, decision: Decision): Promise<Plan> => {
  const hosts = await findSessionHosts(tx, session.id);
  const claims = await findActiveClaims(tx, session.id);
  const orders = ({ hostname, phase }: SessionHostRecord): string =>
    [phase, ...claims.filter(({ source }) => source === hostname).map(({ id }) => id)].join(' ');
  return {
    ...(decision.next && { next: decision.next }),
    ...(decision.failure && { failure: decision.failure }),
    underWork: hosts
      .filter(isUnderWork)
      .map((host) => ({ hostname: host.hostname, phase: host.phase, orders: orders(host) })),
    awaitedProjects: await findAwaitedProjects(tx, session.id),
    lookAgainMs: decision.lookAgainMs,
    unpublished: await hasUnpublishedEvents(tx, session.id),
  };
};
