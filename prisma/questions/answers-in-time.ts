/** Answers of projects that may have put work off (rules/owner-times/answered-times.ts). */
import type { AnswerInTime } from '../../rules/owner-times/answered-times';
import type { ReplyTimes } from '../../rules/owner-times/reply-times';
import type { Queryable } from '../database';

interface AnswerRow {
  readonly sessionId: string;
  readonly instanceIds: readonly string[];
  readonly answer: 'ACK' | 'NACK';
  readonly answeredAt: Date;
  readonly times: ReplyTimes | null;
  readonly latestAt: Date;
}

/**
 * The answers, by session, of all projects that have put something off in a session that lets them, or have refused.
 * Terms name no time, so that what they answer leaves the time of an earlier reply.
 *
 * @param sessionId left out: of all unfinished sessions
 */
export const findAnswersInTime = async (
  db: Queryable,
  sessionId?: string,
): Promise<ReadonlyMap<string, readonly AnswerInTime[]>> => {
  const rows = await db.$queryRaw<AnswerRow[]>`
    SELECT q.session_id AS "sessionId", q.instance_ids AS "instanceIds", q.answer, q.answered_at AS "answeredAt", q.times,
      q.not_before_latest AS "latestAt"
    FROM session s
    CROSS JOIN LATERAL (
      SELECT project_key FROM question
      WHERE session_id = s.id AND not_before_latest IS NOT NULL AND (times IS NOT NULL OR answer = 'NACK')
      GROUP BY project_key
    ) AS project
    JOIN question q ON q.session_id = s.id AND q.project_key = project.project_key
    WHERE s.postpone IS NOT NULL AND s.deleted_at IS NULL AND s.state <> 'MAINTENANCE_DONE'
      AND (${sessionId ?? null}::uuid IS NULL OR s.id = ${sessionId ?? null}::uuid)
      AND q.answered_at IS NOT NULL AND q.not_before_latest IS NOT NULL AND q.answered_by IS NULL`;
  const answers = rows.map(({ latestAt, answeredAt, times, ...row }) => ({
    ...row,
    ...(times && { times }),
    answeredAtMs: answeredAt.getTime(),
    latestMs: latestAt.getTime(),
  }));
  return Map.groupBy(answers, (answer) => answer.sessionId);
};
