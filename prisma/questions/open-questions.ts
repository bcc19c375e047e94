/** Questions that nobody has answered yet, of all sessions that go on. */
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

/** @param projectId null: those of all projects */
export const findOpenQuestions = async (
  db: Database,
  projectId: Id | null,
): Promise<{ readonly questions: readonly AwaitedQuestion[]; readonly now: Date }> => {
  const [questions, clock] = await db.$transaction([
    db.question.findMany({
      where: {
        status: 'open',
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
