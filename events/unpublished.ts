/** Events that are recorded and not yet published. */
import type { Database } from '../prisma/database';

/** The number of the session's newest unpublished event; undefined when all events are published. */
export const newestUnpublished = async (db: Database, sessionId: string): Promise<number | undefined> => {
  const { _max: newest } = await db.event.aggregate({ where: { sessionId, publishedAt: null }, _max: { seq: true } });
  return newest.seq ?? undefined;
};

/** True when any event of the session up to `lastSeq` is unpublished. */
export const isUnpublished = async (db: Database, sessionId: string, lastSeq: number): Promise<boolean> => {
  const row = await db.event.findFirst({
    where: { sessionId, publishedAt: null, seq: { lte: lastSeq } },
    select: { id: true },
  });
  return row !== null;
};

export interface LeftOverEvents {
  readonly sessionId: string;
  readonly events: number;
}

/** The sessions that have unpublished events, each with the number of these events. */
export const countUnpublished = async (db: Database): Promise<LeftOverEvents[]> => {
  const groups = await db.event.groupBy({ by: ['sessionId'], where: { publishedAt: null }, _count: true });
  return groups.map(({ sessionId, _count: events }) => ({ sessionId, events }));
};
