/**
 * The answer that an action which is about to begin rests on. Its row is locked until the transaction ends: an answer
 * that replaces it comes before the beginning, which keeps to it, or after it, and is refused.
 */
import { keyOf } from '../planning/fleet/id';
import { asksInstances } from '../planning/rolling/ways-of-rolling';
import type { Question } from '../planning/questions/question';
import type { ClaimRecord } from './claims';
import type { Transaction } from './database';
import { findUnusedAnswers } from './earlier-answers';
import { lockQuestionsOfClaims, toQuestion } from './question-rounds';
import { findWorkflow } from './session-progress';

/** Undefined where the grant rests on none. */
export const lockAnswerInForce = async (tx: Transaction, claim: ClaimRecord): Promise<Question | undefined> => {
  if (claim.askedAt !== null) return (await lockQuestionsOfClaims(tx, [claim.id])).at(-1);
  const workflow = await findWorkflow(tx, claim.sessionId);
  if (workflow === null) return undefined;
  return asksInstances(workflow) ? lockEarlierAnswer(tx, claim) : lockAnswerAboutHost(tx, claim);
};

/** It was answered under an earlier claim, of which nothing came. */
const lockEarlierAnswer = async (tx: Transaction, claim: ClaimRecord): Promise<Question | undefined> => {
  const { id: exceptClaimId, sessionId } = claim;
  const instanceKey = keyOf(claim.instanceId);
  await tx.$queryRaw`
    SELECT 1 FROM question WHERE session_id = ${sessionId}::uuid AND instance_key = ${instanceKey}
    ORDER BY id FOR UPDATE`;
  return [...(await findUnusedAnswers(tx, { sessionId, of: { instanceKey, exceptClaimId } })).values()][0];
};

/** The project was asked about the whole host. Many actions rest on one answer: they share its row. */
const lockAnswerAboutHost = async (tx: Transaction, claim: ClaimRecord): Promise<Question | undefined> => {
  const { sessionId, source } = claim;
  const [projectKey, instanceKey] = [keyOf(claim.projectId), keyOf(claim.instanceId)];
  await tx.$queryRaw`
    SELECT 1 FROM question
    WHERE session_id = ${sessionId}::uuid AND project_key = ${projectKey} AND instance_id IS NULL
      AND hostname = ${source}
    ORDER BY id FOR SHARE`;
  // Its project did not carry out what it chose: the service moves it now.
  const isExpired = (await tx.claim.count({ where: { sessionId, instanceKey, source, outcome: 'expired' } })) > 0;
  if (isExpired) return undefined;
  const rows = await tx.question.findMany({
    where: { sessionId, projectKey, instanceKey: null, hostname: source },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(toQuestion).findLast(({ instanceIds }) => instanceIds.some((id) => keyOf(id) === instanceKey));
};
