/**
 * Ends open questions without an answer, and decides from when on an answer cannot be changed any more. All functions
 * lock questions in the order of their IDs, and return the questions that they closed, for the log.
 */
import { databaseNow, type Queryable } from '../database';
import { recordAnswerTimes } from '../times/project-times';
import { describeQuestions, type LoggedQuestion } from './logged-questions';
import { lockProjectQuestions } from './question-rounds';

/** Closes open questions before their time, by default to ask again. An answer that came first stays. */
export const closeQuestionRows = async (
  tx: Queryable,
  ids: readonly string[],
  status: 'closed' | 'unneeded' = 'closed',
): Promise<LoggedQuestion[]> => describeQuestions(tx, await closeRows(tx, ids, status));

const closeRows = async (tx: Queryable, ids: readonly string[], status: 'closed' | 'unneeded') => {
  if (ids.length === 0) return [];
  return tx.question.updateManyAndReturn({
    where: { id: { in: [...ids] }, status: 'open' },
    data: { status, closedAt: await databaseNow(tx) },
  });
};

/** Closes questions whose windows have ended in silence, which counts among the answers of their projects. */
export const closeAsSilence = async (tx: Queryable, ids: readonly string[]): Promise<LoggedQuestion[]> => {
  const closed = await closeRows(tx, ids, 'closed');
  await recordAnswerTimes(tx, closed, await databaseNow(tx));
  return describeQuestions(tx, closed);
};

/** Counts open questions as silence, because their host is given back after an answer had been expected. */
export const countAsSilence = async (tx: Queryable, ids: readonly string[]): Promise<void> => {
  if (ids.length === 0) return;
  const late = await tx.question.findMany({ where: { id: { in: [...ids] }, status: 'open' } });
  await recordAnswerTimes(tx, late, await databaseNow(tx));
};

export interface QuestionsOf {
  readonly sessionId: string;
  readonly hostname?: string;
  readonly claimId?: string;
}

/**
 * Closes the open questions of a session, about a host or of a claim before their time, so that they are asked again.
 */
export const closeToAskAgain = async (
  tx: Queryable,
  { sessionId, hostname, claimId }: QuestionsOf,
): Promise<LoggedQuestion[]> => {
  const open = await tx.$queryRaw<FoundQuestions>`
    SELECT id FROM question
    WHERE session_id = ${sessionId}::uuid AND status = 'open'
      AND hostname IS NOT DISTINCT FROM coalesce(${hostname ?? null}, hostname)
      AND claim_id IS NOT DISTINCT FROM coalesce(${claimId ?? null}::uuid, claim_id)
    ORDER BY id FOR UPDATE`;
  return closeQuestionRows(tx, idsOf(open));
};

/**
 * Closes the questions about other states when the session enters this one: a late reply is refused, and answers about
 * another state cannot change any more. An instance's own question belongs to its claim, which continues from state to
 * state. A question about a host belongs to the work on that host.
 */
export const settleOtherStates = async (tx: Queryable, sessionId: string, state: string): Promise<LoggedQuestion[]> => {
  const questions = await lockProjectQuestions(tx, { sessionId });
  const ofOthers = questions.filter((question) => question.state !== state);
  await tx.$executeRaw`
    UPDATE question SET closed_at = clock_timestamp()
    WHERE session_id = ${sessionId}::uuid AND status = 'answered' AND instance_id IS NULL AND hostname IS NULL
      AND state <> ${state} AND closed_at IS NULL`;
  // A session that is reset to a state uses its answers again. Each stay in SCALE_IN asks again.
  await tx.$executeRaw`
    UPDATE question SET closed_at = NULL
    WHERE session_id = ${sessionId}::uuid AND status = 'answered' AND instance_id IS NULL AND hostname IS NULL
      AND state = ${state} AND state <> 'SCALE_IN'`;
  return closeQuestionRows(tx, idsOf(ofOthers));
};

/** Closes the open questions about a drained host when its maintenance begins: their instances are gone from it. */
export const settleDrainedHost = async (
  tx: Queryable,
  { sessionId, hostname }: { readonly sessionId: string; readonly hostname: string },
): Promise<LoggedQuestion[]> => {
  const asked = await tx.$queryRaw<FoundQuestions>`
    SELECT id FROM question WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname} ORDER BY id FOR UPDATE`;
  await tx.$executeRaw`
    UPDATE question SET closed_at = clock_timestamp()
    WHERE session_id = ${sessionId}::uuid AND hostname = ${hostname} AND status = 'answered' AND closed_at IS NULL`;
  return closeQuestionRows(tx, idsOf(asked), 'unneeded');
};

type FoundQuestions = { readonly id: string }[];

const idsOf = (found: readonly { readonly id: string }[]): string[] => found.map(({ id }) => id);
