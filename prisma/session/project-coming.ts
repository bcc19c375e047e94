/** The records that tell projects what is coming for their instances in sessions. */
import { Prisma } from '@prisma/client';
import { type Id, type IdKey, keyOf } from '../../rules/cloud/id';
import type { ClaimInTime, KnownInstance, OpenQuestion } from '../../rules/coming/coming';
import type { Queryable } from '../database';
import { findUnfinishedSessions, type SessionProgress } from './session-progress';

interface InSession {
  readonly sessionId: string;
  readonly projectId: string;
}
type InstanceRecord = KnownInstance & InSession;
type ClaimOfProject = ClaimInTime & InSession;
export type QuestionOfProject = OpenQuestion & InSession;

/** The records of one project in one session. */
export interface ComingRecords {
  /** In a form that one of its records has. */
  readonly projectId: string;
  readonly instances: readonly InstanceRecord[];
  /** The oldest first. */
  readonly claims: readonly ClaimOfProject[];
  readonly questions: readonly QuestionOfProject[];
  /** The time at which the project was first asked; left out: it was not. */
  readonly firstAskedAt?: Date;
}

export interface SessionWithHosts {
  readonly session: SessionProgress;
  readonly hostCount: number;
}

/** The sessions, each with the number of its hosts. */
export const withHostCounts = async (
  db: Queryable,
  sessions: readonly SessionProgress[],
): Promise<readonly SessionWithHosts[]> => {
  const sessionId = { in: sessions.map(({ id }) => id) };
  const counts = await db.sessionHost.groupBy({ by: ['sessionId'], where: { sessionId }, _count: true });
  const hostCounts = new Map(counts.map(({ sessionId, _count }) => [sessionId, _count]));
  return sessions.map((session) => ({ session, hostCount: hostCounts.get(session.id) ?? 0 }));
};

/** The records of one project in the sessions that are not done, by session. */
export const findProjectComing = async (
  db: Queryable,
  { key, text }: Id,
): Promise<{ readonly sessions: readonly SessionWithHosts[]; readonly recordsOf: (id: string) => ComingRecords }> => {
  const sessions = await findUnfinishedSessions(db);
  const found = await findRecords(db, { sessionIds: sessions.map(({ id }) => id), projectKey: key });
  const bySession = recordsBy(found, ({ sessionId }) => sessionId);
  const none = { projectId: text, instances: [], claims: [], questions: [] };
  return { sessions: await withHostCounts(db, sessions), recordsOf: (id) => bySession.get(id) ?? none };
};

/** The records of all projects in a session, by project. */
export const findSessionComing = async (db: Queryable, sessionId: string): Promise<ReadonlyMap<IdKey, ComingRecords>> =>
  recordsBy(await findRecords(db, { sessionIds: [sessionId] }), ({ projectId }) => keyOf(projectId));

interface Wanted {
  readonly sessionIds: readonly string[];
  /** Left out: all projects. */
  readonly projectKey?: IdKey;
}

const findRecords = async (db: Queryable, wanted: Wanted) => ({
  instances: await findInstances(db, wanted),
  claims: await findClaims(db, wanted),
  questions: await findQuestions(db, wanted),
  asked: await findFirstAsked(db, wanted),
});

const recordsBy = <Key>(
  { instances, claims, questions, asked }: Awaited<ReturnType<typeof findRecords>>,
  keyOfRecord: (record: InSession) => Key,
): ReadonlyMap<Key, ComingRecords> => {
  const [instancesOf, claimsOf] = [Map.groupBy(instances, keyOfRecord), Map.groupBy(claims, keyOfRecord)];
  const [questionsOf, askedOf] = [Map.groupBy(questions, keyOfRecord), Map.groupBy(asked, keyOfRecord)];
  const all = [...questions, ...instances, ...claims, ...asked];
  // The first form of a project's ID counts: that of an open question, which its owner has seen.
  const firsts = new Map(all.toReversed().map((record) => [keyOfRecord(record), record] as const));
  return new Map(
    [...firsts].map(([key, { projectId }]) => {
      const times = (askedOf.get(key) ?? []).map(({ firstAskedAt }) => firstAskedAt.getTime());
      return [
        key,
        {
          projectId,
          instances: instancesOf.get(key) ?? [],
          claims: claimsOf.get(key) ?? [],
          questions: questionsOf.get(key) ?? [],
          ...(times.length > 0 && { firstAskedAt: new Date(Math.min(...times)) }),
        },
      ];
    }),
  );
};

/** A project's ID has several forms in the sessions. */
const ofProject = (column: Prisma.Sql, projectKey: IdKey | undefined): Prisma.Sql =>
  projectKey === undefined ? Prisma.empty : Prisma.sql`AND lower(replace(${column}, '-', '')) = ${projectKey}`;

const findInstances = (db: Queryable, { sessionIds, projectKey }: Wanted) =>
  db.$queryRaw<InstanceRecord[]>`
    SELECT i.session_id AS "sessionId", i.project_id AS "projectId", i.instance_id AS "instanceId", i.instance_name AS "instanceName",
      i.state = 'DELETED' AS "isGone", i.action, i.action_done AS "actionDone", h.phase AS "hostPhase"
    FROM session_instance i
    LEFT JOIN session_host h ON h.session_id = i.session_id AND h.hostname = i.host
    WHERE i.session_id = ANY(${sessionIds}::uuid[]) ${ofProject(Prisma.sql`i.project_id`, projectKey)}`;

interface ClaimRow extends Pick<ClaimInTime, 'instanceId' | 'action' | 'outcome'>, InSession {
  readonly startedAt: Date | null;
  readonly endedAt: Date | null;
}

const findClaims = async (db: Queryable, { sessionIds, projectKey }: Wanted) => {
  const rows = await db.$queryRaw<ClaimRow[]>`
    SELECT session_id AS "sessionId", project_id AS "projectId", instance_id AS "instanceId", action, outcome, started_at AS "startedAt",
      ended_at AS "endedAt"
    FROM claim WHERE session_id = ANY(${sessionIds}::uuid[]) ${ofProject(Prisma.sql`project_id`, projectKey)}
    ORDER BY created_at, id`;
  return rows.map(({ startedAt, endedAt, ...row }) => ({
    ...row,
    startedAtMs: startedAt && startedAt.getTime(),
    endedAtMs: endedAt && endedAt.getTime(),
  }));
};

const questionsOf = ({ sessionIds, projectKey }: Wanted) => ({
  sessionId: { in: [...sessionIds] },
  ...(projectKey !== undefined && { projectKey }),
});

const findQuestions = async (db: Queryable, wanted: Wanted) => {
  const rows = await db.question.findMany({
    where: { ...questionsOf(wanted), status: 'open' },
    select: { sessionId: true, projectId: true, state: true, instanceId: true, instanceIds: true },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(({ instanceIds, ...row }) => ({
    ...row,
    instanceIds: Array.isArray(instanceIds) ? instanceIds.map(String) : [],
  }));
};

const findFirstAsked = async (db: Queryable, wanted: Wanted) => {
  const by: ('sessionId' | 'projectId')[] = ['sessionId', 'projectId'];
  const rows = await db.question.groupBy({ by, where: questionsOf(wanted), _min: { createdAt: true } });
  return rows.flatMap(({ sessionId, projectId, _min: { createdAt: firstAskedAt } }) =>
    firstAskedAt === null ? [] : [{ sessionId, projectId, firstAskedAt }],
  );
};
