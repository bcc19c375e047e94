/** The course of a session: entering states, stopping what is in flight, failing, going away. */
import { workflowInForceIsGone } from './session-death';
import { isOpen, reconcile } from './reconcile';
import { goOnFrom, inSession, isStopped, type SessionRef, takeOverSession } from './run-in-force';
import { isUnderWork } from './planning-activities';
import type { Services } from './services';
import type { SessionNotice } from '../events/drafts';
import { appendEvent } from '../events/outbox';
import { Context } from '@temporalio/activity';
import type { SessionState } from '../planning/fleet';
import { databaseNow, type Transaction } from '../prisma/database';
import { findEntryPoint, recordEntryPoint } from '../prisma/entry-points';
import { withdrawQuestions } from '../prisma/question-rounds';
import { changeHost, disownHosts, findSessionHosts, percentDone } from '../prisma/session-hosts';
import { changeSession, removeSessionRecords, type SessionProgress } from '../prisma/session-progress';
import { sessionWorkflowId } from '../workflows/messages';

export interface Entry {
  readonly sessionId: string;
  readonly state: SessionState;
  /** ID of the running WORKFLOW_TASK_STARTED event. */
  readonly eventId: number;
}

export interface SessionOpening {
  readonly workflow: string;
  readonly initialState: SessionState;
  readonly maintenanceAtMs: number;
}

/** A stopping session tells its hosts again this often, since a wake-up may be lost. */
const stoppingLookMs = 5_000;

export const createSessionActivities = (services: Services) => ({
  openSession: (ref: SessionRef): Promise<SessionOpening> =>
    inSession(services, ref, (_tx, { workflow, initialState, maintenanceAt }) =>
      Promise.resolve({ workflow, initialState, maintenanceAtMs: maintenanceAt.getTime() }),
    ),

  /** The entry point of the set-up, under the initial state. */
  recordSetUp: (entry: Entry): Promise<void> =>
    inSession(services, entry, async (tx, session) => {
      // A run that begins anew took over before it knew its state: the session starts over with it.
      await goOnFrom(tx, session, entry.state);
      await recordEntryPoint(tx, entry.sessionId, pointOf(entry));
    }),

  /** Writes state, entry point and event, once for each time that the workflow enters the state. */
  async enterState(entry: Entry): Promise<void> {
    const { sessionId, state } = entry;
    await inSession(services, entry, async (tx, session) => {
      if (await isEntered(tx, session, entry)) return;
      // A new run of a failed session, whose history is gone, took over before it knew its state.
      if (isStopped(session)) await goOnFrom(tx, session, state);
      const isOnward = session.state !== state && !isStopped(session);
      const prevState = isOnward ? session.state : session.prevState;
      await changeSession(tx, sessionId, { state, prevState, stateEnteredAt: await databaseNow(tx) });
      await recordEntryPoint(tx, sessionId, pointOf(entry));
      await tellSession(services, tx, { sessionId, state });
      if (state === 'MAINTENANCE_DONE') await disownHosts(tx, sessionId);
    });
  },

  /** Nothing new is granted from here on; what is under work comes to its end. */
  stopWork: ({ sessionId, how }: SessionRef & StopWork): Promise<{ underWork: string[]; lookAgainMs: number }> =>
    inSession(services, { sessionId }, async (tx, session) => {
      const deleteTakenUpAt = how === 'aborting' ? { deleteTakenUpAt: await databaseNow(tx) } : {};
      if (session.stopping !== how) await changeSession(tx, sessionId, { stopping: how, ...deleteTakenUpAt });
      const hosts = await findSessionHosts(tx, sessionId);
      const released = hosts.filter(
        ({ phase }) => phase === 'emptying' || (how === 'aborting' && phase === 'maintaining'),
      );
      for (const host of released) await changeHost(tx, host, { phase: 'releasing' });
      const underWork = hosts.filter(isUnderWork).map(({ hostname }) => hostname);
      return { underWork, lookAgainMs: stoppingLookMs };
    }),

  async reconcileSession(ref: SessionRef): Promise<void> {
    await takeOverSession(services, ref);
    await reconcile(services, ref.sessionId);
  },

  /** @returns why the session failed, with what it leaves disabled */
  failSession: ({ sessionId, reason }: SessionRef & { readonly reason: string }): Promise<string> =>
    inSession(services, { sessionId }, async (tx, session) => {
      if (session.state === 'MAINTENANCE_FAILED') return session.failure ?? reason;
      await withdrawQuestions(tx, { sessionId });
      const failure = `${reason}${await leftDisabled(tx, sessionId)}`;
      const state = 'MAINTENANCE_FAILED';
      const prevState = session.state;
      await changeSession(tx, sessionId, { state, prevState, failure, stopping: null });
      await tellSession(services, tx, { sessionId, state, failed: { prevState, failure } });
      logFailure(services, sessionId, failure);
      return failure;
    }),

  /** The session is gone for its users; claims and unpublished events stay. */
  removeSession: ({ sessionId }: SessionRef): Promise<void> =>
    inSession(services, { sessionId }, (tx) => removeSessionRecords(tx, sessionId)),

  async openCleanup({ sessionId }: SessionRef): Promise<CleanupOrders> {
    const isAlive = await isOpen(services.client, sessionWorkflowId(sessionId));
    return inSession(services, { sessionId }, (_tx, session) => Promise.resolve(cleanupOrders(session, isAlive)));
  },
});

export type SessionActivities = ReturnType<typeof createSessionActivities>;

/** What a cleanup is about: a session to be deleted, one whose workflow ended without a word, or none after all. */
export type CleanupOrders =
  { readonly kind: 'delete' } | { readonly kind: 'fail'; readonly reason: string } | { readonly kind: 'nothing' };

const cleanupOrders = ({ state, deleteRequestedAt }: SessionProgress, isAlive: boolean): CleanupOrders => {
  if (deleteRequestedAt !== null) return { kind: 'delete' };
  // Whoever saw it dead looked a moment ago: it may have ended well, or have been resumed.
  if (isAlive || state === 'MAINTENANCE_DONE') return { kind: 'nothing' };
  return { kind: 'fail', reason: workflowInForceIsGone };
};

interface StopWork {
  readonly how: 'failing' | 'aborting';
}

const callingRunId = (): string => Context.current().info.workflowExecution?.runId ?? '';

const pointOf = ({ state, eventId }: Entry) => ({ state, eventId, runId: callingRunId() });

/** A repeat of the same activity; a later entry of the same state has another event. */
const isEntered = async (tx: Transaction, session: SessionProgress, { state, eventId }: Entry): Promise<boolean> => {
  const point = await findEntryPoint(tx, session.id, state);
  return session.state === state && point?.runId === callingRunId() && point.eventId === eventId;
};

const tellSession = async (
  { drafts }: Pick<Services, 'drafts'>,
  tx: Transaction,
  notice: Omit<SessionNotice, 'percentDone'>,
): Promise<void> => {
  const done = await percentDone(tx, notice.sessionId);
  await appendEvent(tx, drafts.session({ ...notice, percentDone: done }));
};

const leftDisabled = async (tx: Transaction, sessionId: string): Promise<string> => {
  const hosts = (await findSessionHosts(tx, sessionId)).filter(({ disabled, maintained }) => disabled && !maintained);
  return hosts.length === 0 ? '' : ` (left disabled: ${hosts.map(({ hostname }) => hostname).join(', ')})`;
};

const logFailure = ({ logger }: Pick<Services, 'logger'>, sessionId: string, failure: string): void =>
  logger.error({ sessionId, failure }, 'the session failed');
