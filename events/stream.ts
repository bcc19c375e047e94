/**
 * The events that GET /v1/events shows, in the order of their positions. A position never changes, and positions become
 * visible in order (positions.ts). So a reader that continues after the newest position it has seen never misses an
 * event.
 */
import type { Database } from '../prisma/database';
import type { Id, IdKey } from '../rules/cloud/id';
import { type Envelope, type RecordedEvent, toEnvelope, type WireNames } from './envelope';

export interface StreamQuery {
  /** Only events after this position; 0n: from the beginning. */
  readonly afterPosition: bigint;
  /** Only the project's events; null: the events of all projects. */
  readonly projectId: Id | null;
  /** The maximum number of events. */
  readonly limit: number;
  readonly names: WireNames;
}

export interface StreamedEvent {
  readonly position: bigint;
  readonly envelope: Envelope;
}

/**
 * The next events of the stream, oldest first, with the present content of their rows: a question that was stamped
 * again shows its new times.
 */
export const readEvents = async (db: Database, query: StreamQuery): Promise<StreamedEvent[]> => {
  const { afterPosition, projectId, limit, names } = query;
  const rows = await db.event.findMany({
    where: { position: { gt: afterPosition }, ...(projectId === null ? {} : { projectKey: projectId.key }) },
    orderBy: { position: 'asc' },
    take: limit,
  });
  return rows.flatMap((row) => streamed(row, names));
};

const streamed = (
  { position, ...row }: RecordedEvent & { readonly position: bigint | null },
  names: WireNames,
): StreamedEvent[] => (position === null ? [] : [{ position, envelope: toEnvelope(row, names) }]);

export interface SessionEventsQuery {
  readonly sessionId: string;
  /** The maximum number of events. */
  readonly limit: number;
}

/** The newest events of a session that are on the stream, the newest first. */
export const readEventsOfSession = async (
  db: Database,
  { sessionId, limit, names }: SessionEventsQuery & { readonly names: WireNames },
): Promise<StreamedEvent[]> => {
  const rows = await db.event.findMany({
    where: { sessionId, position: { not: null } },
    orderBy: { seq: 'desc' },
    take: limit,
  });
  return rows.flatMap((row) => streamed(row, names));
};

/** The queries that GET /v1/events makes, and the one of GET /v1/maintenance/{session_id}/events. */
export const openStream = (db: Database, names: WireNames) => ({
  read: (query: Omit<StreamQuery, 'names'>) => readEvents(db, { ...query, names }),
  ofSession: (query: SessionEventsQuery) => readEventsOfSession(db, { ...query, names }),
  newestPosition: () => newestPosition(db),
  newestOfProjects: (afterPosition: bigint) => newestOfProjects(db, afterPosition),
});

/** Events that one look goes through at most; it tells a busier stream in several looks. */
const eventsPerLook = 5_000;

/**
 * Maps each project with events after a position to its newest event's; null: those for admins alone. The limit makes
 * PostgreSQL follow the index of positions, where it would else read the whole table.
 */
export const newestOfProjects = async (
  db: Database,
  afterPosition: bigint,
): Promise<ReadonlyMap<IdKey | null, bigint>> => {
  const rows = await db.$queryRaw<{ key: IdKey | null; newest: bigint }[]>`
    SELECT project_key AS key, max(position) AS newest FROM (
      SELECT project_key, position FROM event WHERE position > ${afterPosition} ORDER BY position LIMIT ${eventsPerLook}
    ) AS next GROUP BY project_key`;
  return new Map(rows.map(({ key, newest }) => [key, newest]));
};

/** The position of the newest event on the stream; 0n while the stream is empty. */
export const newestPosition = async (db: Database): Promise<bigint> => {
  const newest = await db.event.findFirst({
    where: { position: { not: null } },
    orderBy: { position: 'desc' },
    select: { position: true },
  });
  return newest?.position ?? 0n;
};
