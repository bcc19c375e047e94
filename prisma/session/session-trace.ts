/** The recorded course of a session's moves and maintenances, read in one snapshot. */
import { Prisma } from '@prisma/client';
import type { RollingSession } from '../../rules/decisions/both-workflows/built-in-workflow';
import type { Database } from '../database';
import { isReadable } from './session-progress';

export interface SessionCourse extends RollingSession {
  /** Claims whose action has begun, whatever its end. */
  readonly moves: readonly CourseMove[];
  readonly questions: readonly CourseQuestion[];
  readonly hosts: readonly { readonly hostname: string; readonly drainStartedAt: Date | null }[];
  /** Events about hosts and session, in the order in which they were recorded. */
  readonly notices: readonly CourseNotice[];
}

export interface CourseMove {
  readonly instanceId: string;
  readonly source: string;
  readonly target: string;
  readonly action: string;
  readonly startedAt: Date;
  /** null: it is in flight. */
  readonly endedAt: Date | null;
  /** done: the instance is on `target`. gone: it vanished. Otherwise it stayed on `source`. */
  readonly outcome: 'done' | 'gone' | 'stayed' | null;
}

/** Question about moves of instances: PREPARE_MAINTENANCE or PLANNED_MAINTENANCE. */
export interface CourseQuestion {
  readonly instanceIds: readonly string[];
  readonly askedAt: Date;
  readonly answer: string | null;
  readonly answeredAt: Date | null;
}

export interface CourseNotice {
  /** Undefined: about the session. */
  readonly host?: string;
  readonly state: string;
  readonly at: Date;
}

interface NoticePayload {
  readonly host?: string;
  readonly state: string;
}

const aboutMoves = { state: { in: ['PREPARE_MAINTENANCE', 'PLANNED_MAINTENANCE'] }, askedAt: { not: null } };

/** Undefined when the session does not exist or is deleted. */
export const findSessionCourse = async (db: Database, sessionId: string): Promise<SessionCourse | undefined> => {
  const where = { sessionId };
  const [session, claims, questions, hosts, events] = await db.$transaction(
    [
      db.session.findFirst({ where: { id: sessionId, ...isReadable } }),
      db.claim.findMany({
        where: { ...where, startedAt: { not: null } },
        orderBy: [{ startedAt: 'asc' }, { id: 'asc' }],
      }),
      db.question.findMany({ where: { ...where, ...aboutMoves }, orderBy: { askedAt: 'asc' } }),
      db.sessionHost.findMany({ where, orderBy: { hostname: 'asc' } }),
      db.event.findMany({
        where: { ...where, eventType: { in: ['maintenance.host', 'maintenance.session'] } },
        orderBy: { seq: 'asc' },
      }),
    ],
    { isolationLevel: Prisma.TransactionIsolationLevel.RepeatableRead },
  );
  if (session === null) return undefined;
  return {
    workflow: session.workflow,
    rolling: session.rolling,
    moves: claims.flatMap(({ startedAt, outcome, ...claim }) =>
      startedAt === null ? [] : [{ ...claim, startedAt, outcome: courseOutcome(outcome) }],
    ),
    questions: questions.flatMap(({ askedAt, instanceIds, ...question }) =>
      askedAt === null ? [] : [{ ...question, askedAt, instanceIds: instanceIds as string[] }],
    ),
    hosts,
    notices: events.map(({ payload, createdAt }) => ({ ...(payload as unknown as NoticePayload), at: createdAt })),
  };
};

const courseOutcome = (outcome: string | null): CourseMove['outcome'] =>
  outcome === null || outcome === 'done' || outcome === 'gone' ? outcome : 'stayed';
