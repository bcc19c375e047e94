/** Sessions with a workflow of their own, whose task queue workers must serve. */
import type { Database } from '../database';

export interface ServedSession {
  readonly id: string;
  /** The path within the session's files. */
  readonly workflowModule: string;
  readonly isDeleted: boolean;
}

export const findServedSessions = async (db: Database): Promise<ServedSession[]> => {
  const rows = await db.session.findMany({
    where: { workflowModule: { not: null } },
    select: { id: true, workflowModule: true, deletedAt: true },
  });
  return rows.flatMap(({ id, workflowModule, deletedAt }) =>
    workflowModule === null ? [] : [{ id, workflowModule, isDeleted: deletedAt !== null }],
  );
};
