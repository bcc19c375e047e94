/** The instances about which projects are asked, as their managers look them up. */
import type { Database } from '../database';
import type { ProjectInSession } from './project-replies';

/**
 * Finds, for many callers in one statement, the instances in each project's open project-wide question, or else in its
 * last one, or else none.
 *
 * @returns nothing for projects of sessions that do not exist
 */
export const findProjectInstanceIds = async (
  db: Database,
  targets: readonly ProjectInSession[],
): Promise<ReadonlyMap<ProjectInSession, readonly string[]>> => {
  const asked = targets.map(({ sessionId, projectId }, position) => ({
    position,
    sessionId,
    projectKey: projectId.key,
  }));
  const found = await db.$queryRaw<{ readonly position: number; readonly instanceIds: readonly string[] | null }[]>`
    SELECT r.position, shown.instance_ids AS "instanceIds"
    FROM jsonb_to_recordset(${JSON.stringify(asked)}::jsonb) AS r(position int, "sessionId" uuid, "projectKey" text)
    JOIN session ON session.id = r."sessionId" AND session.deleted_at IS NULL
    LEFT JOIN LATERAL (
      SELECT instance_ids FROM question
      WHERE session_id = r."sessionId" AND project_key = r."projectKey" AND instance_key IS NULL
      ORDER BY status = 'open' DESC, created_at DESC LIMIT 1
    ) AS shown ON true`;
  return new Map(
    found.flatMap(({ position, instanceIds }) => {
      const target = targets[position];
      return target === undefined ? [] : [[target, instanceIds ?? []] as const];
    }),
  );
};
