/**
 * The records that one look at a session needs. Looks come every second, at sessions of a thousand hosts, so they are
 * read in few columns, each table once, and as JSON: decoding its rows one by one costs several times as much.
 */
import { Prisma, type Session } from '@prisma/client';
import type { HostFindings } from '../../rules/cloud/host-findings';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import { compareText } from '../../rules/decisions/fleet/ordered';
import type { HostHold } from '../../rules/holds/hold';
import type { Database } from '../database';
import type { SeenInstance } from '../hosts/session-instances';
import {
  type HostRecord,
  type PastPhase,
  type SessionDetail,
  type SessionHostDetail,
  type ToldInstance,
  toSessionRecord,
} from './session-detail';
import type { SessionDownload } from './session-downloads';
import { isReadable, type SessionProgress } from './session-progress';

/** What the session has done so far, in numbers. */
export interface WorkDone {
  /** Instances whose action is done. */
  readonly moves: number;
  /** Moves that the cloud refused on their target, so that another one was looked for. */
  readonly refusedMoves: number;
  readonly questions: number;
  /** Questions that a project has answered. */
  readonly answers: number;
}

export interface SessionLook {
  readonly session: SessionProgress & { readonly createdAt: Date };
  /** Detail with the instances on hosts under work, and in state MAINTENANCE one more of each project. */
  readonly detail: SessionDetail;
  /** The number of instances by project, without those that were deleted. */
  readonly instanceCounts: readonly { readonly projectId: string; readonly count: number }[];
  readonly done: WorkDone;
}

/** The times of a host before its present phase. */
export type HostPast = Pick<SessionHostDetail, 'pastPhases' | 'drainStartedAt'>;

const inOneSnapshot = { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead } as const;

const findReadable = (db: Database, sessionId: string) =>
  db.session.findFirst({ where: { id: sessionId, ...isReadable } });

/** A session that is not deleted, or is archived, in one snapshot. */
export const findSessionLook = async (db: Database, sessionId: string): Promise<SessionLook | undefined> => {
  const [session, [cells]] = await db.$transaction(
    [findReadable(db, sessionId), cellsOf(db, sessionId)],
    inOneSnapshot,
  );
  return session === null || cells === undefined ? undefined : toLook(session, cells);
};

/** The same with the past of each host, by its name. */
export const findSessionTimeline = async (
  db: Database,
  sessionId: string,
): Promise<(SessionLook & { readonly pasts: ReadonlyMap<string, HostPast> }) | undefined> => {
  const [session, [cells], [past]] = await db.$transaction(
    [findReadable(db, sessionId), cellsOf(db, sessionId), pastCells(db, sessionId)],
    inOneSnapshot,
  );
  if (session === null || cells === undefined) return undefined;
  const pasts = (past?.hosts ?? []).map(
    ([hostname, pastPhases, drainStartedAt]) =>
      [hostname, { pastPhases, drainStartedAt: dateOf(drainStartedAt) }] as const,
  );
  return { ...toLook(session, cells), pasts: new Map(pasts) };
};

const toLook = (session: Session, cells: Cells): SessionLook => {
  const { hosts, instances, projects, questions, downloads, moves, done, now } = cells;
  return {
    // The columns hold values that the API's parsers accepted and the engine wrote.
    session: session as unknown as SessionLook['session'],
    detail: {
      session: toSessionRecord(session),
      hosts: hosts.map(toHost),
      instances: instances.map(toInstance).sort(byHost),
      downloads,
      ...byStatus(questions.map(toQuestion)),
      moving: new Set(moves.map(([instanceId]) => instanceId)),
      begun: new Set(moves.flatMap(([instanceId, hasBegun]) => (hasBegun ? [instanceId] : []))),
      now,
    },
    instanceCounts: projects.map(([projectId, count]) => ({ projectId, count })),
    done,
  };
};

interface Cells {
  readonly hosts: readonly HostCells[];
  readonly instances: readonly InstanceCells[];
  readonly projects: readonly (readonly [id: string, instances: number])[];
  readonly questions: readonly QuestionCells[];
  readonly downloads: readonly Pick<SessionDownload, 'state' | 'problem'>[];
  readonly moves: readonly (readonly [instanceId: string, hasBegun: boolean])[];
  readonly done: WorkDone;
  readonly now: Date;
}

/** The columns are in the order of the types below. */
const cellsOf = (db: Database, sessionId: string): Prisma.PrismaPromise<Cells[]> => db.$queryRaw<Cells[]>`
  SELECT clock_timestamp() AS now,
    (
      SELECT coalesce(json_agg(json_build_array(hostname, type, is_compute, phase, phase_since, announced_at, disabled,
        disabled_before, failure, skip_reason, details, enabling_at, findings, hold) ORDER BY hostname), '[]')
      FROM session_host WHERE session_id = ${sessionId}::uuid
    ) AS hosts,
    ${instanceCells(sessionId)} AS instances,
    (
      SELECT coalesce(json_agg(json_build_array(project_id, count) ORDER BY project_id), '[]')
      FROM (
        SELECT project_id, count(*) FROM session_instance
        WHERE session_id = ${sessionId}::uuid AND state <> 'DELETED' GROUP BY project_id
      ) AS projects
    ) AS projects,
    ${questionCells(sessionId)} AS questions,
    (
      SELECT coalesce(json_agg(json_build_object('state', state, 'problem', problem) ORDER BY position), '[]')
      FROM session_download WHERE session_id = ${sessionId}::uuid
    ) AS downloads,
    (
      SELECT coalesce(json_agg(json_build_array(instance_id, started_at IS NOT NULL)), '[]')
      FROM claim WHERE session_id = ${sessionId}::uuid AND phase = 'moving'
    ) AS moves,
    (
      SELECT json_build_object(
        'moves', (SELECT count(*) FROM session_instance WHERE session_id = ${sessionId}::uuid AND action_done),
        'refusedMoves', (
          SELECT count(*) FROM claim WHERE session_id = ${sessionId}::uuid AND outcome = 'refused'),
        'questions', count(*), 'answers', count(answer))
      FROM question WHERE session_id = ${sessionId}::uuid
    ) AS done`;

type PastCells = readonly [hostname: string, pastPhases: readonly PastPhase[], drainStartedAt: string | null];

/** Selects only hosts that have a past. */
const pastCells = (db: Database, sessionId: string) => db.$queryRaw<{ hosts: readonly PastCells[] }[]>`
  SELECT coalesce(json_agg(json_build_array(hostname, past_phases, opened_at)), '[]') AS hosts
  FROM session_host
  WHERE session_id = ${sessionId}::uuid AND (opened_at IS NOT NULL OR past_phases <> '[]')`;

/**
 * Selects instances on hosts under work; while projects are asked about the whole session, one more of each project.
 */
const instanceCells = (sessionId: string): Prisma.Sql => Prisma.sql`(
  SELECT coalesce(json_agg(json_build_array(instance_id, instance_name, project_id, host, state, details,
    held_up_since)), '[]')
  FROM session_instance
  WHERE session_id = ${sessionId}::uuid AND (
    host = ANY (ARRAY(
      SELECT hostname FROM session_host
      WHERE session_id = ${sessionId}::uuid AND phase IN ('emptying', 'maintaining', 'releasing')
    )) OR id = ANY (ARRAY(
      SELECT DISTINCT ON (project_id) id FROM session_instance
      WHERE session_id = ${sessionId}::uuid AND state <> 'DELETED'
        AND (SELECT state FROM session WHERE id = ${sessionId}::uuid) = 'MAINTENANCE'
      ORDER BY project_id, id
    ))
  )
)`;

/** The index question_looked_at holds the questions that are read. */
const questionCells = (sessionId: string): Prisma.Sql => Prisma.sql`(
  SELECT coalesce(json_agg(json_build_array(status, project_id, instance_id, hostname, instance_ids, state, answer,
    created_at, asked_at, opens_by, reply_at, answered_at, cannot_move) ORDER BY created_at), '[]')
  FROM question
  WHERE session_id = ${sessionId}::uuid AND (
    status = 'open' OR (answer = 'NACK' AND status = 'answered')
    OR (instance_id IS NULL AND hostname IS NULL AND status IN ('answered', 'closed'))
  )
)`;

type HostCells = readonly [
  ...(readonly [hostname: string, type: string, isCompute: boolean, phase: HostPhase, phaseSince: string]),
  ...(readonly [announcedAt: string | null, disabled: boolean, disabledBefore: boolean | null]),
  ...(readonly [failure: string | null, skipReason: string | null, details: string]),
  ...(readonly [enablingAt: string | null, findings: HostFindings | null, hold: HostHold | null]),
];

const toHost = ([hostname, type, isCompute, phase, phaseSince, announcedAt, ...others]: HostCells): HostRecord => {
  const [disabled, disabledBefore, failure, skipReason, details, enablingAt, findings, hold] = others;
  return {
    hostname,
    type,
    isCompute,
    phase,
    phaseSince: new Date(phaseSince),
    announcedAt: dateOf(announcedAt),
    disabled,
    disabledBefore,
    failure,
    skipReason,
    details,
    enablingAt: dateOf(enablingAt),
    findings,
    hold,
  };
};

type InstanceCells = readonly [
  instanceId: string,
  instanceName: string,
  projectId: string,
  host: string,
  state: string,
  details: string | null,
  heldUpSince: string | null,
];

const toInstance = ([instanceId, instanceName, projectId, host, ...others]: InstanceCells): ToldInstance => {
  const [state, details, since] = others;
  return { instanceId, instanceName, projectId, host, state, details, heldUpSince: dateOf(since) };
};

const byHost = (one: SeenInstance, other: SeenInstance): number =>
  compareText(one.host, other.host) ||
  compareText(one.instanceName, other.instanceName) ||
  compareText(one.instanceId, other.instanceId);

type QuestionCells = readonly [
  ...(readonly [status: string, projectId: string, instanceId: string | null, hostname: string | null]),
  ...(readonly [instanceIds: unknown, state: string, answer: string | null, createdAt: string, askedAt: string | null]),
  ...(readonly [opensBy: string | null, replyAt: string | null, answeredAt: string | null, cannotMove: unknown]),
];

const toQuestion = ([status, projectId, instanceId, hostname, instanceIds, state, ...others]: QuestionCells) => {
  const [answer, createdAt, askedAt, opensBy, replyAt, answeredAt, cannotMove] = others;
  return {
    status,
    projectId,
    instanceId,
    hostname,
    instanceIds,
    state,
    answer,
    cannotMove,
    createdAt: new Date(createdAt),
    askedAt: dateOf(askedAt),
    opensBy: dateOf(opensBy),
    replyAt: dateOf(replyAt),
    answeredAt: dateOf(answeredAt),
  };
};

type AskedQuestion = ReturnType<typeof toQuestion>;

/** @param questions the oldest first */
const byStatus = (
  questions: readonly AskedQuestion[],
): Pick<SessionDetail, 'openQuestions' | 'projectAnswers' | 'refusals'> => {
  const settled = questions.filter(({ status }) => status !== 'open').toReversed();
  const isAboutProject = ({ instanceId, hostname }: AskedQuestion): boolean => instanceId === null && hostname === null;
  return {
    openQuestions: questions.filter(({ status }) => status === 'open'),
    projectAnswers: settled.filter(isAboutProject),
    refusals: settled.filter((question) => !isAboutProject(question)),
  };
};

const dateOf = (text: string | null): Date | null => (text === null ? null : new Date(text));
