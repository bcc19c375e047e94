/**
 * Sessions for the API: create, find, list, and the requests to continue and to delete. One transaction on the
 * session's row decides each. The activities have the functions that write a running session. A deleted session's row
 * stays as a tombstone, so that its claims and events keep their session.
 */
import type { IdKey } from '../../rules/cloud/id';
import {
  type Database,
  inTransaction,
  lockSession,
  lockSessionAndBeginnings,
  type Queryable,
  shareLock,
  takeLock,
  type Transaction,
} from '../database';
import { archiveSessionRecords, isReadable, removeSessionRecords } from './session-progress';
import { type SteeringChange, writeSteering } from './session-steering';

export interface NewSession {
  readonly sessionId: string;
  readonly workflow: string;
  readonly state: string;
  readonly maintenanceAt: Date;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly actions: readonly object[];
  /** Left out: nothing of it is given. */
  readonly steering?: SteeringChange;
  /** Left out: a repeat of the request creates another session. */
  readonly request?: CreateRequest | undefined;
  readonly hosts: readonly NewSessionHost[];
  /** URLs of the files to download, in the order of the request. */
  readonly download: readonly string[];
}

export interface NewSessionHost {
  readonly hostname: string;
  readonly type: 'compute' | 'controller';
  readonly isCompute: boolean;
}

/** A create request that may be repeated: whose it is, its key, and the digest of its body. */
export interface CreateRequest {
  readonly caller: string;
  readonly key: string;
  readonly digest: string;
}

/** A host that another unfinished session owns. */
export interface TakenHost {
  readonly hostname: string;
  readonly sessionId: string;
}

export type Creation =
  | { readonly kind: 'created' }
  | EarlierCreation
  | { readonly kind: 'tooMany' }
  | { readonly kind: 'hostsTaken'; readonly taken: readonly TakenHost[] };

/** repeated: the request has created this session already. otherRequest: its key has created another one. */
export interface EarlierCreation {
  readonly kind: 'repeated' | 'otherRequest';
  readonly sessionId: string;
}

/** The session that the caller has created with the key, also where it is deleted by now. */
export const findEarlierCreation = async (
  db: Queryable,
  { caller, key, digest }: CreateRequest,
): Promise<EarlierCreation | undefined> => {
  const row = await db.session.findFirst({
    where: { idempotencyCaller: caller, idempotencyKey: key },
    select: { id: true, requestDigest: true },
  });
  return row === null
    ? undefined
    : { kind: row.requestDigest === digest ? 'repeated' : 'otherRequest', sessionId: row.id };
};

/** Counts failed sessions, but not those that are done (the API answers 509). */
const unfinished = { deletedAt: null, state: { not: 'MAINTENANCE_DONE' } } as const;

const findTakenHosts = async (tx: Transaction, hosts: readonly NewSessionHost[]): Promise<TakenHost[]> =>
  tx.sessionHost.findMany({
    where: { owned: true, hostname: { in: hosts.map(({ hostname }) => hostname) } },
    select: { hostname: true, sessionId: true },
    orderBy: { hostname: 'asc' },
  });

/** The hosts that sessions have for themselves. */
export const findOwnedHosts = (db: Queryable): Promise<TakenHost[]> =>
  db.sessionHost.findMany({ where: { owned: true }, select: { hostname: true, sessionId: true } });

/** Sessions that may work on hosts. */
export const findSessionsUnderWay = (db: Queryable): Promise<{ readonly id: string; readonly name: string | null }[]> =>
  db.session.findMany({
    where: { deletedAt: null, state: { notIn: ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'] } },
    select: { id: true, name: true },
  });

const insertSession = async (tx: Transaction, session: NewSession): Promise<void> => {
  const { sessionId, workflow, state, maintenanceAt, metadata, actions, hosts, download } = session;
  const { steering = {}, request } = session;
  // Clients' JSON is stored as text: Prisma treats some keys of an object as its own (`$type`), and drops `__proto__`.
  await tx.$executeRaw`
    INSERT INTO session (id, workflow, initial_state, state, prev_state, maintenance_at, metadata, actions,
      idempotency_caller, idempotency_key, request_digest)
    VALUES (${sessionId}::uuid, ${workflow}, ${state}, ${state}, ${state}, ${maintenanceAt},
      ${JSON.stringify(metadata)}::jsonb, ${JSON.stringify(actions)}::jsonb,
      ${request?.caller ?? null}, ${request?.key ?? null}, ${request?.digest ?? null})`;
  // Named, so that the freezes are written into the row.
  await writeSteering(tx, sessionId, { ignoreFreezes: null, ...steering });
  await tx.sessionHost.createMany({ data: hosts.map((host) => ({ ...host, sessionId })) });
  await tx.sessionDownload.createMany({ data: download.map((url, position) => ({ sessionId, position, url })) });
};

/**
 * Stores a session and claims its hosts, unless there are too many unfinished sessions or another session owns a host.
 * Only one create runs at a time, so that the limit holds exactly.
 */
export const createSession = (
  db: Database,
  { session, maxSessions }: { readonly session: NewSession; readonly maxSessions: number },
): Promise<Creation> =>
  inTransaction(db, async (tx): Promise<Creation> => {
    await takeLock(tx, 'sessionLimit');
    const earlier = session.request && (await findEarlierCreation(tx, session.request));
    if (earlier !== undefined) return earlier;
    if ((await tx.session.count({ where: unfinished })) >= maxSessions) return { kind: 'tooMany' };
    const taken = await findTakenHosts(tx, session.hosts);
    if (taken.length > 0) return { kind: 'hostsTaken', taken };
    // A freeze that is stored meanwhile would not see the session.
    await shareLock(tx, 'freezes');
    await insertSession(tx, session);
    return { kind: 'created' };
  });

/** Records that Temporal acknowledged the start. The first time counts. */
export const markSessionStarted = async (db: Queryable, sessionId: string): Promise<void> => {
  await db.$executeRaw`
    UPDATE session SET started_at = clock_timestamp() WHERE id = ${sessionId}::uuid AND started_at IS NULL`;
};

/** The state of a session that is not deleted, or is archived. */
export const findSessionState = async (db: Queryable, sessionId: string): Promise<string | undefined> => {
  const row = await db.session.findFirst({ where: { id: sessionId, ...isReadable }, select: { state: true } });
  return row?.state;
};

/** Sessions whose workflow may act on a change: unfinished and not failed. */
export const listSessionsToWake = async (db: Queryable): Promise<string[]> => {
  const rows = await db.session.findMany({
    where: { deletedAt: null, state: { notIn: ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'] } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
};

/** The same, of those that have instances of any of these projects on record. */
export const listSessionsOfProjects = async (db: Queryable, projectKeys: readonly IdKey[]): Promise<string[]> => {
  const rows = await db.$queryRaw<{ id: string }[]>`
    SELECT id FROM session
    WHERE deleted_at IS NULL AND state NOT IN ('MAINTENANCE_DONE', 'MAINTENANCE_FAILED')
      AND EXISTS (SELECT 1 FROM session_instance
        WHERE session_id = session.id AND id_key(project_id) = ANY(${projectKeys}::text[]))`;
  return rows.map(({ id }) => id);
};

/**
 * - refused: the session is not in a state from which it can continue; `because` says so in words for people.
 * - notEntered: it never entered the requested state; it did enter `entered`.
 */
export type ContinueRequest =
  | { readonly kind: 'accepted'; readonly state: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'notEntered'; readonly entered: readonly string[] };

interface ContinueFacts {
  readonly state: string;
  readonly continueRequestId: string | null;
  readonly deleteRequestedAt: Date | null;
}

const whyNotContinuable = ({ state, continueRequestId, deleteRequestedAt }: ContinueFacts): string | undefined => {
  if (deleteRequestedAt !== null) return 'the session is being deleted';
  if (state !== 'MAINTENANCE_FAILED') return `the session is in state ${state}, not MAINTENANCE_FAILED`;
  return continueRequestId === null ? undefined : 'the session continues already';
};

const enteredStates = async (tx: Transaction, sessionId: string): Promise<string[]> => {
  const rows = await tx.entryPoint.findMany({
    where: { sessionId },
    select: { state: true },
    orderBy: { enteredAt: 'asc' },
  });
  return rows.map(({ state }) => state);
};

/**
 * Asks a failed session to continue from `state`, or else from its previous state. Compare-and-set under the row's
 * lock, so only one of two requests is accepted. When the session failed before it entered any state, its previous
 * state is accepted.
 */
export const requestContinue = (
  db: Database,
  request: { readonly sessionId: string; readonly requestId: string; readonly state?: string | undefined },
): Promise<ContinueRequest> =>
  inTransaction(db, async (tx): Promise<ContinueRequest> => {
    const { sessionId, requestId } = request;
    await lockSession(tx, sessionId);
    const session = await tx.session.findFirst({ where: { id: sessionId, deletedAt: null } });
    if (session === null) return { kind: 'unknown' };
    const because = whyNotContinuable(session);
    if (because !== undefined) return { kind: 'refused', because };
    const state = request.state ?? session.prevState;
    const entered = await enteredStates(tx, sessionId);
    if (state !== session.prevState && !entered.includes(state)) return { kind: 'notEntered', entered };
    await tx.$executeRaw`
      UPDATE session SET continue_request_id = ${requestId}::uuid, continue_state = ${state},
        continue_requested_at = clock_timestamp(), updated_at = clock_timestamp()
      WHERE id = ${sessionId}::uuid`;
    return { kind: 'accepted', state };
  });

/**
 * The work that remains after a delete request.
 * - removed: none, the session is a tombstone from now on. deleted: none, it was one already. unknown: none, it never
 * existed.
 * - abort: its workflow must be told. cleanUp: it failed, so a workflow has to clean up after it.
 */
export type DeleteRequest = 'unknown' | 'deleted' | 'removed' | 'abort' | 'cleanUp';

/** The newest request counts: a session that is to be archived may be deleted after all. */
const noteDeleteRequest = async (tx: Transaction, sessionId: string, how: 'delete' | 'archive'): Promise<void> => {
  await tx.$executeRaw`
    UPDATE session SET delete_requested_at = coalesce(delete_requested_at, clock_timestamp()),
      archive_requested_at = CASE WHEN ${how} = 'archive' THEN clock_timestamp() END, updated_at = clock_timestamp()
    WHERE id = ${sessionId}::uuid`;
};

/** Deletes a finished session, or records that an unfinished one is to be deleted. May be repeated. */
export const requestDelete = (db: Database, sessionId: string): Promise<DeleteRequest> =>
  inTransaction(db, async (tx): Promise<DeleteRequest> => {
    await lockSessionAndBeginnings(tx, sessionId);
    const session = await tx.session.findUnique({ where: { id: sessionId } });
    if (session === null) return 'unknown';
    if (session.deletedAt !== null && session.archivedAt === null) return 'deleted';
    if (session.state === 'MAINTENANCE_DONE' || session.archivedAt !== null) {
      await removeSessionRecords(tx, sessionId);
      return 'removed';
    }
    await noteDeleteRequest(tx, sessionId, 'delete');
    return session.state === 'MAINTENANCE_FAILED' && session.continueRequestId === null ? 'cleanUp' : 'abort';
  });

/**
 * - archived: from now on, or since before. cleanUp: it failed, so a workflow has to give its hosts back first.
 * - notOver: its work goes on, or somebody deletes or continues it.
 */
export type ArchiveRequest = 'unknown' | 'archived' | 'cleanUp' | 'notOver';

/** Archives a finished session, or records that a failed one is to be archived. May be repeated. */
export const requestArchive = (db: Database, sessionId: string): Promise<ArchiveRequest> =>
  inTransaction(db, async (tx): Promise<ArchiveRequest> => {
    await lockSessionAndBeginnings(tx, sessionId);
    const session = await tx.session.findFirst({ where: { id: sessionId, ...isReadable } });
    if (session === null) return 'unknown';
    if (session.archivedAt !== null) return 'archived';
    const isBeingDeleted = session.deleteRequestedAt !== null && session.archiveRequestedAt === null;
    if (isBeingDeleted || session.continueRequestId !== null) return 'notOver';
    if (session.state === 'MAINTENANCE_DONE') {
      await archiveSessionRecords(tx, sessionId);
      return 'archived';
    }
    if (session.state !== 'MAINTENANCE_FAILED') return 'notOver';
    await noteDeleteRequest(tx, sessionId, 'archive');
    return 'cleanUp';
  });
