/** Everything that the API shows of one session, read in one snapshot. One look needs less: session-look.ts. */
import { Prisma, type Session, type SessionInstance } from '@prisma/client';
import type { HostFindings } from '../../rules/cloud/host-findings';
import type { HostPhase } from '../../rules/decisions/fleet/fleet';
import type { HostHold } from '../../rules/holds/hold';
import type { Database } from '../database';
import type { SessionHostRecord } from '../hosts/session-hosts';
import type { SeenInstance } from '../hosts/session-instances';
import { type SessionDownload, toSessionDownload } from './session-downloads';
import type { StoredOpening } from './session-opening';
import { isReadable, type SessionProgress } from './session-progress';
import { type Steering, steeringOf } from './session-steering';

/** The records that tell how far a session is and why it waits. */
export interface SessionDetail {
  readonly session: SessionRecord;
  readonly hosts: readonly HostRecord[];
  readonly instances: readonly ToldInstance[];
  readonly downloads: readonly Pick<SessionDownload, 'state' | 'problem'>[];
  /** The questions that are neither answered nor closed. */
  readonly openQuestions: readonly OpenQuestionRecord[];
  /** The project-wide questions that are over and about no host, answered or not, newest first. */
  readonly projectAnswers: readonly ProjectAnswerRecord[];
  /** Questions about instances or a host that were refused, newest first. */
  readonly refusals: readonly RefusalRecord[];
  /** Instances whose action is granted or in flight, by their IDs. */
  readonly moving: ReadonlySet<string>;
  /** Instances whose action has begun. */
  readonly begun: ReadonlySet<string>;
  /** The database's time of this snapshot. */
  readonly now: Date;
}

export interface WholeDetail extends SessionDetail {
  readonly hosts: readonly SessionHostDetail[];
  readonly instances: readonly SessionInstanceRecord[];
  readonly plugins: readonly ActionPluginRecord[];
  readonly downloads: readonly SessionDownload[];
}

/** The subject of a question. */
interface QuestionSubject {
  readonly projectId: string;
  /** Null: the question is for the project as a whole. */
  readonly instanceId: string | null;
  /** Null: the question is about no host. */
  readonly hostname: string | null;
  readonly instanceIds: unknown;
}

export interface OpenQuestionRecord extends QuestionSubject {
  readonly createdAt: Date;
  /** The time when its window opened. */
  readonly askedAt: Date | null;
  /** Set while its window waits for the webhook of its project: it opens then at the latest. */
  readonly opensBy?: Date | null;
  readonly replyAt: Date | null;
  /** Instances that the cloud cannot move, with the reason, by their IDs; null: there are none. */
  readonly cannotMove?: unknown;
}

export interface RefusalRecord extends QuestionSubject {
  readonly answeredAt: Date | null;
  /** The time until which its project may put the work off; null: it may not. */
  readonly notBeforeLatest?: Date | null;
}

export interface ProjectAnswerRecord {
  readonly projectId: string;
  /** The session's state in the question. */
  readonly state: string;
  /** ACK or NACK; null: its window ended in silence, or its subject is gone. */
  readonly answer: string | null;
  readonly replyAt: Date | null;
  readonly answeredAt: Date | null;
  /** The time until which the project may put the work off; null: it may not. */
  readonly notBeforeLatest?: Date | null;
}

interface Dated {
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
}

export interface SessionRecord
  extends
    Dated,
    Pick<
      SessionProgress,
      | 'id'
      | 'workflow'
      | 'maintenanceAt'
      | 'state'
      | 'prevState'
      | 'failure'
      | 'pausedAt'
      | 'pausedBecause'
      | 'canaryEndedAt'
    > {
  /** The dictionary given by the admin. */
  readonly metadata: unknown;
  /** The reasons for which the session waits, as admission last wrote them. */
  readonly waiting: unknown;
  readonly resuming: boolean;
  /** True while it fails or is aborted: work in flight ends. */
  readonly stopping: boolean;
  readonly aborting: boolean;
  readonly deleting: boolean;
  readonly steering: Steering;
  /** expected | passed: what was told of its deadline; null: nothing. */
  readonly deadlineMissed: string | null;
  /** When it may begin anything, as it was worked out last. */
  readonly opening: StoredOpening;
}

export interface HostRecord extends Pick<
  SessionHostRecord,
  | 'hostname'
  | 'isCompute'
  | 'phase'
  | 'phaseSince'
  | 'announcedAt'
  | 'disabled'
  | 'disabledBefore'
  | 'enablingAt'
  | 'findings'
  | 'hold'
  | 'failure'
  | 'skipReason'
  | 'details'
> {
  readonly type: string;
}

/** A phase that a host was in; it ended when the next one began. */
export interface PastPhase {
  readonly phase: HostPhase;
  /** ISO 8601. */
  readonly since: string;
}

export interface SessionHostDetail
  extends HostRecord, Dated, Pick<SessionHostRecord, 'drainStartedAt' | 'maintainedFrom' | 'maintained'> {
  readonly id: string;
  readonly pastPhases: readonly PastPhase[];
}

export interface ToldInstance extends SeenInstance {
  /** What there is to tell of its last action, or why the present one waits; null: nothing. */
  readonly details: string | null;
  /** The time since when its action waits, where `details` has the reason. */
  readonly heldUpSince: Date | null;
}

export interface SessionInstanceRecord extends ToldInstance, Dated {
  readonly id: string;
  readonly action: string | null;
  readonly actionDone: boolean;
  readonly projectState: string;
}

export interface ActionPluginRecord extends Dated {
  readonly id: string;
  readonly hostname: string;
  readonly plugin: string;
  /** The type of its action. */
  readonly type: string;
  /** running | done | failed */
  readonly status: string;
  readonly attempts: number;
  readonly state: string | null;
}

export const toSessionRecord = (row: Session): SessionRecord => ({
  id: row.id,
  workflow: row.workflow,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  maintenanceAt: row.maintenanceAt,
  state: row.state,
  prevState: row.prevState,
  metadata: row.metadata,
  failure: row.failure,
  waiting: row.waiting,
  resuming: row.state === 'MAINTENANCE_FAILED' && row.continueRequestId !== null,
  stopping: row.stopping !== null,
  pausedAt: row.pausedAt,
  pausedBecause: row.pausedBecause,
  canaryEndedAt: row.canaryEndedAt,
  aborting: row.abortRequestedAt !== null && row.state !== 'MAINTENANCE_FAILED' && row.state !== 'MAINTENANCE_DONE',
  deleting: row.deleteRequestedAt !== null,
  steering: steeringOf(row),
  deadlineMissed: row.deadlineMissed,
  opening: row,
});

const subjectFields = { projectId: true, instanceId: true, hostname: true, instanceIds: true } as const;

/** Nobody shows the terms that a cloud told, which may be long. */
type InstanceColumns = Omit<SessionInstance, 'terms'>;

/** Finds the instances that `Extent` names. */
const instancesOf = (db: Database, sessionId: string, extent: Extent): Prisma.PrismaPromise<InstanceColumns[]> =>
  extent === 'whole'
    ? db.sessionInstance.findMany({
        omit: { terms: true },
        where: { sessionId },
        orderBy: [{ host: 'asc' }, { instanceName: 'asc' }, { instanceId: 'asc' }],
      })
    : db.$queryRaw<InstanceColumns[]>`
        SELECT id, session_id AS "sessionId", instance_id AS "instanceId", instance_key AS "instanceKey",
          instance_name AS "instanceName", project_id AS "projectId", host, state, action,
          action_done AS "actionDone", project_state AS "projectState", details,
          held_up_since AS "heldUpSince", created_at AS "createdAt", updated_at AS "updatedAt"
        FROM session_instance
        WHERE session_id = ${sessionId}::uuid AND (
          host IN (
            SELECT hostname FROM session_host
            WHERE session_id = ${sessionId}::uuid AND phase IN ('emptying', 'maintaining', 'releasing')
          ) OR id IN (
            SELECT DISTINCT ON (project_id) id FROM session_instance
            WHERE session_id = ${sessionId}::uuid AND state <> 'DELETED'
              AND (SELECT state FROM session WHERE id = ${sessionId}::uuid) = 'MAINTENANCE'
            ORDER BY project_id, id
          )
        )
        ORDER BY host, instance_name, instance_id`;

/** Select only shown columns; dates cost the most. The others are for the engine. */
const hostFields = {
  id: true,
  hostname: true,
  type: true,
  isCompute: true,
  phase: true,
  phaseSince: true,
  drainStartedAt: true,
  announcedAt: true,
  maintainedFrom: true,
  disabled: true,
  disabledBefore: true,
  maintained: true,
  enablingAt: true,
  findings: true,
  hold: true,
  pastPhases: true,
  failure: true,
  skipReason: true,
  details: true,
  createdAt: true,
  updatedAt: true,
} as const satisfies Readonly<Record<keyof SessionHostDetail, true>>;

/**
 * The records of a session that are read. underWay: instances on hosts under work, one more of each project while
 * projects are asked about the whole session, and no plug-ins. Those are enough to tell the waiting reasons.
 */
export type Extent = 'whole' | 'underWay';

/** The records of one moment, each list in the order of the detail. */
const recordsOf = (db: Database, sessionId: string, extent: Extent) => {
  const where = { sessionId };
  return db.$transaction(
    [
      db.session.findFirst({ where: { id: sessionId, ...isReadable } }),
      db.sessionHost.findMany({ where, select: hostFields, orderBy: { hostname: 'asc' } }),
      instancesOf(db, sessionId, extent),
      db.actionPluginInstance.findMany({
        where,
        orderBy: [{ createdAt: 'asc' }, { position: 'asc' }],
        ...(extent === 'underWay' && { take: 0 }),
      }),
      db.sessionDownload.findMany({ where, orderBy: { position: 'asc' } }),
      db.question.findMany({
        where: { ...where, status: 'open' },
        select: { ...subjectFields, createdAt: true, askedAt: true, opensBy: true, replyAt: true, cannotMove: true },
        orderBy: { createdAt: 'asc' },
      }),
      db.question.findMany({
        where: { ...where, status: { in: ['answered', 'closed'] }, instanceId: null, hostname: null },
        select: { projectId: true, state: true, answer: true, replyAt: true, answeredAt: true, notBeforeLatest: true },
        orderBy: { createdAt: 'desc' },
      }),
      db.question.findMany({
        where: { ...where, status: 'answered', answer: 'NACK', NOT: { instanceId: null, hostname: null } },
        select: { ...subjectFields, answeredAt: true, notBeforeLatest: true },
        orderBy: { createdAt: 'desc' },
      }),
      db.claim.findMany({ where: { ...where, phase: 'moving' }, select: { instanceId: true, startedAt: true } }),
      db.$queryRaw<{ now: Date }[]>`SELECT clock_timestamp() AS now`,
    ],
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
};

/** A session that is not deleted, with its records. Hosts and instances are in alphabetical order. */
export const findSessionDetail = async (
  db: Database,
  sessionId: string,
  extent: Extent = 'whole',
): Promise<WholeDetail | undefined> => {
  const [session, hosts, instances, plugins, downloads, openQuestions, projectAnswers, refusals, claims, clock] =
    await recordsOf(db, sessionId, extent);
  if (session === null) return undefined;
  const moving = new Set(claims.map(({ instanceId }) => instanceId));
  const begun = new Set(claims.flatMap(({ instanceId, startedAt }) => (startedAt === null ? [] : [instanceId])));
  const now = clock[0]?.now ?? new Date();
  return {
    session: toSessionRecord(session),
    // The columns hold values that the engine wrote.
    hosts: hosts.map((host) => ({
      ...host,
      phase: host.phase as HostPhase,
      findings: host.findings as HostFindings | null,
      hold: host.hold as HostHold | null,
      pastPhases: host.pastPhases as unknown as SessionHostDetail['pastPhases'],
    })),
    instances,
    plugins,
    downloads: downloads.map(toSessionDownload),
    openQuestions,
    projectAnswers,
    refusals,
    moving,
    begun,
    now,
  };
};
