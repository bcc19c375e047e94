/**
 * The events as GET /v1/events shows them: in the order of their positions, which are given once and become visible in
 * their order (positions.ts), so a reader that goes on after the newest position it has seen never misses one.
 */
import type { Id } from '../planning/fleet/id';
import type { Database } from '../prisma/database';
import { type Envelope, toEnvelope, type WireNames } from './envelope';

export interface StreamQuery {
  /** Only events behind this one; 0n: from the beginning. */
  readonly afterPosition: bigint;
  /** Only the project's events; null: all. */
  readonly projectId: Id | null;
  /** At most this many. */
  readonly limit: number;
  readonly names: WireNames;
}

export interface StreamedEvent {
  readonly position: bigint;
  readonly envelope: Envelope;
}

/** The next events of the stream, oldest first; as the rows are now, so a question that was stamped anew shows that. */
export const readEvents = async (db: Database, query: StreamQuery): Promise<StreamedEvent[]> => {
  const { afterPosition, projectId, limit, names } = query;
  const rows = await db.event.findMany({
    where: { position: { gt: afterPosition }, ...(projectId === null ? {} : { projectKey: projectId.key }) },
    orderBy: { position: 'asc' },
    take: limit,
  });
  return rows.flatMap(({ position, ...row }) =>
    position === null ? [] : [{ position, envelope: toEnvelope(row, names) }],
  );
};

/** Position of the newest event on the stream; 0n while there is none. */
export const newestPosition = async (db: Database): Promise<bigint> => {
  const { _max: newest } = await db.event.aggregate({ _max: { position: true } });
  return newest.position ?? 0n;
};
