/** The records that tell one project what is coming for its instances in the sessions that are not done. */
import type { Id, IdKey } from '../../rules/cloud/id';
import type { ClaimInTime, KnownInstance, OpenQuestion } from '../../rules/coming/coming';
import type { Queryable } from '../database';
import { findUnfinishedSessions, type SessionProgress } from './session-progress';

interface InSession {
  readonly sessionId: string;
}

export type QuestionOfProject = OpenQuestion & InSession & { readonly projectId: string };

export interface ProjectComing {
  readonly sessions: readonly { readonly session: SessionProgress; readonly hostCount: number }[];
  readonly instances: readonly (KnownInstance & InSession)[];
  /** The oldest first. */
  readonly claims: readonly (ClaimInTime & InSession)[];
  readonly questions: readonly QuestionOfProject[];
  /** The time at which the project was first asked, by session. */
  readonly firstAskedAt: ReadonlyMap<string, Date>;
}

export const findProjectComing = async (db: Queryable, { key: projectKey }: Id): Promise<ProjectComing> => {
  const sessions = await findUnfinishedSessions(db);
  const ids = sessions.map(({ id }) => id);
  const counts = await db.sessionHost.groupBy({ by: ['sessionId'], where: { sessionId: { in: ids } }, _count: true });
  const hostCounts = new Map(counts.map(({ sessionId, _count }) => [sessionId, _count]));
  const asked = await db.question.groupBy({
    by: ['sessionId'],
    where: { sessionId: { in: ids }, projectKey },
    _min: { createdAt: true },
  });
  return {
    sessions: sessions.map((session) => ({ session, hostCount: hostCounts.get(session.id) ?? 0 })),
    instances: await findInstances(db, ids, projectKey),
    claims: await findClaims(db, ids, projectKey),
    questions: await findQuestions(db, ids, projectKey),
    firstAskedAt: new Map(
      asked.flatMap(({ sessionId, _min: { createdAt } }) =>
        createdAt === null ? [] : [[sessionId, createdAt] as const],
      ),
    ),
  };
};

/** A project's ID has several forms in the sessions. */
const findInstances = (db: Queryable, ids: readonly string[], projectKey: IdKey) =>
  db.$queryRaw<(KnownInstance & InSession)[]>`
    SELECT i.session_id AS "sessionId", i.instance_id AS "instanceId", i.instance_name AS "instanceName",
      i.state = 'DELETED' AS "isGone", i.action, i.action_done AS "actionDone", h.phase AS "hostPhase"
    FROM session_instance i
    LEFT JOIN session_host h ON h.session_id = i.session_id AND h.hostname = i.host
    WHERE i.session_id = ANY(${ids}::uuid[]) AND lower(replace(i.project_id, '-', '')) = ${projectKey}`;

interface ClaimRow extends Pick<ClaimInTime, 'instanceId' | 'action' | 'outcome'>, InSession {
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

const findClaims = async (db: Queryable, ids: readonly string[], projectKey: IdKey) => {
  const rows = await db.$queryRaw<ClaimRow[]>`
    SELECT session_id AS "sessionId", instance_id AS "instanceId", action, outcome, started_at AS "startedAt",
      ended_at AS "endedAt"
    FROM claim WHERE session_id = ANY(${ids}::uuid[]) AND lower(replace(project_id, '-', '')) = ${projectKey}
    ORDER BY created_at, id`;
  return rows.map(({ startedAt, endedAt, ...row }) => ({
    ...row,
    startedAtMs: startedAt && startedAt.getTime(),
    endedAtMs: endedAt && endedAt.getTime(),
  }));
};

const findQuestions = async (db: Queryable, ids: readonly string[], projectKey: IdKey) => {
  const rows = await db.question.findMany({
    where: { sessionId: { in: [...ids] }, projectKey, status: 'open' },
    select: { sessionId: true, projectId: true, state: true, instanceId: true, instanceIds: true },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ instanceIds, ...row }) => ({
    ...row,
    instanceIds: Array.isArray(instanceIds) ? instanceIds.map(String) : [],
  }));
};
