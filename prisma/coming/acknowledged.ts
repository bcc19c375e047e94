/** What the owners of instances have acknowledged: it may begin as far as they are concerned. */
import { Prisma } from '@prisma/client';
import type { Id } from '../../rules/cloud/id';
import type { Queryable } from '../database';

/** Words in which something is still to come. */
const toCome = ['inquiring', 'scheduled'];

export interface Acknowledgement {
  readonly projectId: Id;
  /** Left out: all instances of the project. */
  readonly instanceId?: Id;
  /** IDs of words (WordOfProject). */
  readonly ids: readonly string[];
}

/** The IDs that are not those of words to the project, or the instance. */
export const findUnknownWords = async (
  db: Queryable,
  { projectId, instanceId, ids }: Acknowledgement,
): Promise<readonly string[]> => {
  const where = { id: { in: [...ids] }, projectKey: projectId.key, ...(instanceId && { instanceKey: instanceId.key }) };
  const known = new Set((await db.toldComing.findMany({ where, select: { id: true } })).map(({ id }) => id));
  return ids.filter((id) => !known.has(id));
};

/** The last time counts: the project may have refused since the first one. Only what is to come needs it. */
export const acknowledge = async (db: Queryable, { projectId, instanceId, ids }: Acknowledgement): Promise<void> => {
  await db.$executeRaw`
    UPDATE told_coming SET acknowledged_at = clock_timestamp()
    WHERE id = ANY(${ids}::uuid[]) AND project_key = ${projectId.key}
      AND status = ANY(${toCome}) ${instanceId ? Prisma.sql`AND instance_key = ${instanceId.key}` : Prisma.empty}`;
};

export interface AcknowledgedQuestion {
  readonly sessionId: string;
  readonly projectId: string;
  readonly state: string;
  /** Null: the project is asked as a whole. */
  readonly instanceId: string | null;
}

/**
 * The open questions about impact of which all instances are acknowledged, and not refused since.
 *
 * @param projectId left out: those to all projects
 */
export const findAcknowledgedQuestions = (db: Queryable, projectId?: Id): Promise<AcknowledgedQuestion[]> =>
  db.$queryRaw<AcknowledgedQuestion[]>`
    SELECT q.session_id AS "sessionId", q.project_id AS "projectId", q.state, q.instance_id AS "instanceId"
    FROM question q
    WHERE q.status = 'open' AND q.state NOT IN ('SCALE_IN', 'MAINTENANCE_COMPLETE')
      ${projectId ? Prisma.sql`AND q.project_key = ${projectId.key}` : Prisma.empty}
      AND jsonb_typeof(q.instance_ids) = 'array' AND jsonb_array_length(q.instance_ids) > 0
      AND NOT EXISTS (
        SELECT 1 FROM jsonb_array_elements_text(q.instance_ids) AS named(id)
        WHERE NOT EXISTS (
          SELECT 1 FROM told_coming told
          WHERE told.session_id = q.session_id AND told.instance_key = id_key(named.id)
            AND told.project_key = q.project_key AND told.acknowledged_at IS NOT NULL
            AND NOT EXISTS (
              SELECT 1 FROM question refused
              WHERE refused.session_id = q.session_id AND refused.project_key = q.project_key
                AND refused.answer = 'NACK' AND refused.state NOT IN ('SCALE_IN', 'MAINTENANCE_COMPLETE')
                AND refused.answered_at >= told.acknowledged_at AND refused.instance_ids ? named.id)))
    ORDER BY q.created_at`;
