/**
 * The sweeper's round: finishes work that a killed process left half-done. Each part may run twice, and beside anything
 * else.
 */
import { createPlaces } from '../../calls/places';
import { databaseNow, inTransaction, lockSession } from '../../prisma/database';
import type { HostRef } from '../../prisma/hosts/session-hosts';
import { renewContinueRequest } from '../../prisma/session/continue-requests';
import { changeSession, findSessionProgress } from '../../prisma/session/session-progress';
import {
  findHostsUnderWork,
  findSessionsToSweep,
  findSessionsWithOrphanedClaims,
  type SweptSession,
} from '../../prisma/upkeep/swept-sessions';
import { isToBeAborted } from '../../rules/steering/may-begin';
import { hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';
import { findTaskFailure, findWorkflowState, isWorkflowOpen, type WorkflowState } from '../../temporal/workflow-state';
import { clearHostsGivenBack } from '../hosts/clear-host';
import { settleHosts } from '../hosts/host-switch';
import { showStandings } from '../hosts/show-standings';
import { reconcile } from '../moves/reconcile';
import { tellLeftOvers } from '../moves/tell-left-overs';
import type { Services } from '../services';
import { recordFailure } from '../session/record-failure';
import { sweepWebhooks } from '../webhooks/sweep-webhooks';
import { createRemovalOfOld } from './remove-old';

/** Temporal is asked about this many hosts at once. */
const mostLookupsAtOnce = 10;
/** The process that is first responsible for a step has this long before the sweeper does it. */
const graceMs = 5_000;
/** A workflow that has not begun the abort or deletion of its session by then is dead: it is terminated. */
const deafMsOf = ({ limits }: Pick<Services, 'limits'>): number => limits.takeUpSeconds * 1000;

export const createSweepActivities = (services: Services) => {
  const removeOld = createRemovalOfOld(services);
  return {
    /**
     * Independent parts: events are published even when the cloud or Temporal is down, and sessions are helped even
     * when the bus is down.
     */
    async sweepOnce(): Promise<void> {
      const parts = await Promise.allSettled([
        services.publisher.publishLeftOvers(),
        helpSessions(services),
        removeOld(),
        sweepWebhooks(services),
        tellLeftOvers(services),
        showStandings(services),
        clearHostsGivenBack(services),
      ]);
      for (const part of parts) if (part.status === 'rejected') throw part.reason;
    },
  };
};

export type SweepActivities = ReturnType<typeof createSweepActivities>;

const helpSessions = async (services: Services): Promise<void> => {
  const now = await databaseNow(services.db);
  // A part that fails does not prevent the others.
  const tell = (sessionId: string, what: string) => (error: unknown) => {
    services.logger.error({ err: error, sessionId }, `the sweeper could not ${what}`);
  };
  for (const session of await findSessionsToSweep(services.db)) {
    await sweepSession(services, session, now).catch(tell(session.id, 'help a session'));
  }
  const lookups = createPlaces(mostLookupsAtOnce);
  const attendOne = (host: HostRef): Promise<void> =>
    lookups.take(() => attend(services, host)).catch(tell(host.sessionId, `see to host ${host.hostname}`));
  await Promise.all((await findHostsUnderWork(services.db)).map(attendOne));
  for (const sessionId of await findSessionsWithOrphanedClaims(services.db)) {
    await reconcile(services, sessionId).catch(tell(sessionId, 'compare claims with the cloud'));
  }
  await settleHosts(services).catch((error: unknown) => {
    services.logger.error({ err: error }, 'the sweeper could not compare hosts with what is on record');
  });
};

const sweepSession = async (services: Services, session: SweptSession, now: Date): Promise<void> => {
  const deafMs = deafMsOf(services);
  const isDue = (since: Date, afterMs = graceMs) => now.getTime() - since.getTime() >= afterMs;
  if (isOver(session)) return endServing(services, session, now);
  const abortSince = abortDueSince(session);
  if (abortSince !== null) {
    if (isDue(abortSince)) await finishAbort(services, session, { now, isOverdue: isDue(abortSince, deafMs) });
    return;
  }
  if (session.continueRequestedAt !== null) {
    if (isDue(session.continueRequestedAt))
      await finishContinuation(services, session, isDue(session.continueRequestedAt, deafMs));
    return;
  }
  // The failure is looked at before the start: a session that was aborted before its start is not started any more.
  if (session.state === 'MAINTENANCE_FAILED') return failIfBroken(services, session);
  if (session.startedAt === null) {
    if (isDue(session.createdAt)) await finishStart(services, session, now);
    return;
  }
  await sweepStarted(services, session);
};

/**
 * Wakes the session of a host whose workflow has ended (terminated by hand, for example) although the work on it has
 * not. By itself a session seldom signals a host in maintenance, since messages every minute would fill the history,
 * and in some states it signals none. A session whose own workflow has ended fails, in the next round at the latest:
 * nothing begins for it.
 */
const attend = async (
  { client, workflowCalls, logger }: Pick<Services, 'client' | 'workflowCalls' | 'logger'>,
  { sessionId, hostname }: HostRef,
): Promise<void> => {
  if (await isWorkflowOpen(client, hostWorkflowId(sessionId, hostname))) return;
  if (!(await isWorkflowOpen(client, sessionWorkflowId(sessionId)))) return;
  logger.warn({ sessionId, hostname }, 'nobody works on a host that is under work: starting its workflow');
  await workflowCalls.startHost(sessionId, hostname);
};

const sweepStarted = async (services: Services, session: SweptSession): Promise<void> => {
  const workflow = await findWorkflowState(services.client, sessionWorkflowId(session.id));
  if (workflow.isOpen && !(await endIfBroken(services, session, workflow))) return;
  await bury(services, session);
};

const finishStart = async (
  { workflowCalls, db }: Pick<Services, 'workflowCalls' | 'db'>,
  { id }: SweptSession,
  now: Date,
): Promise<void> => {
  await workflowCalls.start(id);
  await changeSession(db, id, { startedAt: now });
};

/** A run that was reset and ended before its first activity needs another reset: the old request is answered. */
const finishContinuation = async (services: Services, session: SweptSession, isOverdue: boolean): Promise<void> => {
  const { client, workflowCalls, db } = services;
  const { id } = session;
  const workflow = await findWorkflowState(client, sessionWorkflowId(id));
  const fault = await findFault(services, session, workflow);
  if (fault !== undefined) return failAgain(services, session, fault);
  if (isOverdue && !workflow.isOpen) await renewContinueRequest(db, id);
  await workflowCalls.continueFailed(id);
};

/**
 * Its workflow ends before the continuation is dropped. When the process is killed in between, the continuation stays,
 * is tried once more, and fails. A continuation that was requested since then is another one.
 */
const failAgain = async (services: Services, session: SweptSession, fault: Fault): Promise<void> => {
  await terminate(services, session, fault);
  await recordFault(services, session, fault);
};

const terminate = async (
  { client }: Pick<Services, 'client'>,
  { id }: SweptSession,
  { runId, reason }: Fault,
): Promise<void> => {
  await client.workflow.getHandle(sessionWorkflowId(id), runId).terminate(reason);
};

const recordFault = (
  services: Pick<Services, 'db' | 'drafts' | 'logger'>,
  { id, continueRequestId }: SweptSession,
  { reason }: Fault,
): Promise<void> =>
  inTransaction(services.db, async (tx) => {
    await lockSession(tx, id);
    const now = await findSessionProgress(tx, id);
    if (now?.state !== 'MAINTENANCE_FAILED' || now.continueRequestId !== continueRequestId) return;
    await recordFailure(services, tx, { session: now, reason });
  });

/** The time since which the session is to be aborted, with or without a deletion; null when it is not. */
const abortDueSince = (session: SweptSession): Date | null =>
  isToBeAborted(session) ? (session.deleteRequestedAt ?? session.abortRequestedAt) : null;

interface Abort {
  readonly now: Date;
  readonly isOverdue: boolean;
}

const finishAbort = async (
  services: Pick<Services, 'client' | 'limits' | 'workflowCalls'>,
  session: SweptSession,
  abort: Abort,
): Promise<void> => {
  const { client, workflowCalls } = services;
  const workflowId = sessionWorkflowId(session.id);
  const state = await findWorkflowState(client, workflowId);
  if (!state.isOpen) return workflowCalls.startCleanup(session.id);
  // A package's workflow has begun the request, but may still never finish it.
  const isStuck = session.workflowModule !== null && abort.isOverdue && standsStill(services, state, abort.now);
  if (session.abortTakenUpAt !== null && !isStuck) return;
  if (!abort.isOverdue) return workflowCalls.abort(session.id);
  await client.workflow.getHandle(workflowId).terminate('did not take up the abort of its session');
  await workflowCalls.startCleanup(session.id);
};

/**
 * The session's workflow is over although the session is not: its hosts are stopped, then it has failed and can be
 * continued.
 */
const bury = async (
  { workflowCalls, logger }: Pick<Services, 'workflowCalls' | 'logger'>,
  { id }: SweptSession,
): Promise<void> => {
  logger.warn({ sessionId: id }, "the session's workflow is over although the session is not: cleaning up");
  await workflowCalls.startCleanup(id);
};

// sessions whose workflow a package brought: its code may fail in ways that end no workflow

/** A task that has failed this often will not succeed by another attempt. */
const mostTaskAttempts = 5;

const standsStill = (services: Pick<Services, 'limits'>, { task }: WorkflowState, now: Date): boolean => {
  if (task === undefined) return false;
  const waitsMs = task.waitsSince === undefined ? 0 : now.getTime() - task.waitsSince.getTime();
  return task.attempt >= mostTaskAttempts || waitsMs >= deafMsOf(services);
};

/** The reason why no worker can continue a run of its workflow. */
interface Fault {
  readonly runId: string;
  readonly reason: string;
}

/** Undefined when it may continue. */
const findFault = async (
  { client }: Pick<Services, 'client'>,
  { id, workflow, workflowModule }: SweptSession,
  state: WorkflowState,
): Promise<Fault | undefined> => {
  if (workflowModule === null || !state.isOpen) return undefined;
  const { runId, task } = state;
  if (task === undefined || task.attempt < mostTaskAttempts) return undefined;
  return { runId, reason: `workflow ${workflow} of the packages does not run: ${await whyTaskFails(client, id)}` };
};

/** The services by which a workflow is ended that nobody can bring to its end. */
type EndingServices = Pick<Services, 'client' | 'db' | 'limits'>;

/**
 * Fails the session with the reason, because further attempts would go on for ever. @returns true when its workflow was
 * ended
 */
const endIfBroken = async (
  services: EndingServices,
  session: SweptSession,
  workflow: WorkflowState,
): Promise<boolean> => {
  const fault = await findFault(services, session, workflow);
  if (fault === undefined) return false;
  await changeSession(services.db, session.id, { failure: fault.reason });
  await terminate(services, session, fault);
  return true;
};

/**
 * A failed session that was reset by hand, and does not reach its first activity: nobody else looks at it. Once its
 * workflow has ended nobody does at all, so the reason is recorded before. When the process is killed in between, it is
 * recorded once more.
 */
const failIfBroken = async (services: Services, session: SweptSession): Promise<void> => {
  if (session.workflowModule === null) return;
  const workflow = await findWorkflowState(services.client, sessionWorkflowId(session.id));
  const fault = await findFault(services, session, workflow);
  if (fault === undefined) return;
  await recordFault(services, session, fault);
  await terminate(services, session, fault);
};

const whyTaskFails = async (client: Services['client'], sessionId: string): Promise<string> =>
  (await findTaskFailure(client, sessionWorkflowId(sessionId))) ?? 'its workflow task does not end';

const isOver = ({ state, deletedAt, deleteRequestedAt }: SweptSession): boolean =>
  deletedAt !== null || (state === 'MAINTENANCE_DONE' && deleteRequestedAt === null);

/** Its queue is served until its workflow has ended. A workflow that nobody can bring to its end is terminated. */
const endServing = async (services: EndingServices, { id }: SweptSession, now: Date): Promise<void> => {
  const { client, db } = services;
  const state = await findWorkflowState(client, sessionWorkflowId(id));
  if (state.isOpen && !standsStill(services, state, now)) return;
  if (state.isOpen) await client.workflow.getHandle(sessionWorkflowId(id)).terminate('its session is over');
  await changeSession(db, id, { workflowModule: null });
};
