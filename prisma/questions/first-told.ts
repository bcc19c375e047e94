/** When projects were first told of sessions: by a question, or by an event about what is coming. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Queryable } from '../database';

/** @returns the time for a project in a session; undefined: it was not told yet */
export const findFirstTold = async (
  db: Queryable,
  sessionIds: readonly string[],
): Promise<(sessionId: string | undefined, projectId: string) => Date | undefined> => {
  const rows = await db.$queryRaw<{ sessionId: string; projectKey: IdKey; at: Date }[]>`
    SELECT session_id AS "sessionId", project_key AS "projectKey", min(created_at) AS at
    FROM (
      SELECT session_id, project_key, created_at FROM question UNION ALL
      SELECT session_id, project_key, created_at FROM told_coming
    ) AS told
    WHERE session_id = ANY(${sessionIds}::uuid[]) GROUP BY session_id, project_key`;
  const times = new Map(rows.map(({ sessionId, projectKey, at }) => [`${sessionId} ${projectKey}`, at]));
  return (sessionId, projectId) => times.get(`${sessionId ?? ''} ${keyOf(projectId)}`);
};
