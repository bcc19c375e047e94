/** How long the moves and the answers of projects took. Rows outlive their sessions, claims and questions. */
import type { SeenAnswers, SeenMoves } from '../../rules/expectations/expected-times';
import type { Queryable, Transaction } from '../database';

/** Rows that are kept of a project and an action, or of a project and a state that it was asked about. */
const rowsKept = 100;

export interface EndedQuestion {
  readonly id: string;
  readonly projectId: string;
  readonly state: string;
  /** The time when its event reached the bus; null: the answer came before that was recorded. */
  readonly askedAt: Date | null;
  /** Null: the window ended without an answer. */
  readonly answeredAt: Date | null;
}

/**
 * Records times in the transaction that records answers, or closes questions without one. The first answer counts: its
 * project may change it later.
 */
export const recordAnswerTimes = async (
  tx: Queryable,
  questions: readonly EndedQuestion[],
  endedAt: Date,
): Promise<void> => {
  if (questions.length === 0) return;
  await tx.answerTime.createMany({
    data: questions.map(({ id: questionId, projectId, state, askedAt, answeredAt }) => ({
      questionId,
      projectId,
      state,
      endedAt,
      seconds: answeredAt === null ? null : secondsBetween(askedAt ?? answeredAt, answeredAt),
    })),
    skipDuplicates: true,
  });
};

const secondsBetween = (from: Date, to: Date): number => Math.max(0, to.getTime() - from.getTime()) / 1000;

export const findSeenMoves = (db: Queryable): Promise<SeenMoves[]> =>
  db.$queryRaw<SeenMoves[]>`
    SELECT min(project_id) AS "projectId", action, avg(seconds) AS seconds FROM move_time GROUP BY project_key, action`;

/** Counts questions about instances and hosts only; the others are asked at the begin and the end of a session. */
export const findSeenAnswers = async (db: Queryable): Promise<SeenAnswers[]> => {
  const rows = await db.$queryRaw<(Omit<SeenAnswers, 'seconds'> & { readonly seconds: number | null })[]>`
    SELECT min(project_id) AS "projectId", avg(seconds) AS seconds,
      avg(CASE WHEN seconds IS NULL THEN 1 ELSE 0 END)::float8 AS "silentShare"
    FROM answer_time WHERE state IN ('PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE') GROUP BY project_key`;
  return rows.map(({ seconds, ...row }) => ({ ...row, seconds: seconds ?? undefined }));
};

/** Projects that have refused a question of a session that is still there. */
export const findRefusers = async (db: Queryable): Promise<readonly string[]> => {
  const rows = await db.$queryRaw<{ projectId: string }[]>`
    SELECT min(project_id) AS "projectId" FROM question WHERE answer = 'NACK' GROUP BY project_key ORDER BY 1`;
  return rows.map(({ projectId }) => projectId);
};

export interface MeanTimes {
  /** Null: none was seen. */
  readonly moveSeconds: number | null;
  readonly answerSeconds: number | null;
}

/** Means over all projects. */
export const findMeanTimes = async (db: Queryable): Promise<MeanTimes> => {
  const [means] = await db.$queryRaw<MeanTimes[]>`
    SELECT (SELECT avg(seconds) FROM move_time) AS "moveSeconds",
      (SELECT avg(seconds) FROM answer_time WHERE state IN ('PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE')) AS "answerSeconds"`;
  return means ?? { moveSeconds: null, answerSeconds: null };
};

/**
 * Keeps the latest rows of each kind. Rows that another deletion locks are left to that one.
 * @returns the number of rows that are removed
 */
export const forgetOldTimes = async (tx: Transaction): Promise<number> => {
  const moves = await tx.$executeRaw`
    DELETE FROM move_time WHERE claim_id IN (
      SELECT claim_id FROM move_time WHERE claim_id IN (
        SELECT claim_id FROM (
          SELECT claim_id, row_number() OVER (PARTITION BY project_key, action ORDER BY ended_at DESC) AS place
          FROM move_time
        ) AS placed WHERE place > ${rowsKept}
      ) FOR UPDATE SKIP LOCKED
    )`;
  const answers = await tx.$executeRaw`
    DELETE FROM answer_time WHERE question_id IN (
      SELECT question_id FROM answer_time WHERE question_id IN (
        SELECT question_id FROM (
          SELECT question_id, row_number() OVER (PARTITION BY project_key, state ORDER BY ended_at DESC) AS place
          FROM answer_time
        ) AS placed WHERE place > ${rowsKept}
      ) FOR UPDATE SKIP LOCKED
    )`;
  return moves + answers;
};
