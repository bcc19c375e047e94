/** The latest times until which projects may put work off, in their questions (rules/owner-times/postpone.ts). */
import { keyOf } from '../../rules/cloud/id';
import { latestInAnswer, type Postpone } from '../../rules/owner-times/postpone';
import type { Transaction } from '../database';

/**
 * Writes them anew when an admin has changed `postpone`: refusals and times that were given before follow it as well.
 * The caller has locked the session.
 */
export const rewriteLatestTimes = async (
  tx: Transaction,
  sessionId: string,
  postpone: Postpone | null,
): Promise<void> => {
  // In the order in which all code locks questions.
  const questions = await tx.$queryRaw<{ id: string; state: string; projectId: string; createdAt: Date }[]>`
    SELECT id, state, project_id AS "projectId", created_at AS "createdAt" FROM question
    WHERE session_id = ${sessionId}::uuid ORDER BY id FOR UPDATE`;
  const firstAsked = new Map<string, Date>();
  for (const { projectId, createdAt } of questions.toSorted((one, other) => +one.createdAt - +other.createdAt)) {
    if (!firstAsked.has(keyOf(projectId))) firstAsked.set(keyOf(projectId), createdAt);
  }
  const latest = questions.map(({ id, state, projectId, createdAt }) => ({
    id,
    at: latestInAnswer(postpone, state, firstAsked.get(keyOf(projectId)) ?? createdAt),
  }));
  await tx.$executeRaw`
    UPDATE question SET not_before_latest = r.at
    FROM jsonb_to_recordset(${JSON.stringify(latest)}::jsonb) AS r(id uuid, at timestamptz)
    WHERE question.id = r.id`;
};
