/**
 * The answers on which an action that is about to begin rests, when its claim has no question of its own. Their rows
 * are locked until the transaction ends. An answer that replaces one comes before the beginning, which then keeps to
 * it, or it comes after the beginning and is refused.
 */
import { Prisma } from '@prisma/client';
import { keyOf } from '../../rules/cloud/id';
import type { Question } from '../../rules/questions/question';
import type { Transaction } from '../database';
import type { ClaimRecord } from '../moves/claims';
import { findUnusedAnswers } from './find-unused-answers';
import { lockQuestions } from './question-rounds';

/** The answer was given under an earlier claim of the instance, whose action never began. */
export const lockUnusedAnswer = async (tx: Transaction, claim: ClaimRecord): Promise<Question[]> => {
  const { id: exceptClaimId, sessionId } = claim;
  const [projectKey, instanceKey] = [keyOf(claim.projectId), keyOf(claim.instanceId)];
  await tx.$queryRaw`
    SELECT 1 FROM question
    WHERE session_id = ${sessionId}::uuid AND project_key = ${projectKey} AND instance_key = ${instanceKey}
    ORDER BY id FOR UPDATE`;
  return [...(await findUnusedAnswers(tx, { sessionId, of: { instanceKey, exceptClaimId } })).values()];
};

/**
 * The project's question in this state about the whole host. Many actions rest on one answer, so they share its lock.
 */
export const shareQuestionsAboutHost = (
  tx: Transaction,
  { sessionId, source: hostname, projectId }: ClaimRecord,
  state: string,
): Promise<Question[]> =>
  lockQuestions(
    tx,
    Prisma.sql`session_id = ${sessionId}::uuid AND project_key = ${keyOf(projectId)} AND instance_id IS NULL
      AND hostname = ${hostname} AND state = ${state}`,
    'SHARE',
  );
