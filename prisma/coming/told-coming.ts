/** What projects were told last about their instances in sessions: its rule is rules/coming/worth-telling.ts. */
import type { Id } from '../../rules/cloud/id';
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

/** Sessions that are done or deleted, and of which something that was told is not over. */
export const findOverButTold = async (db: Queryable): Promise<readonly SessionProgress[]> => {
  const someBut = (...over: readonly ComingStatus[]) => ({ toldComing: { some: { status: { notIn: [...over] } } } });
  const rows = await db.session.findMany({
    where: {
      OR: [
        { deletedAt: { not: null }, ...someBut('completed', 'canceled') },
        { state: 'MAINTENANCE_DONE', ...someBut('completed', 'canceled', 'failed') },
      ],
    },
    omit: { waiting: true },
  });
  return rows as unknown as SessionProgress[];
};

/** A word as whoever follows a project by a secret address sees it. */
export interface WordOfProject {
  /** It stays the same from the first word to the last, so that calendars and agents know the entry again. */
  readonly id: string;
  readonly sessionId: string;
  readonly instanceId: string;
  readonly instanceKey: string;
  readonly instanceName: string;
  readonly status: ComingStatus;
  readonly impact: string | null;
  readonly startsAt: Date;
  readonly latestAt: Date;
  readonly endsAt: Date;
  readonly sequence: number;
  readonly revision: bigint;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** The reason for its session, in the words of an admin; null: none is given. */
  readonly reason: string | null;
}

export interface WordsWanted {
  readonly projectId: Id;
  /** Left out: those of all instances. */
  readonly instanceId?: Id;
  /** Without those that have ended before; left out: however long ago. */
  readonly since?: Date;
  /** Left out: all. */
  readonly statuses?: readonly ComingStatus[];
}

const whereOf = ({ projectId, instanceId, since, statuses }: WordsWanted) => ({
  projectKey: projectId.key,
  ...(instanceId && { instanceKey: instanceId.key }),
  ...(since && { endsAt: { gte: since } }),
  ...(statuses && { status: { in: [...statuses] } }),
});

/** The revision of the newest word to a project, whatever its status; 0: there is none. */
export const newestRevision = async (
  db: Queryable,
  wanted: Pick<WordsWanted, 'projectId' | 'instanceId'>,
): Promise<number> => {
  const { _max: newest } = await db.toldComing.aggregate({ where: whereOf(wanted), _max: { revision: true } });
  return Number(newest.revision ?? 0);
};

/** The words to one project, by time. */
export const findWordsOfProject = async (db: Queryable, wanted: WordsWanted): Promise<readonly WordOfProject[]> => {
  const rows = await db.toldComing.findMany({
    where: whereOf(wanted),
    include: { session: { select: { reason: true } } },
    orderBy: [{ startsAt: 'asc' }, { instanceKey: 'asc' }],
  });
  return rows.map(({ session: { reason }, status, ...row }) => ({ ...row, reason, status: status as ComingStatus }));
};
