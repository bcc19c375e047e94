/** What projects were told last about their instances in sessions: its rule is rules/coming/worth-telling.ts. */
import type { ComingStatus } from '../../rules/coming/coming';
import type { ToldComing } from '../../rules/coming/worth-telling';
import type { Queryable, Transaction } from '../database';
import type { SessionProgress } from '../session/session-progress';

/** Lock the session's row before what is found is replaced. */
export const findToldComing = async (db: Queryable, sessionId: string): Promise<readonly ToldComing[]> => {
  const rows = await db.toldComing.findMany({ where: { sessionId }, select: columns });
  return rows.map(({ startsAt, latestAt, endsAt, status, ...row }) => ({
    ...row,
    status: status as ComingStatus,
    startsAtMs: startsAt.getTime(),
    latestAtMs: latestAt.getTime(),
    endsAtMs: endsAt.getTime(),
  }));
};

const columns = {
  ...{ instanceId: true, instanceName: true, projectId: true, status: true, impact: true, sequence: true },
  ...{ startsAt: true, latestAt: true, endsAt: true },
} as const;

/** Replaces the words about these instances. A start that is new may be acknowledged anew. */
export const storeToldComing = async (
  tx: Transaction,
  sessionId: string,
  words: readonly ToldComing[],
): Promise<void> => {
  if (words.length === 0) return;
  await tx.$executeRaw`
    INSERT INTO told_coming AS told
      (session_id, instance_id, instance_name, project_id, status, impact, starts_at, latest_at, ends_at, sequence)
    SELECT ${sessionId}::uuid, w."instanceId", w."instanceName", w."projectId", w.status, w.impact,
      to_timestamp(w."startsAtMs" / 1000.0), to_timestamp(w."latestAtMs" / 1000.0), to_timestamp(w."endsAtMs" / 1000.0),
      w.sequence
    FROM jsonb_to_recordset(${JSON.stringify(words)}::jsonb) AS w(
      "instanceId" text, "instanceName" text, "projectId" text, status text, impact text, "startsAtMs" float8,
      "latestAtMs" float8, "endsAtMs" float8, sequence int)
    ON CONFLICT (session_id, instance_key) DO UPDATE SET
      instance_name = EXCLUDED.instance_name, project_id = EXCLUDED.project_id, status = EXCLUDED.status,
      impact = EXCLUDED.impact, starts_at = EXCLUDED.starts_at, latest_at = EXCLUDED.latest_at,
      ends_at = EXCLUDED.ends_at, sequence = EXCLUDED.sequence, revision = EXCLUDED.revision,
      acknowledged_at = CASE WHEN EXCLUDED.sequence = told.sequence THEN told.acknowledged_at END,
      updated_at = clock_timestamp()`;
};

/** Sessions that are done, and of which something that was told is not over. */
export const findDoneButTold = async (db: Queryable): Promise<readonly SessionProgress[]> => {
  const rows = await db.session.findMany({
    where: {
      ...{ deletedAt: null, state: 'MAINTENANCE_DONE' },
      toldComing: { some: { status: { notIn: ['completed', 'canceled', 'failed'] } } },
    },
    omit: { waiting: true },
  });
  return rows as unknown as SessionProgress[];
};
