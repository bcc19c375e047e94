/**
 * Decides which run may write. The row of a session, and of a host, names the Temporal run in force. A run that the row
 * does not know is looked up: the current run of that workflow ID becomes the run in force, if it is open (so
 * continue-as-new and a reset by hand need nothing else). Any other run, for example one that a reset or a termination
 * ended, records nothing.
 */
import { isDeepStrictEqual } from 'node:util';
import { Context } from '@temporalio/activity';
import { ApplicationFailure } from '@temporalio/client';
import { databaseNow, inTransaction, inTurnOfSession, lockSession, type Transaction } from '../../prisma/database';
import { changeHost, findSessionHost, type HostRef, type SessionHostRecord } from '../../prisma/hosts/session-hosts';
import { dropLaterEntryPoints } from '../../prisma/session/entry-points';
import {
  changeSession,
  findSessionProgress,
  hasPresentOpening,
  reviveSession,
  type SessionProgress,
  withPresentOpening,
} from '../../prisma/session/session-progress';
import { cleanupWorkflowId, hostWorkflowId, sessionWorkflowId } from '../../temporal/workflow-messages';
import { findWorkflowState, isWorkflowOpen } from '../../temporal/workflow-state';
import { logFact } from '../log-facts';
import { reconcile, type Reconciling } from '../moves/reconcile';
import { goOnInState } from '../questions/end-questions';
import type { Services } from '../services';

export interface SessionRef {
  readonly sessionId: string;
  /** The state of the workflow; left out when it is in none. */
  readonly state?: string;
}

/** Runs `work` in a transaction that holds the session's row, if the calling run is in force. */
export const inSession = async <T>(
  services: Reconciling,
  ref: SessionRef,
  work: (tx: Transaction, session: SessionProgress) => Promise<T>,
): Promise<T> => {
  await takeOverSession(services, ref);
  return inTurnOfSession(services.db, ref.sessionId, async (tx) => work(tx, await sessionInForce(tx, ref.sessionId)));
};

/** The locked row of the session, in a transaction of the caller's. */
export const sessionInForce = async (tx: Transaction, sessionId: string): Promise<SessionProgress> => {
  await lockSession(tx, sessionId);
  const session = await findSessionProgress(tx, sessionId);
  if (session === null || session.deletedAt !== null) throw superseded(`session ${sessionId} is deleted`);
  if (session.runId !== callingRun().runId) throw superseded(`session ${sessionId}`);
  return withPresentOpening(tx, session);
};

/**
 * The row of the session without a lock, for a decision that compares it with the locked row before it is written.
 * Undefined: its next window is still to be worked out, which writes the row.
 */
export const sessionAsItIs = async (tx: Transaction, sessionId: string): Promise<SessionProgress | undefined> => {
  const session = await findSessionProgress(tx, sessionId);
  if (session === null || session.deletedAt !== null) throw superseded(`session ${sessionId} is deleted`);
  if (session.runId !== callingRun().runId) throw superseded(`session ${sessionId}`);
  return hasPresentOpening(session, await databaseNow(tx)) ? session : undefined;
};

/** Columns that change with every event, and which no decision reads. */
const notDecidedOn = { eventSeq: 0, updatedAt: null };

export const isAsBefore = (session: SessionProgress, before: SessionProgress): boolean =>
  isDeepStrictEqual({ ...session, ...notDecidedOn }, { ...before, ...notDecidedOn });

/**
 * Makes the calling run the one in force, if it is the current run of the session's workflow and open; or of its
 * cleanup, while the session's own workflow is closed.
 */
export const takeOverSession = async (services: Reconciling, { sessionId, state }: SessionRef): Promise<void> => {
  const { runId } = callingRun();
  const known = await findSessionProgress(services.db, sessionId);
  if (isCleanup(sessionId)) await assertNotResumed(services, known);
  if (known?.runId === runId) return;
  await assertCurrent(services, isCleanup(sessionId) ? cleanupWorkflowId(sessionId) : sessionWorkflowId(sessionId));
  await inTransaction(services.db, async (tx) => {
    await lockSession(tx, sessionId);
    const before = await findSessionProgress(tx, sessionId);
    if (before === null || before.deletedAt !== null) throw superseded(`session ${sessionId} is deleted`);
    if (before.runId === runId) return;
    assertUnchanged(before, known);
    await (isCleanup(sessionId) ? changeSession(tx, sessionId, { runId }) : goOn(services, tx, { before, state }));
  });
  // Moves that the earlier run left in flight may be over by now. A cleanup first stops the work on hosts.
  if (!isCleanup(sessionId)) await reconcile(services, sessionId);
};

/**
 * Another run became the run in force after Temporal was asked, so the calling run may have ended: it is looked up
 * again.
 */
const assertUnchanged = (now: Pick<SessionProgress, 'runId'>, known: Pick<SessionProgress, 'runId'> | null): void => {
  if (now.runId !== (known?.runId ?? null)) throw new Error('another run has taken over meanwhile; to be tried again');
};

const goOn = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { before, state }: { readonly before: SessionProgress; readonly state: string | undefined },
): Promise<void> => {
  const { id: sessionId } = before;
  // Its hosts may belong to another session by now.
  if (before.state === 'MAINTENANCE_DONE' && state !== undefined && state !== before.state) {
    throw superseded(`session ${sessionId} is done`);
  }
  // This run must act again on an abort or a deletion that another run had begun.
  const startedAt = await databaseNow(tx);
  await changeSession(tx, sessionId, { runId: callingRun().runId, startedAt, abortTakenUpAt: null });
  if (state !== undefined && (await goOnFrom(services, tx, { before, state }))) {
    logFact(services, tx, { what: 'session goes on', sessionId, state, prevState: before.state });
  }
};

/**
 * Brings the session's row to the state of the new run: a continued session works again, and so does one that was reset
 * by hand. A run that merely continues as new changes nothing.
 *
 * @returns true when something changed
 */
const goOnFrom = async (
  services: Pick<Services, 'logger'>,
  tx: Transaction,
  { before, state }: { readonly before: SessionProgress; readonly state: string },
): Promise<boolean> => {
  const hasStopped = before.state === 'MAINTENANCE_FAILED' || before.stopping !== null;
  if (before.state === state && !hasStopped) return false;
  await reviveSession(tx, before);
  await dropLaterEntryPoints(tx, before.id, state);
  await goOnInState(services, tx, { sessionId: before.id, state });
  const prevState = before.state === state ? before.prevState : before.state;
  await changeSession(tx, before.id, { state, prevState, stateEnteredAt: await databaseNow(tx) });
  return true;
};

/** The services by which a run shows that it is in force on a host. */
export type HostInForce = Pick<Services, 'db' | 'client'>;

export interface HostScope extends HostRef {
  /** Takes locks that come before the session's row (docs/design/facts.md, Locks). */
  readonly lockFirst?: (tx: Transaction) => Promise<void>;
}

/** Runs `work` in a transaction that holds the session's row and knows the host's, if the calling run is in force. */
export const inHost = async <T>(
  services: HostInForce,
  { lockFirst, ...ref }: HostScope,
  work: (tx: Transaction, host: SessionHostRecord) => Promise<T>,
): Promise<T> => {
  const { runId } = callingRun();
  const onHost = <R>(use: (tx: Transaction, host: SessionHostRecord) => Promise<R>): Promise<R> =>
    inTurnOfSession(services.db, ref.sessionId, async (tx) => {
      await lockFirst?.(tx);
      await lockSession(tx, ref.sessionId);
      const host = await findSessionHost(tx, ref);
      if (host === null) throw superseded(`host ${ref.hostname} of session ${ref.sessionId}`);
      return use(tx, host);
    });
  const first = await onHost(async (tx, host) =>
    host.runId === runId ? { result: await work(tx, host) } : { known: host },
  );
  if ('result' in first) return first.result;
  await assertCurrent(services, hostWorkflowId(ref.sessionId, ref.hostname));
  return onHost(async (tx, host) => {
    if (host.runId === runId) return work(tx, host);
    assertUnchanged(host, first.known);
    await changeHost(tx, ref, { runId });
    return work(tx, { ...host, runId });
  });
};

/** Makes the calling run the one in force on the host, if it is the current run of its workflow. @returns the host */
export const takeOverHost = async (
  services: HostInForce,
  ref: HostRef,
): Promise<SessionHostRecord & { readonly runId: string }> => {
  const { runId } = callingRun();
  const known = await findSessionHost(services.db, ref);
  const host = known?.runId === runId ? known : await inHost(services, ref, (_, found) => Promise.resolve(found));
  return { ...host, runId };
};

const callingRun = (): { workflowId: string; runId: string } => {
  const { workflowExecution } = Context.current().info;
  if (workflowExecution === undefined) throw superseded('an activity without a workflow');
  return workflowExecution;
};

/** The cleanup of a failed or dead session also becomes the run in force: from then on no dead run writes. */
const isCleanup = (sessionId: string): boolean => callingRun().workflowId === cleanupWorkflowId(sessionId);

/** A cleanup must not fail a session that was continued while the cleanup ran. */
const assertNotResumed = async (
  { client }: Pick<Services, 'client'>,
  session: SessionProgress | null,
): Promise<void> => {
  if (session === null || session.deleteRequestedAt !== null) return;
  if (await isWorkflowOpen(client, sessionWorkflowId(session.id))) throw superseded(`session ${session.id} runs again`);
};

/** An activity may continue for a while after its run has ended; such a run never becomes the run in force. */
const assertCurrent = async ({ client }: Pick<Services, 'client'>, workflowId: string): Promise<void> => {
  const current = await findWorkflowState(client, workflowId);
  if (!current.isOpen || current.runId !== callingRun().runId) throw superseded(workflowId);
};

const superseded = (what: string) =>
  ApplicationFailure.nonRetryable(`${what}: this run is not the one in force, so it records nothing`, 'NotInForce');
