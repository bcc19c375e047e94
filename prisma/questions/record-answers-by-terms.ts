/** Records the answers of terms to open questions, as those of replies are. */
import { Prisma } from '@prisma/client';
import type { ActionsOfCloud } from '../../rules/questions/action-by-answer';
import type { AnswerByTerms } from '../../rules/terms/answer-by-terms';
import { databaseNow, type Transaction } from '../database';
import { lockClaims } from '../moves/claims';
import { lockQuestionRows, type QuestionRow } from './question-rounds';
import { type GivenAnswer, recordAnswers, type RecordedAnswer } from './record-answers';

interface AnsweredByTerms {
  /** IDs of the questions; the terms have no answer to the others. */
  readonly ids: readonly string[];
  readonly answers: readonly RecordedAnswer[];
}

/** @param of the questions, by their IDs or their message IDs */
export const recordAnswersByTerms = async (
  tx: Transaction,
  actions: ActionsOfCloud,
  of: { readonly ids: readonly string[] } | { readonly messageIds: readonly string[] },
): Promise<AnsweredByTerms> => {
  const those =
    'ids' in of
      ? Prisma.sql`id = ANY(${[...of.ids]}::uuid[])`
      : Prisma.sql`message_id = ANY(${[...of.messageIds]}::uuid[])`;
  const rows = await lockQuestionRows(tx, Prisma.sql`${those} AND status = 'open' AND terms_answer IS NOT NULL`);
  if (rows.length === 0) return { ids: [], answers: [] };
  await lockClaims(
    tx,
    rows.flatMap(({ claimId }) => claimId ?? []),
  );
  const answers = await recordAnswers(tx, rows.map(answerOf), { actions, answeredAt: await databaseNow(tx) });
  return { ids: rows.map(({ id }) => id), answers: [...answers.values()] };
};

const answerOf = (row: QuestionRow): GivenAnswer => {
  // The column holds what asking wrote.
  const { answer, actions } = row.termsAnswer as unknown as AnswerByTerms;
  return {
    row,
    reply: { state: row.state, answer, instanceActions: actions },
    decision: { kind: 'answer', questionId: row.id, instanceActions: actions },
    by: 'terms',
  };
};
