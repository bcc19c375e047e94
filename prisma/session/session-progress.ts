/** The row of a running session, as its activities read and write it. */
import { databaseNow, type Queryable, type Transaction } from '../database';

/** A session's action plug-in, as the create request named it. */
export interface SessionAction {
  readonly plugin: string;
  readonly type: 'pre' | 'post' | 'host' | 'compute' | 'controller';
  readonly metadata: Readonly<Record<string, unknown>>;
}

export interface SessionProgress {
  readonly id: string;
  readonly workflow: string;
  /** Of a workflow that the session's packages brought: its module, by its path within the session's files. */
  readonly workflowModule: string | null;
  /** Of such a workflow: `default` or `vnf`, as which of them it works on hosts. */
  readonly rolling: string | null;
  readonly initialState: string;
  readonly state: string;
  readonly prevState: string;
  readonly stateEnteredAt: Date;
  readonly maintenanceAt: Date;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly actions: readonly SessionAction[];
  readonly maxParallelHosts: number | null;
  readonly runId: string | null;
  readonly stopping: 'failing' | 'aborting' | null;
  readonly failure: string | null;
  readonly resumeRequestId: string | null;
  readonly resumeState: string | null;
  readonly pausedAt: Date | null;
  readonly abortRequestedAt: Date | null;
  readonly deleteRequestedAt: Date | null;
  readonly deletedAt: Date | null;
  readonly scaleInRounds: number;
  readonly scaleInRoundAt: Date | null;
  readonly scaleInHostsLeft: number | null;
  readonly scaleInShare: number | null;
  readonly waiting: unknown;
  /** Of hosts (planning/decision.ts); empty: none was found yet. */
  readonly openingOrder: readonly string[];
}

/** An abort or a deletion is to be carried out. A failed session's abort has been; one that is done came first. */
export const isToBeAborted = ({
  state,
  abortRequestedAt,
  deleteRequestedAt,
}: {
  readonly state: string;
  readonly abortRequestedAt: Date | null;
  readonly deleteRequestedAt: Date | null;
}): boolean => deleteRequestedAt !== null || (abortRequestedAt !== null && !isOver(state));

const isOver = (state: string): boolean => state === 'MAINTENANCE_FAILED' || state === 'MAINTENANCE_DONE';

/**
 * False while the session is paused, to be aborted or coming to its end: no host is opened, nothing is asked, moved or
 * maintained anew.
 */
export const mayBegin = (session: SessionProgress): boolean =>
  session.pausedAt === null && session.stopping === null && !isToBeAborted(session);

/** The same as the session's row says now; a session that is gone begins nothing. */
export const mayBeginIn = async (db: Queryable, sessionId: string): Promise<boolean> => {
  const session = await findSessionProgress(db, sessionId);
  return session !== null && mayBegin(session);
};

/** The session's row; a tombstone as well. */
export const findSessionProgress = async (db: Queryable, sessionId: string): Promise<SessionProgress | null> => {
  const row = await db.session.findUnique({ where: { id: sessionId } });
  // The columns hold what the API's parsers let in and what the engine wrote.
  return row as SessionProgress | null;
};

/**
 * The hint of the create request that every notification to a project carries; empty where there is no such session.
 */
export const findMetadata = async (db: Queryable, sessionId: string): Promise<SessionProgress['metadata']> => {
  const row = await db.session.findUnique({ where: { id: sessionId }, select: { metadata: true } });
  return (row?.metadata ?? {}) as SessionProgress['metadata'];
};

/**
 * The session's workflow plug-in, and in which way it rolls where it is not built in; null where there is no such
 * session.
 */
export const findWorkflow = (
  db: Queryable,
  sessionId: string,
): Promise<Pick<SessionProgress, 'workflow' | 'rolling'> | null> =>
  db.session.findUnique({ where: { id: sessionId }, select: { workflow: true, rolling: true } });

/** Which of these are sessions of this service, deleted ones included. */
export const findKnownSessions = async (db: Queryable, ids: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db.session.findMany({ where: { id: { in: [...ids] } }, select: { id: true } });
  return new Set(rows.map(({ id }) => id));
};

/** What of the row an activity may change; updated_at follows. */
export interface SessionChange {
  readonly workflowModule?: string | null;
  readonly rolling?: string;
  readonly state?: string;
  readonly prevState?: string;
  readonly stateEnteredAt?: Date;
  readonly runId?: string;
  readonly stopping?: 'failing' | 'aborting' | null;
  readonly failure?: string | null;
  readonly startedAt?: Date;
  readonly pausedAt?: null;
  readonly abortTakenUpAt?: Date | null;
  readonly scaleInRounds?: number;
  readonly scaleInRoundAt?: Date;
  readonly scaleInHostsLeft?: number;
  readonly scaleInShare?: number;
}

export const changeSession = async (tx: Queryable, sessionId: string, change: SessionChange): Promise<void> => {
  await tx.session.update({ where: { id: sessionId }, data: { ...change, updatedAt: await databaseNow(tx) } });
};

/**
 * A failed or stopping session works again: what stopped it is cleared, hosts that failed are to be done again. A pause
 * stays, and so does an abort that is not done yet.
 */
export const reviveSession = async (tx: Transaction, before: SessionProgress): Promise<void> => {
  const { id: sessionId } = before;
  await tx.session.update({
    where: { id: sessionId },
    data: {
      stopping: null,
      failure: null,
      resumeRequestId: null,
      resumeState: null,
      resumeRequestedAt: null,
      abortRequestedAt: isToBeAborted(before) ? before.abortRequestedAt : null,
      scaleInRounds: 0,
      scaleInRoundAt: null,
      scaleInHostsLeft: null,
      scaleInShare: null,
      openingOrder: [],
    },
  });
  await tx.sessionHost.updateMany({
    where: { sessionId },
    data: { failure: null, releases: 0 },
  });
  await tx.sessionHost.updateMany({
    where: { sessionId, phase: 'failed' },
    data: { phase: 'waiting', phaseSince: await databaseNow(tx), details: '' },
  });
};

/** What the session waits for, for detail and display. */
export const recordWaiting = async (tx: Queryable, sessionId: string, waiting: readonly object[]): Promise<void> => {
  await tx.session.update({ where: { id: sessionId }, data: { waiting: waiting.map((reason) => ({ ...reason })) } });
};

/** Where the session's next forecast begins. */
export const recordOpeningOrder = async (
  tx: Queryable,
  sessionId: string,
  openingOrder: readonly string[],
): Promise<void> => {
  await tx.session.update({ where: { id: sessionId }, data: { openingOrder: [...openingOrder] } });
};

/** What may help sessions that wait: the end of an action (its group's budget), room it gave up, or a whole host. */
export type Freed =
  { readonly kind: 'budget' } | { readonly kind: 'room' } | { readonly kind: 'host'; readonly hostname: string };

/** Kinds of waiting reasons (planning/fleet/fleet.ts, Waiting) that are helped by it. */
const helpedBy: Readonly<Record<Freed['kind'], readonly string[]>> = {
  budget: ['group', 'recovery'],
  room: ['group', 'recovery', 'room', 'affinity'],
  host: ['group', 'recovery', 'room', 'affinity'],
};

/** Unfinished sessions other than this one that are recorded as waiting for what was freed. */
export const sessionsThatWait = async (db: Queryable, exceptId: string, freed: Freed): Promise<string[]> => {
  const kinds = [...helpedBy[freed.kind]];
  const hostname = freed.kind === 'host' ? freed.hostname : null;
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM session
    WHERE id <> ${exceptId}::uuid AND deleted_at IS NULL
      AND state NOT IN ('MAINTENANCE_DONE', 'MAINTENANCE_FAILED')
      AND EXISTS (
        SELECT 1 FROM jsonb_to_recordset(waiting) AS reason("waitingFor" text, subject text)
        WHERE reason."waitingFor" = ANY(${kinds}) OR (reason."waitingFor" = 'host' AND reason.subject = ${hostname})
      )`;
  return rows.map(({ id }) => id);
};

/** Leaves a tombstone: claims and unpublished events outlive the session, everything else of it goes. */
export const removeSessionRecords = async (tx: Transaction, sessionId: string): Promise<void> => {
  // Questions before instances, each in their order: a reply may be locking them at the same time.
  await tx.$queryRaw`SELECT 1 FROM question WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  const asked = await tx.question.findMany({ where: { sessionId }, select: { messageId: true } });
  await tx.question.deleteMany({ where: { sessionId } });
  // Nobody has heard of these, and nobody could answer them any more.
  const messageIds = asked.map(({ messageId }) => messageId);
  await tx.event.deleteMany({ where: { messageId: { in: messageIds }, publishedAt: null } });
  await tx.$queryRaw`SELECT 1 FROM session_instance WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  await tx.sessionInstance.deleteMany({ where: { sessionId } });
  await tx.sessionHost.deleteMany({ where: { sessionId } });
  await tx.actionPluginInstance.deleteMany({ where: { sessionId } });
  await tx.reservation.deleteMany({ where: { sessionId } });
  await tx.entryPoint.deleteMany({ where: { sessionId } });
  await tx.sessionDownload.deleteMany({ where: { sessionId } });
  await tx.session.update({
    where: { id: sessionId },
    data: { deletedAt: await databaseNow(tx), waiting: [], openingOrder: [], stopping: null },
  });
};

export const hasUnpublishedEvents = async (db: Queryable, sessionId: string): Promise<boolean> =>
  (await db.event.findFirst({ where: { sessionId, publishedAt: null }, select: { id: true } })) !== null;
