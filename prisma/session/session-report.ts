/** The records of a session's report that its detail does not have: its moves, and how each project was asked. */
import type { Queryable } from '../database';

/** An action that began. */
export interface ReportedMove {
  readonly instanceId: string;
  readonly instanceName: string;
  readonly projectId: string;
  readonly source: string;
  /** Empty: its project chose where. */
  readonly target: string;
  readonly action: string;
  readonly startedAt: Date;
  readonly endedAt: Date | null;
  readonly outcome: string | null;
  readonly failure: string | null;
}

/** Questions that one project was asked. */
export interface AskedProject {
  readonly projectId: string;
  readonly asked: number;
  readonly replied: number;
  readonly refused: number;
  readonly byTerms: number;
  readonly silent: number;
}

/** @param notOverAt left out: also those that were over at any time */
export const findReportedMoves = async (db: Queryable, sessionId: string, notOverAt?: Date): Promise<ReportedMove[]> =>
  (await db.claim.findMany({
    where: {
      ...{ sessionId, startedAt: { not: null } },
      ...(notOverAt !== undefined && { OR: [{ endedAt: null }, { endedAt: { gte: notOverAt } }] }),
    },
    select: {
      ...{ instanceId: true, instanceName: true, projectId: true, source: true, target: true, action: true },
      ...{ startedAt: true, endedAt: true, outcome: true, failure: true },
    },
    orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
  })) as ReportedMove[];

/** A question counts as silence where its whole window has passed. */
export const findAskedProjects = (db: Queryable, sessionId: string): Promise<AskedProject[]> =>
  db.$queryRaw<AskedProject[]>`
    SELECT min(project_id) AS "projectId", count(*)::int AS asked,
      (count(*) FILTER (WHERE answer IS NOT NULL AND answered_by IS NULL))::int AS replied,
      (count(*) FILTER (WHERE answer = 'NACK'))::int AS refused,
      (count(*) FILTER (WHERE answered_by = 'terms'))::int AS "byTerms",
      (count(*) FILTER (WHERE answer IS NULL AND status = 'closed'
        AND reply_at <= coalesce(closed_at, clock_timestamp())))::int AS silent
    FROM question WHERE session_id = ${sessionId}::uuid AND asked_at IS NOT NULL
    GROUP BY project_key ORDER BY min(project_id)`;
