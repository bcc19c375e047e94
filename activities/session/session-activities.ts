/** The course of a session: entering states, stopping everything in flight, failing, being removed. */
import { ApplicationFailure } from '@temporalio/client';
import { databaseNow, type Transaction } from '../../prisma/database';
import { recordEntryPoint } from '../../prisma/session/entry-points';
import { listDownloads } from '../../prisma/session/session-downloads';
import { changeSession, findSessionProgress, type SessionProgress } from '../../prisma/session/session-progress';
import { longestWaitMs } from '../../rules/decisions/look-again';
import { isWindowOpen } from '../../rules/maintenance-windows/is-window-open';
import { isToBeAborted, mayPrepare, untilOpenMs } from '../../rules/steering/may-begin';
import { abortedByAdmin, sessionWorkflowId } from '../../temporal/workflow-messages';
import { isWorkflowOpen } from '../../temporal/workflow-state';
import { logFact } from '../log-facts';
import { reconcile, type Reconciling } from '../moves/reconcile';
import { withdrawQuestions } from '../questions/end-questions';
import type { Services } from '../services';
import { enterState, type NotEntered, pointOf, type StateEntry } from './enter-state';
import { recordFailure } from './record-failure';
import { type Removal, removeSession } from './remove-session';
import { inSession, type SessionRef, takeOverSession } from './run-in-force';
import { type StopOrder, type Stopping, stopWork } from './stop-work';

export interface SessionAtStart {
  readonly workflow: string;
  readonly initialState: string;
  /** True when there are files to download first. */
  readonly hasDownloads: boolean;
  /** True when an earlier run was told to abort and continued as new in that moment. */
  readonly isToBeAborted: boolean;
  /** The metadata of the create request. */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** The time that a package's handler has to end when it is cancelled. */
  readonly cancelGraceSeconds: number;
}

export const createSessionActivities = (services: Services) => ({
  /**
   * The facts that the engine needs. A read, so that only the first activity of a state makes the run the one in force.
   */
  openSession: (ref: SessionRef): Promise<SessionAtStart> => openSession(services, ref),

  /** The entry point of the set-up, under the initial state. */
  recordSetUp: (entry: StateEntry): Promise<void> =>
    inSession(services, entry, async (tx, { id: sessionId }) => {
      const isNew = await recordEntryPoint(tx, sessionId, { ...pointOf(entry), isSetUp: true });
      if (isNew) logFact(services, tx, { what: 'set-up begun', sessionId });
    }),

  /**
   * Records that the session has begun, once its start has come and nothing holds it. From then on the start is not
   * moved: a session that is paused, or outside its windows, has not begun.
   *
   * @returns milliseconds until the next look; 0: it has begun
   */
  lookAtStart: (ref: SessionRef): Promise<number> => inSession(services, ref, beginOnceDue),

  enterState: (entry: StateEntry): Promise<NotEntered | undefined> => enterState(services, entry),

  takeUpAbort: (ref: SessionRef): Promise<boolean> => takeUpAbort(services, ref),

  stopWork: (order: StopOrder): Promise<Stopping> => stopWork(services, order),

  async reconcileSession(ref: SessionRef): Promise<void> {
    await takeOverSession(services, ref);
    await reconcile(services, ref.sessionId);
  },

  /** @returns the reason why the session failed, with the hosts that it leaves disabled */
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

const openSession = async (
  { db, limits }: Pick<Services, 'db' | 'limits'>,
  { sessionId }: SessionRef,
): Promise<SessionAtStart> => {
  const session = await findSessionProgress(db, sessionId);
  if (session === null || session.deletedAt !== null) {
    throw ApplicationFailure.nonRetryable(`session ${sessionId} is deleted`, 'NotInForce');
  }
  const { workflow, initialState, metadata } = session;
  return {
    workflow,
    initialState,
    hasDownloads: (await listDownloads(db, sessionId)).length > 0,
    isToBeAborted: isToBeAborted(session),
    metadata,
    cancelGraceSeconds: limits.takeUpSeconds,
  };
};

/** @returns milliseconds until the next look; 0: it has begun */
const beginOnceDue = async (tx: Transaction, session: SessionProgress): Promise<number> => {
  if (session.begunAt !== null) return 0;
  const { maintenanceAt } = session;
  const now = await databaseNow(tx);
  if (maintenanceAt > now) return maintenanceAt.getTime() - now.getTime();
  if (!mayPrepare(session)) return longestWaitMs;
  if (!isWindowOpen(session, now)) return untilOpenMs(session, now);
  await changeSession(tx, session.id, { begunAt: now });
  return 0;
};

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/**
 * The task of a cleanup: a session to be deleted, a session whose workflow ended without recording a failure, or none.
 */
export type CleanupOrders =
  { readonly kind: 'delete' } | { readonly kind: 'fail'; readonly reason: string } | { readonly kind: 'nothing' };

/**
 * Reads in the row whether the session is to be aborted: a message about it may have come late, or once more after a
 * reset.
 * @returns false when it is not: the message is void
 */
const takeUpAbort = async (services: Reconciling, { sessionId }: SessionRef): Promise<boolean> => {
  // Read before this run becomes the run in force: a failed session that continues was aborted before.
  const before = await findSessionProgress(services.db, sessionId);
  if (before === null || before.deletedAt !== null || !isToBeAborted(before)) return false;
  return inSession(services, { sessionId }, async (tx, session) => {
    if (!isToBeAborted(session)) return false;
    await changeSession(tx, sessionId, { abortTakenUpAt: await databaseNow(tx) });
    return true;
  });
};

/** The failure of a session whose workflow ended before it could record one. */
const endedFromOutside =
  "the session's workflow was ended from outside (terminated in Temporal, or its history is gone); continue it from there";

const cleanupOrders = (session: SessionProgress, isAlive: boolean): CleanupOrders => {
  if (session.deleteRequestedAt !== null) return { kind: 'delete' };
  // The caller saw the workflow dead a moment ago: the session may have ended by itself, or have been continued.
  if (isAlive || session.state === 'MAINTENANCE_DONE' || hasFailedAlready(session)) return { kind: 'nothing' };
  // The session may have been failing already, and whoever ended it may have recorded the reason
  // (activities/upkeep/sweep-activities.ts).
  const why = isToBeAborted(session) ? abortedByAdmin : endedFromOutside;
  return { kind: 'fail', reason: session.failure ?? why };
};

/** False when a continued session stops again before it has continued, because that is another failure. */
const hasFailedAlready = ({ state, stopping }: SessionProgress): boolean =>
  state === 'MAINTENANCE_FAILED' && stopping === null;
