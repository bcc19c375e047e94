/** The time that sessions give their hosts to come back, where they say it: the column `host_start_seconds`. */
import type { Queryable } from '../database';

/** In seconds, by session; none of those that say nothing. */
export const findHostStartSeconds = async (
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, number>> => {
  if (sessionIds.length === 0) return new Map();
  const rows = await db.session.findMany({
    where: { id: { in: [...sessionIds] }, hostStartSeconds: { not: null } },
    select: { id: true, hostStartSeconds: true },
  });
  return new Map(rows.map(({ id, hostStartSeconds }) => [id, hostStartSeconds ?? 0]));
};
