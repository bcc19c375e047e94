/**
 * Records the replies of projects to the questions of sessions. Replies that come at about the same time share a
 * transaction. The meaning of a reply: rules/questions/decide-reply.ts.
 */
import { Prisma } from '@prisma/client';
import { type Id, type IdKey, keyOf, writtenAs } from '../../rules/cloud/id';
import type { ActionsOfCloud } from '../../rules/questions/action-by-answer';
import { refusalOfChangedAnswer } from '../../rules/questions/changed-answer';
import { decideReply } from '../../rules/questions/decide-reply';
import type { Question } from '../../rules/questions/question';
import type { ChangedAnswer, Reply, ReplyRefusal } from '../../rules/questions/reply';
import { type Database, inTransaction, type Transaction } from '../database';
import { findInstanceNames } from '../hosts/session-instances';
import { lockClaims, lockClaimsOf } from '../moves/claims';
import { findBegunActions } from './begun-actions';
import { findQuestions, lockQuestionRows, type QuestionRow, toQuestion } from './question-rounds';
import { type GivenAnswer, recordAnswers, type RecordedAnswer } from './record-answers';

/** A project in a session. */
export interface ProjectInSession {
  readonly sessionId: string;
  readonly projectId: Id;
}

export interface AddressedReply {
  readonly target: ProjectInSession;
  readonly reply: Reply;
}

interface Taken {
  readonly kind: 'taken';
  /** Set when the question is about draining one host. */
  readonly hostname?: string | undefined;
  /** True where the project may put work off: the session may have to decide anew about its instances. */
  readonly mayPutOff: boolean;
  /** The recorded answer, for the log; none when the reply repeats an earlier one. */
  readonly answered?: RecordedAnswer | undefined;
}

/** - taken: an answer or a repeat of one. */
export type ReplyOutcome = { readonly kind: 'unknownSession' } | Taken | ReplyRefusal;

/** The error for which it could not be recorded. */
export interface NotRecorded {
  readonly kind: 'notRecorded';
  readonly error: unknown;
}

/** Transactions with more could hold up others for long. */
const mostAtOnce = 100;

/**
 * @returns their outcomes; a reply sees those before it. Where one cannot be recorded, the transactions before it stay,
 *   and the replies behind it are not tried
 */
export const recordReplies = async (
  db: Database,
  actions: ActionsOfCloud,
  replies: readonly AddressedReply[],
): Promise<ReadonlyMap<AddressedReply, ReplyOutcome | NotRecorded>> => {
  const outcomes = new Map<AddressedReply, ReplyOutcome | NotRecorded>();
  try {
    for (const part of partsOf(replies)) {
      const recorded = await inTransaction(db, (tx) => recordPart(tx, actions, part));
      recorded.forEach((outcome, reply) => outcomes.set(reply, outcome));
    }
  } catch (error) {
    const left = replies.filter((reply) => !outcomes.has(reply));
    left.forEach((reply) => outcomes.set(reply, { kind: 'notRecorded', error }));
  }
  return outcomes;
};

/** Parts with one reply at most to each subject: a second one is about the answer that the first has given. */
const partsOf = (replies: readonly AddressedReply[]): readonly (readonly AddressedReply[])[] => {
  const parts: AddressedReply[][] = [];
  let subjects = new Set<string>();
  for (const reply of replies) {
    const subject = subjectOf(reply);
    const last = parts.at(-1);
    if (last === undefined || subjects.has(subject) || subjects.size === mostAtOnce) {
      parts.push([reply]);
      subjects = new Set([subject]);
    } else {
      last.push(reply);
      subjects.add(subject);
    }
  }
  return parts;
};

/** A project as a whole, which has no instance, or one of its instances: it may have hundreds with questions. */
const subject = (sessionId: string, projectKey: IdKey, instanceKey: IdKey | null): string =>
  [sessionId, projectKey, instanceKey].join(' ');

const subjectOf = ({ target: { sessionId, projectId }, reply: { instanceId } }: AddressedReply): string =>
  subject(sessionId, projectId.key, instanceId === undefined ? null : keyOf(instanceId));

/**
 * The questions to the subjects of these replies, by subject. An array is worked out once. A subquery would be looked
 * at again where somebody has just changed a question, and PostgreSQL would leave some of these out.
 */
const lockSubjects = async (
  tx: Transaction,
  replies: readonly AddressedReply[],
): Promise<ReadonlyMap<string, readonly QuestionRow[]>> => {
  const subjects = replies.map(({ target: { sessionId, projectId }, reply: { instanceId } }) => ({
    sessionId,
    projectKey: projectId.key,
    instanceKey: instanceId === undefined ? null : keyOf(instanceId),
  }));
  const rows = await lockQuestionRows(
    tx,
    Prisma.sql`id = ANY(ARRAY(
      SELECT asked.id
      FROM jsonb_to_recordset(${JSON.stringify(subjects)}::jsonb)
        AS r("sessionId" uuid, "projectKey" text, "instanceKey" text)
      CROSS JOIN LATERAL (
        SELECT id FROM question
        WHERE session_id = r."sessionId" AND project_key = r."projectKey" AND instance_key = r."instanceKey"
        UNION ALL
        SELECT id FROM question
        WHERE session_id = r."sessionId" AND project_key = r."projectKey" AND instance_key IS NULL
          AND r."instanceKey" IS NULL
      ) AS asked
    ))`,
  );
  return Map.groupBy(rows, ({ sessionId, projectKey, instanceKey }) =>
    subject(sessionId, keyOf(projectKey), instanceKey === null ? null : keyOf(instanceKey)),
  );
};

/** Those of the replies' sessions that exist, and the time by the database's clock. */
const lookAtSessions = async (
  tx: Transaction,
  replies: readonly AddressedReply[],
): Promise<{ readonly now: Date; readonly existing: readonly string[] }> => {
  const sessionIds = [...new Set(replies.map(({ target: { sessionId } }) => sessionId))];
  const [look] = await tx.$queryRaw<{ readonly now: Date; readonly existing: readonly string[] }[]>`
    SELECT clock_timestamp() AS now,
      ARRAY(SELECT id::text FROM session WHERE id = ANY(${sessionIds}::uuid[]) AND deleted_at IS NULL) AS existing`;
  if (look === undefined) throw new Error('the database did not tell which sessions exist');
  return look;
};

/** The reply, with the IDs of instances in the form of the questions, which comes from the cloud. */
const asAsked = (reply: Reply, questions: readonly Question[]): Reply => {
  const written = writtenAs(questions.flatMap(({ instanceIds }) => instanceIds));
  const asWritten = <Value>(byInstance: Readonly<Record<string, Value>>): Readonly<Record<string, Value>> =>
    Object.fromEntries(Object.entries(byInstance).map(([id, value]) => [written(id), value]));
  const { times } = reply;
  return {
    ...reply,
    instanceActions: asWritten(reply.instanceActions),
    ...(times && { times: { ...times, instanceNotBeforeMs: asWritten(times.instanceNotBeforeMs) } }),
    ...(reply.instanceId !== undefined && { instanceId: written(reply.instanceId) }),
  };
};

/** A reply to questions that are locked, at this time. */
interface ReplyToJudge {
  readonly reply: Reply;
  readonly questions: readonly Question[];
  readonly now: Date;
}

/**
 * Reads the facts for the words of a refusal: names of instances, and the questions at other addresses when the reply
 * went to a wrong one.
 */
const refusalInWords = async (
  tx: Transaction,
  { target, reply, questions, now }: ReplyToJudge & { readonly target: ProjectInSession },
  refusal: ReplyRefusal,
): Promise<ReplyRefusal> => {
  const { sessionId, projectId } = target;
  const isNeverAsked = refusal.code === 'NEVER_ASKED';
  const asked = isNeverAsked ? await findQuestions(tx, { sessionId, projectKey: projectId.key }) : questions;
  const named = [...Object.keys(reply.instanceActions), ...(reply.instanceId === undefined ? [] : [reply.instanceId])];
  if (reply.instanceAction !== undefined) named.push(...questions.flatMap(({ instanceIds }) => instanceIds));
  // A project only sees the names of its own instances.
  const own = (await findInstanceNames(tx, { sessionId, instanceIds: named })).filter(
    ({ projectKey }) => projectKey === projectId.key,
  );
  const names = new Map(own.map(({ instanceKey, instanceName }) => [instanceKey, instanceName]));
  const inWords = decideReply(asked, reply, { nowMs: now.getTime(), names });
  // A question that was asked since the others were locked is not the one that this reply is about.
  return inWords.kind === 'refuse' ? inWords : refusal;
};

/** Whom a repeated reply wakes: the wake-up may have been lost the first time. */
const wokenByRepeat = (
  questions: readonly Question[],
  { state, instanceId }: Reply,
): Pick<Taken, 'hostname' | 'mayPutOff'> => {
  const repeated = questions.findLast((question) => question.state === state && question.instanceId === instanceId);
  return { hostname: repeated?.hostname, mayPutOff: repeated?.notBeforeLatestMs !== undefined };
};

/** An outcome, or an answer that is to be recorded. */
type JudgedReply = ReplyOutcome | { readonly kind: 'answer'; readonly given: GivenAnswer };

interface Judging {
  readonly rows: readonly QuestionRow[];
  readonly now: Date;
  /** Writes the answers before this reply, which the words of a refusal may be about. */
  readonly writeEarlier: () => Promise<void>;
}

const judge = async (
  tx: Transaction,
  { target, reply: given }: AddressedReply,
  { rows, now, writeEarlier }: Judging,
): Promise<JudgedReply> => {
  const questions = rows.map(toQuestion);
  const reply = asAsked(given, questions);
  const decision = decideReply(questions, reply, { nowMs: now.getTime() });
  if (decision.kind === 'refuse') {
    await writeEarlier();
    return refusalInWords(tx, { target, reply, questions, now }, decision);
  }
  if (decision.kind === 'repeat') return { kind: 'taken', ...wokenByRepeat(questions, reply) };
  const row = rows.find(({ id }) => id === decision.questionId);
  if (row === undefined) throw new Error(`question ${decision.questionId} was decided on but is not there`);
  const answer = { row, reply, decision };
  const refusal = decision.kind === 'change' && (await whyTooLate(tx, { ...answer, decision }));
  return refusal || { kind: 'answer', given: answer };
};

/** The first action that has begun among those that the answer changes. A beginning holds one of the rows, too. */
const whyTooLate = async (
  tx: Transaction,
  { row, reply, decision }: GivenAnswer & { readonly decision: ChangedAnswer },
): Promise<ReplyRefusal | undefined> => {
  const asked = { sessionId: row.sessionId, question: toQuestion(row), instanceIds: decision.changes };
  if (decision.retimed !== undefined) await lockClaimsOf(tx, row.sessionId, decision.retimed);
  return refusalOfChangedAnswer(decision, reply, await findBegunActions(tx, asked));
};

const claimsOf = (rows: readonly QuestionRow[]): string[] => [
  ...new Set(rows.flatMap(({ claimId }) => (claimId === null ? [] : [claimId]))),
];

/**
 * Decides and records replies to different subjects. An answer, the end of its window, and the beginning of an action
 * that an earlier answer allows compete for the rows of the question and its claim: the first one counts. Replies do
 * not lock the rows of sessions, so that they never wait for a decision about one (docs/design/facts.md, Locks).
 */
const recordPart = async (
  tx: Transaction,
  actions: ActionsOfCloud,
  replies: readonly AddressedReply[],
): Promise<ReadonlyMap<AddressedReply, ReplyOutcome>> => {
  const rowsOf = await lockSubjects(tx, replies);
  await lockClaims(tx, claimsOf([...rowsOf.values()].flat()));
  const { now, existing } = await lookAtSessions(tx, replies);
  const judged = new Map<AddressedReply, JudgedReply>();
  const recorded = new Map<GivenAnswer, RecordedAnswer>();
  const writeEarlier = async (): Promise<void> => {
    const given = [...judged.values()].flatMap((one) => (one.kind === 'answer' ? one.given : []));
    const unwritten = given.filter((answer) => !recorded.has(answer));
    (await recordAnswers(tx, unwritten, { actions, answeredAt: now })).forEach((record, answer) =>
      recorded.set(answer, record),
    );
  };
  for (const reply of replies) {
    const rows = rowsOf.get(subjectOf(reply)) ?? [];
    const exists = existing.includes(reply.target.sessionId);
    judged.set(reply, exists ? await judge(tx, reply, { rows, now, writeEarlier }) : { kind: 'unknownSession' });
  }
  await writeEarlier();
  const outcomeOf = (one: JudgedReply): ReplyOutcome => {
    if (one.kind !== 'answer') return one;
    const { hostname, notBeforeLatest } = one.given.row;
    const woken = { hostname: hostname ?? undefined, mayPutOff: notBeforeLatest !== null };
    return { kind: 'taken', ...woken, answered: recorded.get(one.given) };
  };
  return new Map([...judged].map(([reply, one]) => [reply, outcomeOf(one)]));
};
