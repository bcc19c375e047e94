/**
 * Records the replies of projects to the questions of a session, in one transaction on the project's question rows.
 * The meaning of a reply: rules/questions/decide-reply.ts.
 */
import { Prisma } from '@prisma/client';
import { type Id, keyOf, writtenAs } from '../../rules/cloud/id';
import { refusalOfChangedAnswer } from '../../rules/questions/changed-answer';
import { decideReply } from '../../rules/questions/decide-reply';
import type { Question } from '../../rules/questions/question';
import type {
  Answer,
  ChangedAnswer,
  ChosenActions,
  Reply,
  ReplyDecision,
  ReplyRefusal,
} from '../../rules/questions/reply';
import { type Database, inTransaction, type Queryable, type Transaction } from '../database';
import { findInstanceNames } from '../hosts/session-instances';
import { recordAnswerTimes } from '../times/project-times';
import { findBegunActions } from './begun-actions';
import { describeQuestions, type LoggedQuestion } from './logged-questions';
import { findQuestions, lockQuestions, toQuestion } from './question-rounds';

/** A project in a session. */
export interface ProjectInSession {
  readonly sessionId: string;
  readonly projectId: Id;
}

interface Taken {
  readonly kind: 'taken';
  /** Set when the question is about draining one host. */
  readonly hostname?: string | undefined;
  /** The recorded answer, for the log; none when the reply repeats an earlier one. */
  readonly answered?: RecordedAnswer;
}

export interface RecordedAnswer extends LoggedQuestion {
  readonly answer: string;
  readonly actions: ChosenActions;
  readonly answeredAt: Date;
}

/** - taken: an answer or a repeat of one. */
export type ReplyOutcome = { readonly kind: 'unknownSession' } | Taken | ReplyRefusal;

/** The time by the database's clock; undefined: the session does not exist. */
const nowInSession = async (db: Queryable, sessionId: string): Promise<Date | undefined> => {
  const rows = await db.$queryRaw<{ readonly now: Date }[]>`
    SELECT clock_timestamp() AS now FROM session WHERE id = ${sessionId}::uuid AND deleted_at IS NULL`;
  return rows[0]?.now;
};

interface ReplyScope extends ProjectInSession {
  /** Undefined: the project as a whole. */
  readonly instanceId: string | undefined;
}

/** The possible subject of a reply: a project may have hundreds of instances, each with questions of its own. */
const lockSubject = (tx: Transaction, { sessionId, projectId, instanceId }: ReplyScope): Promise<Question[]> => {
  const ofWhom = instanceId === undefined ? Prisma.sql`IS NULL` : Prisma.sql`= ${keyOf(instanceId)}`;
  return lockQuestions(
    tx,
    Prisma.sql`session_id = ${sessionId}::uuid AND project_key = ${projectId.key} AND instance_key ${ofWhom}`,
  );
};

/** The reply, with the IDs of instances in the form of the questions, which comes from the cloud. */
const asAsked = (reply: Reply, questions: readonly Question[]): Reply => {
  const written = writtenAs(questions.flatMap(({ instanceIds }) => instanceIds));
  const actions = Object.entries(reply.instanceActions).map(([id, action]) => [written(id), action]);
  return {
    ...reply,
    instanceActions: Object.fromEntries(actions) as Reply['instanceActions'],
    ...(reply.instanceId !== undefined && { instanceId: written(reply.instanceId) }),
  };
};

/** A reply to questions that are locked, at this time. */
interface JudgedReply {
  readonly reply: Reply;
  readonly questions: readonly Question[];
  readonly now: Date;
}

/**
 * The facts for a refusal: names of instances, and the questions at other addresses when the reply went to a wrong one.
 */
const decide = async (
  tx: Transaction,
  { target, reply, questions, now }: JudgedReply & { readonly target: ProjectInSession },
): Promise<ReplyDecision> => {
  const nowMs = now.getTime();
  const decision = decideReply(questions, reply, { nowMs });
  if (decision.kind !== 'refuse') return decision;
  const { sessionId, projectId } = target;
  const isNeverAsked = decision.code === 'NEVER_ASKED';
  const asked = isNeverAsked ? await findQuestions(tx, { sessionId, projectKey: projectId.key }) : questions;
  const named = [...Object.keys(reply.instanceActions), ...(reply.instanceId === undefined ? [] : [reply.instanceId])];
  if (reply.instanceAction !== undefined) named.push(...questions.flatMap(({ instanceIds }) => instanceIds));
  // A project only sees the names of its own instances.
  const own = (await findInstanceNames(tx, { sessionId, instanceIds: named })).filter(
    ({ projectKey }) => projectKey === projectId.key,
  );
  const names = new Map(own.map(({ instanceKey, instanceName }) => [instanceKey, instanceName]));
  return decideReply(asked, reply, { nowMs, names });
};

const questionOf = (questions: readonly Question[], { questionId }: Answer | ChangedAnswer): Question => {
  const question = questions.find(({ id }) => id === questionId);
  if (question === undefined) throw new Error(`question ${questionId} was decided on but is not there`);
  return question;
};

interface AnsweredQuestion {
  readonly sessionId: string;
  readonly now: Date;
  readonly question: Question;
  readonly reply: Reply;
  readonly decision: Answer | ChangedAnswer;
}

/**
 * Records the project's answer about these instances and the action for each, in the order in which all code locks
 * them. An answer that replaces another one also takes back that one's choices.
 */
const describeInstances = async (
  tx: Transaction,
  { sessionId, question, reply, decision }: AnsweredQuestion,
): Promise<void> => {
  const isChange = decision.kind === 'change';
  const actions = decision.instanceActions;
  const instanceIds = isChange ? decision.changes : [...question.instanceIds, ...Object.keys(actions)];
  await tx.$executeRaw`
    WITH locked AS (
      SELECT id FROM session_instance
      WHERE session_id = ${sessionId}::uuid AND instance_key = ANY(${instanceIds.map(keyOf)}::text[])
      ORDER BY id FOR UPDATE
    )
    UPDATE session_instance SET project_state = ${`${reply.answer}_${reply.state}`}, updated_at = clock_timestamp(),
      action = coalesce(${JSON.stringify(actions)}::jsonb ->> instance_id, CASE WHEN ${isChange} THEN NULL ELSE action END)
    FROM locked WHERE session_instance.id = locked.id`;
};

/** An answer about instances that are gone is kept, but settles nothing. */
const recordAnswer = async (tx: Transaction, answered: AnsweredQuestion): Promise<RecordedAnswer> => {
  const { question, reply, decision, now: answeredAt } = answered;
  const actions = decision.instanceActions;
  const status = question.status === 'open' ? 'answered' : question.status;
  const row = await tx.question.update({
    where: { id: question.id },
    data: { status, answer: reply.answer, answeredAt, instanceActions: actions },
  });
  await describeInstances(tx, answered);
  if (question.status === 'open' && reply.answer === 'ACK') await recordAnswerTimes(tx, [row], answeredAt);
  const [described] = await describeQuestions(tx, [row]);
  if (described === undefined) throw new Error(`question ${question.id} was answered but is not there`);
  return { ...described, answer: reply.answer, actions, answeredAt };
};

/** The host of a repeated reply: its wake-up may have been lost the first time. */
const hostnameOfRepeat = (questions: readonly Question[], { state, instanceId }: Reply): string | undefined =>
  questions.findLast((question) => question.state === state && question.instanceId === instanceId)?.hostname;

/**
 * Decides and records a reply. An answer, the end of its window, and the beginning of an action that an earlier answer
 * allows compete for the question's row: the first one counts. The reply does not lock the session's row, so that it
 * never waits for a decision about the session (docs/design/facts.md, Locks).
 */
export const recordReply = (
  db: Database,
  { target, reply: given }: { readonly target: ProjectInSession; readonly reply: Reply },
): Promise<ReplyOutcome> =>
  inTransaction(db, async (tx): Promise<ReplyOutcome> => {
    const { sessionId } = target;
    const questions = await lockSubject(tx, { ...target, instanceId: given.instanceId });
    const now = await nowInSession(tx, sessionId);
    if (now === undefined) return { kind: 'unknownSession' };
    const reply = asAsked(given, questions);
    const decision = await decide(tx, { target, reply, questions, now });
    if (decision.kind === 'refuse') return decision;
    if (decision.kind === 'repeat') return { kind: 'taken', hostname: hostnameOfRepeat(questions, reply) };
    const question = questionOf(questions, decision);
    const refusal = decision.kind === 'change' && (await whyTooLate(tx, { sessionId, question, reply, decision, now }));
    if (refusal) return refusal;
    const recorded = await recordAnswer(tx, { sessionId, question, reply, decision, now });
    return { kind: 'taken', hostname: question.hostname, answered: recorded };
  });

/** The first action that has begun among those that the answer changes. A beginning holds the question's row, too. */
const whyTooLate = async (
  tx: Transaction,
  { sessionId, question, reply, decision }: AnsweredQuestion & { readonly decision: ChangedAnswer },
): Promise<ReplyRefusal | undefined> =>
  refusalOfChangedAnswer(
    decision,
    reply,
    await findBegunActions(tx, { sessionId, question, instanceIds: decision.changes }),
  );

/**
 * The instances in the project's open project-wide question, or else in its last one, or else none; undefined when the
 * session does not exist.
 */
export const findProjectInstanceIds = async (
  db: Queryable,
  { sessionId, projectId }: ProjectInSession,
): Promise<readonly string[] | undefined> => {
  if ((await nowInSession(db, sessionId)) === undefined) return undefined;
  const rows = await db.question.findMany({
    where: { sessionId, projectKey: projectId.key, instanceId: null },
    orderBy: { createdAt: 'desc' },
  });
  const shown = rows.find(({ status }) => status === 'open') ?? rows[0];
  return shown === undefined ? [] : toQuestion(shown).instanceIds;
};
