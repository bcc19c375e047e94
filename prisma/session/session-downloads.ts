/** The downloads of a session: the files that its create request names, and the progress of its set-up with them. */
import { databaseNow, type Queryable } from '../database';

export type DownloadState = 'waiting' | 'fetching' | 'done';

export interface SessionDownload {
  /** The URL of the request, with its fragment. */
  readonly url: string;
  readonly state: DownloadState;
  readonly bytes: number;
  /** The size of the whole file; null when the server has not told it. */
  readonly sizeBytes: number | null;
  /** The reason why the last attempt failed. */
  readonly problem: string | null;
  /** The digest, in hex digits, of the file that the set-up accepted; null until then. */
  readonly sha256: string | null;
}

interface DownloadRow {
  readonly url: string;
  readonly state: string;
  readonly bytes: bigint;
  readonly sizeBytes: bigint | null;
  readonly problem: string | null;
  readonly sha256: string | null;
}

const isDownloadState = (text: string): text is DownloadState => ['waiting', 'fetching', 'done'].includes(text);

export const toSessionDownload = ({ url, state, bytes, sizeBytes, problem, sha256 }: DownloadRow): SessionDownload => {
  if (!isDownloadState(state)) throw new Error(`a download cannot be in state ${state}`);
  return {
    url,
    state,
    bytes: Number(bytes),
    sizeBytes: sizeBytes === null ? null : Number(sizeBytes),
    problem,
    sha256,
  };
};

/** Lists downloads in the order of the create request; empty when it names none. */
export const listDownloads = async (db: Queryable, sessionId: string): Promise<SessionDownload[]> => {
  const rows = await db.sessionDownload.findMany({ where: { sessionId }, orderBy: { position: 'asc' } });
  return rows.map(toSessionDownload);
};

export interface DownloadChange {
  readonly state?: DownloadState;
  readonly bytes?: number;
  readonly sizeBytes?: number | null;
}

/** The progress of the set-up with one file. */
export const recordDownloadProgress = async (
  db: Queryable,
  { sessionId, position }: { readonly sessionId: string; readonly position: number },
  change: DownloadChange,
): Promise<void> => {
  const updatedAt = await databaseNow(db);
  // None when the session has been deleted meanwhile.
  await db.sessionDownload.updateMany({ where: { sessionId, position }, data: { ...change, updatedAt } });
};

/** An attempt begins afresh. The failure of the last one stays visible until there is news. */
export const recordDownloadStart = async (db: Queryable, sessionId: string): Promise<void> => {
  const data = { state: 'waiting', bytes: 0, sizeBytes: null, updatedAt: await databaseNow(db) };
  await db.sessionDownload.updateMany({ where: { sessionId }, data });
};

export const recordDownloadProblem = async (db: Queryable, sessionId: string, problem: string): Promise<void> => {
  const data = { problem, updatedAt: await databaseNow(db) };
  await db.sessionDownload.updateMany({ where: { sessionId, state: { not: 'done' } }, data });
};

/** The reasons why machines cannot serve a session. Each begins with the machine's name. */
export const recordServingProblem = async (
  db: Queryable,
  { sessionId, machine, problem }: { readonly sessionId: string; readonly machine: string; readonly problem: string },
): Promise<void> => {
  const data = { problem: `${machine}${problem}`, updatedAt: await databaseNow(db) };
  await db.sessionDownload.updateMany({ where: { sessionId }, data });
};

/** Removes the machine's problem when it is over; another machine's stays. */
export const clearServingProblem = async (
  db: Queryable,
  { sessionId, machine }: { readonly sessionId: string; readonly machine: string },
): Promise<void> => {
  const data = { problem: null, updatedAt: await databaseNow(db) };
  await db.sessionDownload.updateMany({ where: { sessionId, problem: { startsWith: machine } }, data });
};

/** The files are accepted: from now on every worker must have the same files. */
export const recordDownloaded = async (
  tx: Queryable,
  sessionId: string,
  files: readonly { readonly sha256: string; readonly bytes: number }[],
): Promise<void> => {
  const updatedAt = await databaseNow(tx);
  for (const [position, { sha256, bytes }] of files.entries()) {
    await tx.sessionDownload.update({
      where: { sessionId_position: { sessionId, position } },
      data: { state: 'done', sha256, bytes, sizeBytes: bytes, problem: null, updatedAt },
    });
  }
};

/** Selects the deleted sessions, and no unknown ones, whose folders may belong to another service. */
export const findDeletedSessions = async (db: Queryable, sessionIds: readonly string[]): Promise<string[]> => {
  const rows = await db.session.findMany({
    where: { id: { in: [...sessionIds] }, deletedAt: { not: null } },
    select: { id: true },
  });
  return rows.map(({ id }) => id);
};
