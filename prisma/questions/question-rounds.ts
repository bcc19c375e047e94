/** Questions, as the activities of a session ask and read them. close-questions.ts or project-replies.ts ends them. */
import { Prisma } from '@prisma/client';
import type { IdKey } from '../../rules/cloud/id';
import type { Question } from '../../rules/questions/question';
import type { AnswerByTerms } from '../../rules/terms/answer-by-terms';
import type { Queryable } from '../database';

export type QuestionRow = Awaited<ReturnType<Queryable['question']['findMany']>>[number];

const timeOf = (date: Date | null): number | undefined => date?.getTime();

/** Drops undefined values, so that absent facts have no keys. */
const present = (record: object) =>
  Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined && value !== null));

export const toQuestion = (row: QuestionRow): Question =>
  ({
    id: row.id,
    projectId: row.projectId,
    state: row.state,
    instanceIds: row.instanceIds,
    allowedActions: row.allowedActions,
    ...(row.cannotMove !== null && { cannotMove: row.cannotMove }),
    ...(row.times !== null && { times: row.times }),
    status: row.status,
    createdAtMs: row.createdAt.getTime(),
    instanceActions: row.instanceActions,
    ...present({
      instanceId: row.instanceId,
      claimId: row.claimId,
      hostname: row.hostname,
      replyAtMs: timeOf(row.replyAt),
      actionsAtMs: timeOf(row.actionsAt),
      askedAtMs: timeOf(row.askedAt),
      opensByMs: timeOf(row.opensBy),
      notBeforeLatestMs: timeOf(row.notBeforeLatest),
      answer: row.answer,
      answeredBy: row.answeredBy,
      termsAnswer: row.termsAnswer,
      answeredAtMs: timeOf(row.answeredAt),
      closedAtMs: timeOf(row.closedAt),
    }),
  }) as unknown as Question;

/** The columns of a question, under the names of its fields. */
const fieldsOfQuestion = Prisma.raw(
  Object.values(Prisma.QuestionScalarFieldEnum)
    .map((field) => `${field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)} AS "${field}"`)
    .join(', '),
);

/**
 * Reads and locks, in one statement, the questions that a condition selects, in the order of their IDs.
 *
 * @param lock `SHARE`: others may lock them in the same way
 * @returns them, the oldest first
 */
export const lockQuestionRows = async (
  tx: Queryable,
  condition: Prisma.Sql,
  lock: 'UPDATE' | 'SHARE' = 'UPDATE',
): Promise<QuestionRow[]> => {
  const rows = await tx.$queryRaw<QuestionRow[]>`
    SELECT ${fieldsOfQuestion} FROM question WHERE ${condition} ORDER BY id FOR ${Prisma.raw(lock)}`;
  return rows.sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
};

/** The same, as the service reasons about them. */
export const lockQuestions = async (
  tx: Queryable,
  condition: Prisma.Sql,
  lock: 'UPDATE' | 'SHARE' = 'UPDATE',
): Promise<Question[]> => (await lockQuestionRows(tx, condition, lock)).map(toQuestion);

export interface QuestionScope {
  readonly sessionId: string;
  readonly projectKey?: IdKey;
  readonly state?: string;
  /** Only about these hosts, or instances on them. */
  readonly hostnames?: readonly string[];
  readonly status?: 'open';
  /** null: project-wide. */
  readonly instanceKey?: IdKey | null;
}

/**
 * The project-wide questions of a session, oldest first, locked until the transaction ends: an answer waits or is seen.
 * Questions about single instances, of which there may be thousands, belong to their claims.
 */
export const lockProjectQuestions = (
  tx: Queryable,
  { sessionId, state }: { readonly sessionId: string; readonly state?: string },
): Promise<Question[]> =>
  lockQuestions(
    tx,
    Prisma.sql`session_id = ${sessionId}::uuid AND instance_id IS NULL AND state = coalesce(${state ?? null}, state)`,
  );

/** The same without a lock: a look that changes nothing holds up no answer. */
export const findProjectQuestions = (db: Queryable, sessionId: string): Promise<Question[]> =>
  findQuestions(db, { sessionId, instanceKey: null });

/** Oldest first. */
export const findQuestions = async (db: Queryable, { hostnames, ...scope }: QuestionScope): Promise<Question[]> => {
  const where = { ...scope, ...(hostnames && { hostname: { in: [...hostnames] } }) };
  const rows = await db.question.findMany({ where, orderBy: { createdAt: 'asc' } });
  return rows.map(toQuestion);
};

/** The message_ids of these questions. */
export const findMessageIds = async (db: Queryable, questionIds: readonly string[]): Promise<string[]> => {
  const rows = await db.question.findMany({ where: { id: { in: [...questionIds] } }, select: { messageId: true } });
  return rows.map(({ messageId }) => messageId);
};

/** The questions of these claims, oldest first, locked until the transaction ends. */
export const lockQuestionsOfClaims = async (tx: Queryable, claimIds: readonly string[]): Promise<Question[]> => {
  if (claimIds.length === 0) return [];
  return lockQuestions(tx, Prisma.sql`claim_id = ANY(${[...claimIds]}::uuid[])`);
};

/** The questions of these claims, oldest first. */
export const findQuestionsOfClaims = async (db: Queryable, claimIds: readonly string[]): Promise<Question[]> => {
  if (claimIds.length === 0) return [];
  const rows = await db.question.findMany({
    where: { claimId: { in: [...claimIds] } },
    orderBy: { createdAt: 'asc' },
  });
  return rows.map(toQuestion);
};

export interface NewQuestion extends Pick<
  Question,
  'projectId' | 'instanceId' | 'claimId' | 'hostname' | 'state' | 'instanceIds' | 'allowedActions' | 'cannotMove'
> {
  readonly sessionId: string;
  /** The answer of its project's terms; undefined: they have none. */
  readonly termsAnswer?: AnswerByTerms | undefined;
  readonly windowSeconds: number;
  /** Also the event's message_id. */
  readonly messageId: string;
  /** The latest time until which its project may put the work off; left out: it may not. */
  readonly notBeforeLatest?: Date | undefined;
}

/**
 * Sends one parameter: the values of thousands of rows one by one would occupy the process for seconds, under a lock.
 */
export const insertQuestions = async (tx: Queryable, questions: readonly NewQuestion[]): Promise<void> => {
  await tx.$executeRaw`
    INSERT INTO question (id, session_id, project_id, instance_id, claim_id, hostname, state, instance_ids,
      allowed_actions, cannot_move, terms_answer, window_seconds, message_id, not_before_latest, created_at)
    SELECT gen_random_uuid(), r."sessionId", r."projectId", r."instanceId", r."claimId", r.hostname, r.state,
      r."instanceIds", r."allowedActions", r."cannotMove", r."termsAnswer", r."windowSeconds", r."messageId",
      r."notBeforeLatest", now.at
    FROM (SELECT clock_timestamp() AS at) AS now, jsonb_to_recordset(${JSON.stringify(questions)}::jsonb) AS r(
      "sessionId" uuid, "projectId" text, "instanceId" text, "claimId" uuid, hostname text, state text,
      "instanceIds" jsonb, "allowedActions" jsonb, "cannotMove" jsonb, "termsAnswer" jsonb, "windowSeconds" int,
      "messageId" uuid, "notBeforeLatest" timestamptz)`;
};

/** The times at which these projects were first asked in the session, by their keys; without those that were not. */
export const findFirstAsked = async (
  db: Queryable,
  sessionId: string,
  projectKeys: readonly IdKey[],
): Promise<ReadonlyMap<IdKey, Date>> => {
  const where = { sessionId, projectKey: { in: [...projectKeys] } };
  const rows = await db.question.groupBy({ by: ['projectKey'], where, _min: { createdAt: true } });
  return new Map(
    rows.flatMap(({ projectKey, _min: { createdAt } }) =>
      createdAt ? [[projectKey as IdKey, createdAt] as const] : [],
    ),
  );
};

/** Projects with an open question of the session. */
export const findAwaitedProjects = async (db: Queryable, sessionId: string): Promise<string[]> => {
  const rows = await db.question.groupBy({ by: ['projectId'], where: { sessionId, status: 'open' } });
  return rows.map(({ projectId }) => projectId).sort();
};
