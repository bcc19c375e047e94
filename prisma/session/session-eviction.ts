/** What sessions say about instances that the cloud keeps: the column `eviction` of their rows, read for each use. */
import type { Eviction } from '../../rules/cloud/eviction';
import type { Queryable } from '../database';

/** Null: the session says nothing, or is not there. */
export const findEviction = async (db: Queryable, sessionId: string): Promise<Eviction | null> => {
  const row = await db.session.findUnique({ where: { id: sessionId }, select: { eviction: true } });
  // The column holds what the API's parsers let in.
  return (row?.eviction ?? null) as Eviction | null;
};

/** What counts on each host that an unfinished session owns, where that session says something; by names of hosts. */
export const findEvictionByHost = async (db: Queryable): Promise<ReadonlyMap<string, Eviction>> => {
  const rows = await db.$queryRaw<{ hostname: string; eviction: Eviction }[]>`
    SELECT host.hostname, session.eviction
    FROM session_host host JOIN session ON session.id = host.session_id
    WHERE host.owned AND session.eviction IS NOT NULL`;
  return new Map(rows.map(({ hostname, eviction }) => [hostname, eviction]));
};
