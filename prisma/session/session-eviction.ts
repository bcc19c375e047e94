/** What sessions say about instances that the cloud keeps: the column `eviction` of their rows, read for each use. */
import type { Eviction } from '../../rules/cloud/eviction';
import type { Queryable } from '../database';

/** Null: the session says nothing, or is not there. */
export const findEviction = async (db: Queryable, sessionId: string): Promise<Eviction | null> =>
  (await findEvictions(db, [sessionId])).get(sessionId) ?? null;

/** What these sessions say; none of those that say nothing. */
export const findEvictions = async (
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, Eviction>> => {
  if (sessionIds.length === 0) return new Map();
  const rows = await db.session.findMany({
    where: { id: { in: [...sessionIds] } },
    select: { id: true, eviction: true },
  });
  // The column holds what the API's parsers let in.
  return new Map(rows.flatMap(({ id, eviction }) => (eviction === null ? [] : [[id, eviction as Eviction]])));
};
