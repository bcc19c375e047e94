/** Questions that nobody has answered yet, of all sessions that go on; and all questions of one session. */
import { type Id, keyOf } from '../../rules/cloud/id';
import type { Database } from '../database';

export interface AwaitedQuestion {
  readonly id: string;
  readonly sessionId: string;
  readonly projectId: string;
  readonly state: string;
  readonly instanceId: string | null;
  readonly hostname: string | null;
  readonly instanceIds: unknown;
  readonly allowedActions: unknown;
  /** Null until it is on its way to the bus. */
  readonly replyAt: Date | null;
  /** The latest time until which its project may put the work off; null: it may not. */
  readonly notBeforeLatest: Date | null;
  readonly session: { readonly deadline: Date | null };
}

export interface QuestionToShow extends AwaitedQuestion {
  /** open, or how it ended (prisma/schema.prisma). */
  readonly status: string;
  readonly answer: string | null;
  /** terms; null: a reply, or nobody. */
  readonly answeredBy: string | null;
  readonly answeredAt: Date | null;
  readonly closedAt: Date | null;
}

/** An instance that a question is about, as its session knows it. */
export interface InstanceAskedAbout {
  readonly sessionId: string;
  readonly instanceId: string;
  readonly instanceName: string;
  readonly host: string;
}

const instancesTold = 20;

/** The first instances of each of these questions. */
export const findInstancesAskedAbout = async (
  db: Database,
  questions: readonly Pick<AwaitedQuestion, 'sessionId' | 'instanceIds'>[],
): Promise<InstanceAskedAbout[]> => {
  const asked = questions.map(({ sessionId, instanceIds }) => ({ sessionId, ids: firstOf(instanceIds) }));
  const sessionIds = [...new Set(asked.map(({ sessionId }) => sessionId))];
  const keys = [...new Set(asked.flatMap(({ ids }) => ids.map(keyOf)))];
  if (keys.length === 0) return [];
  return db.$queryRaw<InstanceAskedAbout[]>`
    SELECT session_id AS "sessionId", instance_id AS "instanceId", instance_name AS "instanceName", host
    FROM session_instance
    WHERE session_id = ANY(${sessionIds}::uuid[]) AND instance_key = ANY(${keys})`;
};

export const firstOf = (instanceIds: unknown): string[] =>
  (Array.isArray(instanceIds) ? instanceIds : []).slice(0, instancesTold).map(String);

interface QuestionsToShow {
  readonly questions: readonly QuestionToShow[];
  readonly now: Date;
}

/** @param projectId null: those of all projects */
export const findOpenQuestions = (db: Database, projectId: Id | null): Promise<QuestionsToShow> =>
  findWhere(db, projectId, { status: 'open' });

/** The same of one session, with those that are over. */
export const findQuestionsOfSession = (
  db: Database,
  projectId: Id | null,
  sessionId: string,
): Promise<QuestionsToShow> => findWhere(db, projectId, { sessionId });

const findWhere = async (
  db: Database,
  projectId: Id | null,
  which: { readonly status: 'open' } | { readonly sessionId: string },
): Promise<QuestionsToShow> => {
  const [questions, clock] = await db.$transaction([
    db.question.findMany({
      where: {
        ...which,
        session: { deletedAt: null },
        ...(projectId !== null && { projectKey: keyOf(projectId.text) }),
      },
      include: { session: { select: { deadline: true } } },
      orderBy: [{ replyAt: 'asc' }, { createdAt: 'asc' }],
    }),
    db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
  ]);
  return { questions, now: clock[0]?.now ?? new Date() };
};

/**
 * The callers whose replies have answered questions of a session, by the IDs of the questions, as far as the identity
 * tells callers apart. Its request was under way when the answer was recorded.
 */
export const findRepliers = async (db: Database, sessionId: string): Promise<ReadonlyMap<string, string>> => {
  const rows = await db.$queryRaw<{ id: string; who: string }[]>`
    SELECT question.id, reply.who FROM question JOIN LATERAL (
      SELECT coalesce(caller_name, caller) AS who FROM audit_entry
      WHERE session_id = question.session_id AND method = 'PUT' AND status = 200
        AND id_key(split_part(path, '/', 5)) = question.project_key
        AND split_part(path, '/', 6) IN ('', coalesce(question.instance_id, ''))
        AND begun_at <= question.answered_at AND coalesce(ended_at, 'infinity') >= question.answered_at
      ORDER BY begun_at DESC LIMIT 1
    ) AS reply ON reply.who IS NOT NULL
    WHERE question.session_id = ${sessionId}::uuid AND question.answer IS NOT NULL AND question.answered_by IS NULL`;
  return new Map(rows.map(({ id, who }) => [id, who]));
};
