/** The latest times until which projects may put work off, in their questions (rules/owner-times/postpone.ts). */
import { keyOf } from '../../rules/cloud/id';
import { canBePutOff, notBeforeLatestMs, type Postpone } from '../../rules/owner-times/postpone';
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
  const firstAskedMs = new Map<string, number>();
  for (const { projectId, createdAt } of questions) {
    const key = keyOf(projectId);
    firstAskedMs.set(key, Math.min(firstAskedMs.get(key) ?? Infinity, createdAt.getTime()));
  }
  const latest = questions.map(({ id, state, projectId }) => ({
    id,
    at:
      postpone === null || !canBePutOff(state)
        ? null
        : new Date(notBeforeLatestMs(postpone, firstAskedMs.get(keyOf(projectId)) ?? 0)),
  }));
  await tx.$executeRaw`
    UPDATE question SET not_before_latest = r.at
    FROM jsonb_to_recordset(${JSON.stringify(latest)}::jsonb) AS r(id uuid, at timestamptz)
    WHERE question.id = r.id`;
};
