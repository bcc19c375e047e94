/** The row of a running session, which its activities read and write. */
import type { Plugin } from '../../rules/expectations/plugins-of-host';
import { isBoundToTimes } from '../../rules/maintenance-windows/is-window-open';
import type { DeadlineMiss } from '../../rules/steering/deadline';
import { isToBeAborted } from '../../rules/steering/may-begin';
import { databaseNow, type Queryable, type Transaction } from '../database';
import { disownHosts, giveBackLeftDisabled, removeSessionHosts, stepSessionHosts } from '../hosts/session-hosts';
import { forgetRefusals } from '../moves/target-refusals';
import { findFreezes } from './freezes';
import { recordOpening, type StoredOpening } from './session-opening';
import type { Steering } from './session-steering';

/** An action plug-in of the session, from the create request. */
export type SessionAction = Plugin;

export interface SessionProgress extends Steering, StoredOpening {
  readonly id: string;
  readonly workflow: string;
  /** Module of a workflow from the session's packages, by its path within the session's files. */
  readonly workflowModule: string | null;
  /** Workflow, `default` or `vnf`, in whose way such a workflow works on hosts. */
  readonly rolling: string | null;
  readonly initialState: string;
  readonly state: string;
  readonly prevState: string;
  readonly stateEnteredAt: Date;
  readonly maintenanceAt: Date;
  /** The time since which the session counts as begun; null: it does not, and `maintenance_at` may be changed. */
  readonly begunAt: Date | null;
  /** The warning of its deadline that was told; null: none. */
  readonly deadlineMissed: DeadlineMiss | null;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly actions: readonly SessionAction[];
  readonly runId: string | null;
  readonly startedAt: Date | null;
  readonly stopping: 'failing' | 'aborting' | null;
  readonly failure: string | null;
  readonly continueRequestId: string | null;
  readonly continueState: string | null;
  readonly pausedAt: Date | null;
  /** Why the session has paused itself; null: an admin has, or it is not paused. */
  readonly pausedBecause: string | null;
  /** The time when the session last paused itself. Silences and refusals up to then do not count any more. */
  readonly replyPausedAt: Date | null;
  /** The time when the canary hosts were done; null: they are not done. */
  readonly canaryEndedAt: Date | null;
  readonly abortRequestedAt: Date | null;
  readonly abortTakenUpAt: Date | null;
  readonly deleteRequestedAt: Date | null;
  /** Also set of an archived session. */
  readonly deletedAt: Date | null;
  readonly archiveRequestedAt: Date | null;
  readonly archivedAt: Date | null;
  readonly scaleInRounds: number;
  readonly scaleInRoundAt: Date | null;
  readonly scaleInHostsLeft: number | null;
  readonly scaleInShare: number | null;
  /** The forecast's order of hosts (rules/decisions/decision.ts); empty: none was found yet. */
  readonly drainOrder: readonly string[];
}

/** False when the next opening is still to be worked out. What could not be worked out is tried again at every look. */
export const hasPresentOpening = (session: SessionProgress, now: Date): boolean => {
  const { windowOpensAt, windowClosesAt } = session;
  if (!isBoundToTimes(session)) return true;
  return windowOpensAt !== null && (windowClosesAt === null || now < windowClosesAt);
};

/**
 * Reads the row with the opening that counts now: one that has closed gives way to the next. Must be called in the
 * transaction that locked the row: a freeze that is stored meanwhile waits for it, and writes the row again.
 */
export const withPresentOpening = async (tx: Transaction, session: SessionProgress): Promise<SessionProgress> => {
  if (!isBoundToTimes(session) || hasPresentOpening(session, await databaseNow(tx))) return session;
  return { ...session, ...(await recordOpening(tx, { sessionId: session.id, freezes: await findFreezes(tx) })) };
};

/** The session's row, or the tombstone of a deleted one. Nearly every activity reads it. */
export const findSessionProgress = async (db: Queryable, sessionId: string): Promise<SessionProgress | null> => {
  const row = await db.session.findUnique({ where: { id: sessionId }, omit: withoutReasons });
  // The columns hold values that the API's parsers accepted and the engine wrote.
  return row as SessionProgress | null;
};

/** The reasons for waiting take hundreds of kilobytes in a large session. */
const withoutReasons = { waiting: true } as const;

export interface ActionsOfSession extends Pick<SessionProgress, 'actions'> {
  readonly sessionId: string;
}

/** Selects the actions of sessions, including deleted sessions. */
export const findActionsOfSessions = async (db: Queryable, ids: readonly string[]): Promise<ActionsOfSession[]> => {
  if (ids.length === 0) return [];
  const rows = await db.session.findMany({ where: { id: { in: [...ids] } }, select: { id: true, actions: true } });
  return rows.map(({ id, actions }) => ({ sessionId: id, actions: actions as unknown as SessionProgress['actions'] }));
};

/** The rows of all sessions that are neither done nor deleted, the oldest first; failed ones are among them. */
export const findUnfinishedSessions = async (db: Queryable): Promise<SessionProgress[]> => {
  const where = { deletedAt: null, state: { not: 'MAINTENANCE_DONE' } };
  const orderBy = [{ createdAt: 'asc' as const }, { id: 'asc' as const }];
  const rows = await db.session.findMany({ where, orderBy, omit: withoutReasons });
  return rows as unknown as SessionProgress[];
};

/**
 * The hint of the create request, which every notification to a project carries; empty when the session does not exist.
 */
export const findMetadata = async (db: Queryable, sessionId: string): Promise<SessionProgress['metadata']> => {
  const row = await db.session.findUnique({ where: { id: sessionId }, select: { metadata: true } });
  return (row?.metadata ?? {}) as SessionProgress['metadata'];
};

/** Selects the IDs of sessions of this service, including deleted sessions. */
export const findKnownSessions = async (db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.session.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/** The columns that an activity may change; updated_at follows. */
export type SessionChange = Partial<
  Pick<
    SessionProgress,
    | 'workflowModule'
    | 'rolling'
    | 'state'
    | 'prevState'
    | 'stateEnteredAt'
    | 'runId'
    | 'stopping'
    | 'failure'
    | 'startedAt'
    | 'begunAt'
    | 'deadlineMissed'
    | 'pausedAt'
    | 'pausedBecause'
    | 'replyPausedAt'
    | 'canaryEndedAt'
    | 'abortTakenUpAt'
    | 'scaleInRounds'
    | 'scaleInRoundAt'
    | 'scaleInHostsLeft'
    | 'scaleInShare'
  >
>;

export const changeSession = async (tx: Queryable, sessionId: string, change: SessionChange): Promise<void> => {
  await tx.session.update({ where: { id: sessionId }, data: { ...change, updatedAt: await databaseNow(tx) } });
};

/**
 * A failed or stopping session works again: clears the reason why it stopped, makes failed hosts wait again, but none
 * that was set aside, has hosts enabled that were skipped meanwhile, and lets targets that refused be tried again. A
 * pause stays, and so does an abort that is not carried out yet.
 */
export const reviveSession = async (tx: Transaction, before: SessionProgress): Promise<void> => {
  const { id: sessionId } = before;
  await tx.session.update({
    where: { id: sessionId },
    data: {
      stopping: null,
      failure: null,
      continueRequestId: null,
      continueState: null,
      continueRequestedAt: null,
      abortRequestedAt: isToBeAborted(before) ? before.abortRequestedAt : null,
      scaleInRounds: 0,
      scaleInRoundAt: null,
      scaleInHostsLeft: null,
      scaleInShare: null,
      drainOrder: [],
    },
  });
  await stepSessionHosts(tx, sessionId, { kind: 'continue' });
  if (before.failedHosts === 'enable') await giveBackLeftDisabled(tx, sessionId);
  await forgetRefusals(tx, sessionId);
};

/** Records the order of hosts from which the session's next forecast starts. */
export const recordDrainOrder = async (
  tx: Queryable,
  sessionId: string,
  drainOrder: readonly string[],
): Promise<void> => {
  await tx.session.update({ where: { id: sessionId }, data: { drainOrder: [...drainOrder] } });
};

/** Leaves a tombstone: claims and unpublished events outlive the session. All its other rows are deleted. */
export const removeSessionRecords = async (tx: Transaction, sessionId: string): Promise<void> => {
  // Questions before instances, each in their order: a reply may lock them at the same time.
  await tx.$queryRaw`SELECT 1 FROM question WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  const asked = await tx.question.findMany({ where: { sessionId }, select: { messageId: true } });
  await tx.question.deleteMany({ where: { sessionId } });
  // Nobody has received these questions, and nobody could answer them any more.
  const messageIds = asked.map(({ messageId }) => messageId);
  await tx.event.deleteMany({ where: { messageId: { in: messageIds }, publishedAt: null } });
  await tx.$queryRaw`SELECT 1 FROM session_instance WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  await tx.sessionInstance.deleteMany({ where: { sessionId } });
  await removeSessionHosts(tx, sessionId);
  await tx.actionPluginInstance.deleteMany({ where: { sessionId } });
  await tx.reservation.deleteMany({ where: { sessionId } });
  await tx.entryPoint.deleteMany({ where: { sessionId } });
  await tx.sessionDownload.deleteMany({ where: { sessionId } });
  await forgetRefusals(tx, sessionId);
  await tx.session.update({
    where: { id: sessionId },
    data: { ...(await overFrom(tx)), archivedAt: null, metadata: {} },
  });
};

/** Nothing works on the session any more. */
const overFrom = async (tx: Transaction) => ({
  deletedAt: await databaseNow(tx),
  archiveRequestedAt: null,
  ...{ waiting: [], wakesOn: [], drainOrder: [], stopping: null },
});

/** Sessions that people can read: those that are there, and archived ones. */
export const isReadable = { OR: [{ deletedAt: null }, { archivedAt: { not: null } }] };

/** Gives up all that the session has for itself, and keeps what tells of it. Open questions are withdrawn. */
export const archiveSessionRecords = async (tx: Transaction, sessionId: string): Promise<void> => {
  await tx.$queryRaw`SELECT 1 FROM question WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  const open = { sessionId, status: 'open' };
  const asked = await tx.question.findMany({ where: open, select: { messageId: true } });
  // Nobody has received these questions.
  await tx.event.deleteMany({
    where: { messageId: { in: asked.map(({ messageId }) => messageId) }, publishedAt: null },
  });
  const over = await overFrom(tx);
  await tx.question.updateMany({ where: open, data: { status: 'closed', closedAt: over.deletedAt } });
  await disownHosts(tx, sessionId);
  await tx.reservation.deleteMany({ where: { sessionId } });
  await tx.entryPoint.deleteMany({ where: { sessionId } });
  await forgetRefusals(tx, sessionId);
  const data = { ...over, archivedAt: over.deletedAt, deleteRequestedAt: null };
  await tx.session.update({ where: { id: sessionId }, data });
};

export const hasUnpublishedEvents = async (db: Queryable, sessionId: string): Promise<boolean> =>
  (await db.event.findFirst({ where: { sessionId, publishedAt: null }, select: { id: true } })) !== null;
