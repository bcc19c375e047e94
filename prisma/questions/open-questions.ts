/** Questions that nobody has answered yet, of all sessions that go on. */
import { type Id, keyOf } from '../../rules/planning/fleet/id';
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
  readonly replyAt: Date | null;
}

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
      orderBy: [{ replyAt: 'asc' }, { createdAt: 'asc' }],
    }),
    db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
  ]);
  return { questions, now: clock[0]?.now ?? new Date() };
};
