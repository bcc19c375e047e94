/** The course of a session: entering states, stopping what is in flight, failing, going away. */
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import { isWorkflowOpen } from '../../control/workflow-state';
import { abortedByAdmin, sessionWorkflowId } from '../../messages/workflow-messages';
import { isUnsettled } from '../../planning/questions/negotiation';
import { databaseNow, type Transaction } from '../../prisma/database';
import {
  changeHost,
  disownHosts,
  findSessionHosts,
  isUnderWork,
  type SessionHostRecord,
} from '../../prisma/hosts/session-hosts';
import { findSessionProjects } from '../../prisma/hosts/session-instances';
import { lockProjectQuestions } from '../../prisma/questions/question-rounds';
import { findEntryPoint, recordEntryPoint } from '../../prisma/session/entry-points';
import { listDownloads } from '../../prisma/session/session-downloads';
import {
  changeSession,
  findSessionProgress,
  isToBeAborted,
  type SessionProgress,
} from '../../prisma/session/session-progress';
import { logFact, secondsBetween } from '../log-facts';
import { reconcile } from '../moves/reconcile';
import { goOnInState, withdrawQuestions } from '../questions/end-questions';
import type { Services } from '../services';
import { recordFailure } from './record-failure';
import { type Removal, removeSession } from './remove-session';
import { inSession, type SessionRef, takeOverSession } from './run-in-force';
import { tellSession } from './tell-session';

export interface Entry {
  readonly sessionId: string;
  readonly state: string;
  /** ID of the running WORKFLOW_TASK_STARTED event. */
  readonly eventId: number;
  /** The session has asked its projects in the state that it leaves, and goes on from what they answered. */
  readonly restsOnAnswers?: boolean;
}

/** A project has refused since what it had accepted: it is to be asked again before the session goes on. */
const unsettled = 'unsettled';

export interface SessionOpening {
  readonly workflow: string;
  readonly initialState: string;
  readonly maintenanceAtMs: number;
  /** Whether there are files to download first; histories of before there were downloads have no such field. */
  readonly hasDownloads?: boolean;
  /** An earlier run was told to abort and continued as new in that moment; older histories have no such field. */
  readonly isToBeAborted?: boolean;
  /** Of the create request; histories of before handlers were given it have no such field. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /**
   * How long a package's handler has to end when it is cancelled; in histories of before that was a setting it had 60
   * s.
   */
  readonly cancelGraceSeconds?: number;
  /**
   * Whether a project that refuses before the session begins is asked again at once; in histories of before that,
   * sessions slept until they began.
   */
  readonly asksAgainBeforeStart?: boolean;
}

export const createSessionActivities = (services: Services) => ({
  /** What the engine has to know; a read, so that the first activity of a state is what takes the session over. */
  async openSession({ sessionId }: SessionRef): Promise<SessionOpening> {
    const session = await findSessionProgress(services.db, sessionId);
    if (session === null || session.deletedAt !== null) {
      throw ApplicationFailure.nonRetryable(`session ${sessionId} is deleted`, 'NotInForce');
    }
    const { workflow, initialState, maintenanceAt, metadata } = session;
    const hasDownloads = (await listDownloads(services.db, sessionId)).length > 0;
    const maintenanceAtMs = maintenanceAt.getTime();
    return {
      workflow,
      initialState,
      maintenanceAtMs,
      hasDownloads,
      isToBeAborted: isToBeAborted(session),
      metadata,
      cancelGraceSeconds: services.limits.takeUpSeconds,
      asksAgainBeforeStart: true,
    };
  },

  /** The entry point of the set-up, under the initial state. */
  recordSetUp: (entry: Entry): Promise<void> =>
    inSession(services, entry, async (tx, { id: sessionId }) => {
      const isNew = await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: true });
      if (isNew) logFact(services, tx, { what: 'set-up begun', sessionId });
    }),

  /** Writes state, entry point and event, once for each time that the workflow enters the state. */
  async enterState(entry: Entry): Promise<typeof unsettled | undefined> {
    const { sessionId, state } = entry;
    return inSession(services, entry, async (tx, session) => {
      if (await isEntered(tx, session, entry)) return undefined;
      if (entry.restsOnAnswers === true && (await isUnsettledIn(tx, session))) return unsettled;
      const prevState = session.state === state ? session.prevState : session.state;
      const now = await databaseNow(tx);
      await changeSession(tx, sessionId, { state, prevState, stateEnteredAt: now });
      const secondsBefore = secondsBetween(session.stateEnteredAt, now);
      logFact(services, tx, { what: 'state entered', sessionId, state, prevState, secondsBefore });
      await goOnInState(services, tx, entry);
      await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: false });
      await tellSession(services, tx, { sessionId, state });
      if (state === 'MAINTENANCE_DONE') await letGo(tx, sessionId);
      return undefined;
    });
  },

  takeUpAbort: (ref: SessionRef): Promise<boolean> => takeUpAbort(services, ref),

  /** What runs of before sessions could be aborted call; may go with their path in workflows/requests.ts. */
  takeUpDeletion: (ref: SessionRef): Promise<boolean> => takeUpAbort(services, ref),

  /**
   * Nothing new is granted from here on; what is under work comes to its end. Why is told at once, however long that
   * takes.
   */
  stopWork: (ref: SessionRef & { readonly how: StopReason; readonly reason?: string }): Promise<Stopping> =>
    inSession(services, { sessionId: ref.sessionId }, async (tx, session) => {
      const isToBeDeleted = session.deleteRequestedAt !== null;
      if (session.state === 'MAINTENANCE_DONE') return { underWork: [], how: ref.how, isToBeDeleted };
      // Who aborts or deletes the session while it fails does not wait for hosts in maintenance either.
      const how = isToBeAborted(session) ? 'aborting' : ref.how;
      const hosts = await findSessionHosts(tx, session.id);
      const released = hosts.filter((host) => isToBeReleased(host, how, session.stopping !== how));
      if (session.stopping !== how) {
        const why = ref.reason === undefined || isToBeDeleted ? {} : { failure: ref.reason };
        // What comes to its end is not held up by a pause.
        await changeSession(tx, session.id, { stopping: how, pausedAt: null, ...why });
        const level = how === 'failing' ? 'warn' : 'info';
        const { id: sessionId, state } = session;
        logFact(services, tx, { what: `session stops, ${how}`, level, sessionId, state, reason: ref.reason });
      }
      // What an earlier failure has left is no failure of giving it back.
      const blameless = how === 'aborting' ? { failure: null } : {};
      for (const host of released) await changeHost(tx, host, { phase: 'releasing', ...blameless });
      const underWork = hosts.filter((host) => isUnderWork(host) || released.includes(host));
      return { how, underWork: underWork.map(({ hostname }) => hostname), isToBeDeleted };
    }),

  async reconcileSession(ref: SessionRef): Promise<void> {
    await takeOverSession(services, ref);
    await reconcile(services, ref.sessionId);
  },

  /** @returns why the session failed, with what it leaves disabled */
  failSession: ({ sessionId, reason }: SessionRef & { readonly reason: string }): Promise<string> =>
    inSession(services, { sessionId }, async (tx, session) => {
      if (hasFailedAlready(session) || session.state === 'MAINTENANCE_DONE') return session.failure ?? reason;
      await withdrawQuestions(services, tx, { sessionId });
      return recordFailure(services, tx, { session, reason });
    }),

  removeSession: ({ sessionId }: SessionRef): Promise<Removal> => removeSession(services, sessionId),

  async openCleanup({ sessionId }: SessionRef): Promise<CleanupOrders> {
    const isAlive = await isWorkflowOpen(services.client, sessionWorkflowId(sessionId));
    return inSession(services, { sessionId }, (_tx, session) => Promise.resolve(cleanupOrders(session, isAlive)));
  },
});

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/** What a cleanup is about: a session to be deleted, one whose workflow ended without a word, or none after all. */
export type CleanupOrders =
  { readonly kind: 'delete' } | { readonly kind: 'fail'; readonly reason: string } | { readonly kind: 'nothing' };

/**
 * The row says whether the session is to be aborted: a message about it may have come late, or once more after a reset.
 * @returns false where it is not: the message is void
 */
const takeUpAbort = async (services: Services, { sessionId }: SessionRef): Promise<boolean> => {
  // Looked at before this run takes the session over: a failed session that goes on again was aborted before.
  const before = await findSessionProgress(services.db, sessionId);
  if (before === null || before.deletedAt !== null || !isToBeAborted(before)) return false;
  return inSession(services, { sessionId }, async (tx, session) => {
    if (!isToBeAborted(session)) return false;
    await changeSession(tx, sessionId, { abortTakenUpAt: await databaseNow(tx) });
    return true;
  });
};

/** The failure of a session whose workflow did not live to tell one. */
const endedFromOutside =
  "the session's workflow was ended from outside (terminated in Temporal, or its history is gone); resume it to go on";

const cleanupOrders = (session: SessionProgress, isAlive: boolean): CleanupOrders => {
  if (session.deleteRequestedAt !== null) return { kind: 'delete' };
  // Whoever saw it dead looked a moment ago: it may have ended by itself, or have been resumed.
  if (isAlive || session.state === 'MAINTENANCE_DONE' || hasFailedAlready(session)) return { kind: 'nothing' };
  // It may have been failing already, and whoever ended it may have said why (activities/upkeep/sweep-activities.ts).
  const why = isToBeAborted(session) ? abortedByAdmin : endedFromOutside;
  return { kind: 'fail', reason: session.failure ?? why };
};

/**
 * failing: moves under way end and their hosts are enabled; hosts whose maintenance was announced are finished.
 * aborting: as failing, but plug-ins are cancelled and hosts in maintenance are given back as well.
 */
export type StopReason = 'failing' | 'aborting';

export interface Stopping {
  /** Hosts that have not come to their end. */
  readonly underWork: readonly string[];
  readonly how: StopReason;
  /** The session goes away once all have; older histories have no such field. */
  readonly isToBeDeleted?: boolean;
}

/** An aborted or deleted session also enables, once, what an earlier failure has left disabled. */
const isToBeReleased = (host: SessionHostRecord, how: StopReason, isFirst: boolean): boolean => {
  // A host that is marked for maintenance is given back unmaintained: a session that ends begins nothing.
  if (host.phase === 'emptying' || (host.phase === 'maintaining' && host.announcedAt === null)) return true;
  if (how === 'failing') return false;
  if (host.phase === 'maintaining') return true;
  const isLeftDisabled = host.disabled && host.disabledBefore === false;
  return isFirst && isLeftDisabled && (host.phase === 'failed' || host.phase === 'waiting');
};

/** A session that is done owns no hosts and has nothing to be paused. */
const letGo = async (tx: Transaction, sessionId: string): Promise<void> => {
  await disownHosts(tx, sessionId);
  await changeSession(tx, sessionId, { pausedAt: null });
};

const callingRunId = (): string => Context.current().info.workflowExecution?.runId ?? '';

const pointOf = ({ state, eventId }: Entry) => ({ state, eventId, runId: callingRunId() });

/** A repeat of the same activity; a later entry of the same state has another event. */
const isEntered = async (tx: Transaction, session: SessionProgress, { state, eventId }: Entry): Promise<boolean> => {
  const point = await findEntryPoint(tx, session.id, state);
  return session.state === state && point?.runId === callingRunId() && point.eventId === eventId;
};

/** The answers are locked: one that comes now is seen here, or comes when the session has gone on. */
const isUnsettledIn = async (tx: Transaction, { id: sessionId, state }: SessionProgress): Promise<boolean> => {
  const questions = await lockProjectQuestions(tx, { sessionId, state });
  return isUnsettled(questions, await findSessionProjects(tx, sessionId));
};

/** Not so where it was resumed and is stopping again before it has gone on: that failure is another one. */
const hasFailedAlready = ({ state, stopping }: SessionProgress): boolean =>
  state === 'MAINTENANCE_FAILED' && stopping === null;
