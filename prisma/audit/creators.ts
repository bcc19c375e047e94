/** Who created sessions, as the audit tells. */
import type { Queryable } from '../database';

/** The names by the IDs of the sessions; those of which the audit knows nothing are left out. */
export const findCreators = async (
  db: Queryable,
  sessionIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.$queryRaw<{ readonly sessionId: string; readonly who: string }[]>`
    SELECT session.id AS "sessionId", entry.who
    FROM unnest(${sessionIds}::uuid[]) AS session(id)
    CROSS JOIN LATERAL (
      SELECT coalesce(caller_name, caller, role) AS who FROM audit_entry
      WHERE session_id = session.id AND method = 'POST' AND route = '/v1/maintenance'
      ORDER BY id LIMIT 1
    ) AS entry`;
  return new Map(rows.map(({ sessionId, who }) => [sessionId, who]));
};
