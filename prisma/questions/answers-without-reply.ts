/** The questions of a session that nobody replied to: their project's terms answered, or it stayed silent. */
import type { Queryable } from '../database';

/** Questions of one project about one state. */
export interface AnswersWithoutReply {
  readonly projectId: string;
  readonly state: string;
  /** Null: silence, so that the default followed. */
  readonly answeredBy: 'terms' | null;
  readonly questions: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
}

/** A question counts as silence where its whole window has passed. */
export const findAnswersWithoutReply = (db: Queryable, sessionId: string): Promise<AnswersWithoutReply[]> =>
  db.$queryRaw<AnswersWithoutReply[]>`
    SELECT min(project_id) AS "projectId", state, answered_by AS "answeredBy", count(*)::int AS questions,
      min(coalesce(answered_at, reply_at)) AS "firstAt", max(coalesce(answered_at, reply_at)) AS "lastAt"
    FROM question
    WHERE session_id = ${sessionId}::uuid AND (
      answered_by = 'terms' OR (status = 'closed' AND answer IS NULL AND reply_at <= coalesce(closed_at, clock_timestamp())))
    GROUP BY project_key, state, answered_by`;
