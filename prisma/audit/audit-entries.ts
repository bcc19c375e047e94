/** The audit: who asked for which change when, and what came of it. */
import type { Database, Queryable } from '../database';

/** A request as it arrives. */
export interface AuditedRequest {
  readonly requestId: string;
  /** nobody: somebody who tries to sign in. */
  readonly role: 'admin' | 'project' | 'nobody';
  readonly caller: string | null;
  /** The name of the person; null: not known beside the caller. */
  readonly callerName: string | null;
  /** Why, in the words of the caller; null: none was given. */
  readonly reason: string | null;
  readonly projectId: string | null;
  readonly address: string | null;
  readonly method: string;
  readonly route: string | null;
  readonly path: string;
  readonly sessionId: string | null;
}

export interface AuditedResult {
  readonly status: number;
  readonly bodySha256: string | null;
  readonly sessionId: string | null;
  /** What the body says, in few words; null: nothing beside the path. */
  readonly details: string | null;
}

export interface AuditRecord extends AuditedRequest {
  readonly id: bigint;
  readonly begunAt: Date;
  readonly bodySha256: string | null;
  readonly details: string | null;
  /** Null: it has not ended, or its process died. */
  readonly status: number | null;
  readonly endedAt: Date | null;
}

/** Records requests before they are carried out, in one statement. @returns the IDs of their entries */
export const beginAuditEntries = async (
  db: Database,
  requests: readonly AuditedRequest[],
): Promise<ReadonlyMap<AuditedRequest, bigint>> => {
  const rows = await db.$queryRaw<{ readonly id: bigint; readonly position: number }[]>`
    WITH given AS MATERIALIZED (
      SELECT nextval('audit_entry_id_seq') AS id, r.* FROM jsonb_to_recordset(${asJson(requests)}::jsonb) AS r(
        position int, "requestId" uuid, role text, caller text, "callerName" text, reason text, "projectId" text, address text, method text, route text,
        path text, "sessionId" uuid)
    ), recorded AS (
      INSERT INTO audit_entry (id, request_id, role, caller, caller_name, reason, project_id, address, method, route,
        path, session_id)
      SELECT id, "requestId", role, caller, "callerName", reason, "projectId", address, method, route, path, "sessionId" FROM given
    )
    SELECT id, position FROM given`;
  const idAt = new Map(rows.map(({ id, position }) => [position, id]));
  return new Map(
    requests.flatMap((request, position) => {
      const id = idAt.get(position);
      return id === undefined ? [] : [[request, id] as const];
    }),
  );
};

export interface EndedEntry extends AuditedResult {
  readonly id: bigint;
}

/** Adds results to entries that have none yet, in one statement. @returns the number of these entries */
export const endAuditEntries = (db: Queryable, ended: readonly EndedEntry[]): Promise<number> =>
  db.$executeRaw`
    UPDATE audit_entry AS entry SET status = r.status, body_sha256 = r."bodySha256", ended_at = clock_timestamp(),
      session_id = coalesce(r."sessionId", entry.session_id), details = r.details
    FROM jsonb_to_recordset(${asJson(ended.map(({ id, ...result }) => ({ ...result, entryId: String(id) })))}::jsonb)
      AS r("entryId" bigint, status int, "bodySha256" text, "sessionId" uuid, details text)
    WHERE entry.id = r."entryId" AND entry.status IS NULL`;

/** One record that PostgreSQL could not hold would refuse all of them. */
const asJson = (records: readonly object[]): string =>
  JSON.stringify(
    records.map((record, position) => ({ ...record, position })),
    (_key, value: unknown) => (typeof value === 'string' ? value.replaceAll('\0', '\u{fffd}').toWellFormed() : value),
  );

export interface AuditQuery {
  readonly caller?: string;
  readonly sessionId?: string;
  readonly since?: Date;
  /** Only entries with a status below 300: nothing was refused. */
  readonly isDone?: true;
  /** Only entries before this one. */
  readonly before?: bigint;
  readonly limit: number;
}

/** Newest first. */
export const findAuditEntries = (db: Database, query: AuditQuery): Promise<AuditRecord[]> => {
  const { caller, sessionId, since, before, isDone, limit } = query;
  return db.auditEntry.findMany({
    where: {
      ...(caller !== undefined && { caller }),
      ...(sessionId !== undefined && { sessionId }),
      ...(since !== undefined && { begunAt: { gte: since } }),
      ...(before !== undefined && { id: { lt: before } }),
      ...(isDone === true && { status: { lt: 300 } }),
    },
    orderBy: { id: 'desc' },
    take: limit,
  }) as Promise<AuditRecord[]>;
};

/** The number that is removed at a time, so that no transaction becomes long. */
const mostRemoved = 5_000;

/** Removes entries that are older than this number of days. @returns their number */
export const removeOldAuditEntries = (db: Database, days: number): Promise<number> =>
  db.$transaction(async (tx) => {
    // The guard of the table compares with the same number.
    await tx.$executeRaw`SELECT set_config('parley.audit_days', ${String(days)}, true)`;
    return tx.$executeRaw`
      DELETE FROM audit_entry WHERE id IN (
        SELECT id FROM audit_entry
        WHERE begun_at < statement_timestamp() - make_interval(days => ${days}::int)
        ORDER BY begun_at LIMIT ${mostRemoved} FOR UPDATE SKIP LOCKED)`;
  });
