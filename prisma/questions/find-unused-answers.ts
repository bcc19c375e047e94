/**
 * Answers about single instances that still count after their claim was dropped, or refused by its target
 * (rules/questions/use-unused-answers.ts).
 */
import type { IdKey } from '../../rules/cloud/id';
import type { Question } from '../../rules/questions/question';
import type { Queryable } from '../database';
import { toQuestion } from './question-rounds';

interface UnusedScope {
  readonly sessionId: string;
  /** Only about this instance, for this claim of it. */
  readonly of?: { readonly instanceKey: IdKey; readonly exceptClaimId: string };
}

/**
 * Finds by instance the session's newest question about it that was answered, if nothing has changed since. For this
 * claim and all later ones, no action has begun, or the target refused it. The instance's constraints are still those
 * at the time of the answer.
 */
export const findUnusedAnswers = async (
  tx: Queryable,
  { sessionId, of }: UnusedScope,
): Promise<ReadonlyMap<string, Question>> => {
  const { instanceKey = null, exceptClaimId = null } = of ?? {};
  const found = await tx.$queryRaw<{ id: string }[]>`
    SELECT q.id FROM question q JOIN claim c ON c.id = q.claim_id
    WHERE q.session_id = ${sessionId}::uuid AND c.session_id = q.session_id AND c.outcome IN ('dropped', 'refused')
      AND q.status = 'answered' AND (${instanceKey}::text IS NULL OR q.instance_key = ${instanceKey})
      AND NOT EXISTS (
        SELECT 1 FROM question newer
        WHERE newer.session_id = q.session_id AND newer.instance_key = q.instance_key AND newer.created_at > q.created_at)
      AND NOT EXISTS (
        SELECT 1 FROM claim since
        WHERE since.session_id = c.session_id AND since.instance_key = c.instance_key AND since.created_at >= c.created_at
          AND since.outcome IS DISTINCT FROM 'refused' AND since.id IS DISTINCT FROM ${exceptClaimId}::uuid
          AND (since.started_at IS NOT NULL OR since.outcome IS DISTINCT FROM 'dropped'))
      AND NOT EXISTS (
        SELECT 1 FROM instance_constraint changed
        WHERE changed.instance_key = q.instance_key
          AND coalesce(changed.updated_at, changed.created_at) > q.answered_at)`;
  if (found.length === 0) return new Map();
  const rows = await tx.question.findMany({ where: { id: { in: found.map(({ id }) => id) } } });
  return new Map(rows.map(toQuestion).map((question) => [question.instanceId ?? '', question]));
};
