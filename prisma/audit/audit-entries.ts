/** The audit: who asked for which change when, and what came of it. */
import { type Database, databaseNow } from '../database';

/** A request as it arrives. */
export interface AuditedRequest {
  readonly requestId: string;
  /** nobody: somebody who tries to sign in. */
  readonly role: 'admin' | 'project' | 'nobody';
  readonly caller: string | null;
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
}

export interface AuditRecord extends AuditedRequest {
  readonly id: bigint;
  readonly begunAt: Date;
  readonly bodySha256: string | null;
  /** Null: it has not ended, or its process died. */
  readonly status: number | null;
  readonly endedAt: Date | null;
}

/** Records a request before it is carried out. @returns the entry's ID */
export const beginAuditEntry = async (db: Database, request: AuditedRequest): Promise<bigint> => {
  const { id } = await db.auditEntry.create({ data: request, select: { id: true } });
  return id;
};

/** Adds the result to an entry that has none yet. */
export const endAuditEntry = async (db: Database, id: bigint, result: AuditedResult): Promise<void> => {
  const { sessionId, ...others } = result;
  await db.auditEntry.updateMany({
    where: { id, status: null },
    data: { ...others, ...(sessionId !== null && { sessionId }), endedAt: await databaseNow(db) },
  });
};

export interface AuditQuery {
  readonly caller?: string;
  readonly sessionId?: string;
  readonly since?: Date;
  /** Only entries before this one. */
  readonly before?: bigint;
  readonly limit: number;
}

/** Newest first. */
export const findAuditEntries = (db: Database, query: AuditQuery): Promise<AuditRecord[]> => {
  const { caller, sessionId, since, before, limit } = query;
  return db.auditEntry.findMany({
    where: {
      ...(caller !== undefined && { caller }),
      ...(sessionId !== undefined && { sessionId }),
      ...(since !== undefined && { begunAt: { gte: since } }),
      ...(before !== undefined && { id: { lt: before } }),
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
