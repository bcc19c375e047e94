/** Writes what projects, or their terms, have answered: any number of answers in a fixed number of statements. */
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { ActionsOfCloud } from '../../rules/questions/action-by-answer';
import type { Answer, ChangedAnswer, ChosenActions, Reply } from '../../rules/questions/reply';
import type { Transaction } from '../database';
import { type EndedQuestion, recordAnswerTimes } from '../times/project-times';
import { describeQuestion, type LoggedQuestion } from './logged-questions';
import { type QuestionRow, toQuestion } from './question-rounds';
import { settleClaims, type SettledClaim } from './settle-claims';

/** An answer to a question whose row is locked. */
export interface GivenAnswer {
  readonly row: QuestionRow;
  readonly reply: Reply;
  readonly decision: Answer | ChangedAnswer;
  /** Left out: a reply. */
  readonly by?: 'terms';
}

export interface RecordedAnswer extends LoggedQuestion {
  readonly answer: string;
  readonly actions: ChosenActions;
  readonly answeredAt: Date;
}

interface Answering {
  readonly actions: ActionsOfCloud;
  readonly answeredAt: Date;
}

/**
 * Writes an answer about an instance into its claim, too, so that its action follows from the same transaction. An
 * answer about instances that are gone is kept, but settles nothing.
 *
 * @param given at most one for each question, the earliest first
 * @returns their records
 */
export const recordAnswers = async (
  tx: Transaction,
  given: readonly GivenAnswer[],
  { actions, answeredAt }: Answering,
): Promise<ReadonlyMap<GivenAnswer, RecordedAnswer>> => {
  if (given.length === 0) return new Map();
  await settleClaims(tx, actions, given.flatMap(claimOf));
  const nameOf = await writeAnswers(tx, given, answeredAt);
  await recordAnswerTimes(
    tx,
    given.flatMap((one) => timeOf(one, answeredAt)),
    answeredAt,
  );
  return new Map(
    given.map((one) => {
      const { row, reply, decision } = one;
      const answer = { answer: reply.answer, actions: decision.instanceActions, answeredAt };
      return [one, { ...describeQuestion(row, (key) => nameOf(row.sessionId, key)), ...answer }];
    }),
  );
};

/** Terms that answer at once take no time. Those that answer when a window has ended follow a silence. */
const timeOf = ({ row, reply, by }: GivenAnswer, answeredAt: Date): EndedQuestion[] => {
  if (by === 'terms') return row.askedAt === null ? [] : [{ ...row, answeredAt: null }];
  return row.status === 'open' && reply.answer === 'ACK' ? [{ ...row, answeredAt }] : [];
};

const claimOf = ({ row, reply, decision }: GivenAnswer): SettledClaim[] => {
  const question = toQuestion(row);
  const { claimId, instanceId, status } = question;
  if (claimId === undefined || instanceId === undefined) return [];
  const { instanceActions } = decision;
  const answered = status === 'open' ? 'answered' : status;
  return [{ claimId, instanceId, question: { ...question, status: answered, answer: reply.answer, instanceActions } }];
};

type NameOf = (sessionId: string, instanceKey: IdKey) => string | undefined;

/**
 * Records with each instance, too, what its project has answered about it and the action for it, in the order in which
 * all code locks instances. An answer that replaces another one also takes back that one's choices.
 *
 * @returns the names of these instances
 */
const writeAnswers = async (tx: Transaction, given: readonly GivenAnswer[], answeredAt: Date): Promise<NameOf> => {
  const answers = given.map(
    ({ row: { id }, reply: { answer, times }, decision: { instanceActions: actions }, by = null }) => ({
      id,
      answer,
      actions,
      by,
      times,
    }),
  );
  const told = [...toldOfInstances(given).values()];
  const named = await tx.$queryRaw<{ sessionId: string; instanceKey: IdKey; instanceName: string }[]>`
    WITH answered AS (
      UPDATE question SET answer = r.answer, answered_at = ${answeredAt}::timestamptz, answered_by = r.by,
        instance_actions = r.actions, times = r.times,
        status = CASE WHEN status = 'open' THEN 'answered' ELSE status END
      FROM jsonb_to_recordset(${JSON.stringify(answers)}::jsonb)
        AS r(id uuid, answer text, actions jsonb, by text, times jsonb)
      WHERE question.id = r.id
    ), locked AS (
      SELECT known.id, r.* FROM jsonb_to_recordset(${JSON.stringify(told)}::jsonb)
        AS r("sessionId" uuid, "instanceKey" text, "projectState" text, action text, "isChange" boolean)
      JOIN session_instance AS known ON known.session_id = r."sessionId" AND known.instance_key = r."instanceKey"
      ORDER BY known.id FOR UPDATE OF known
    )
    UPDATE session_instance AS known SET project_state = locked."projectState", updated_at = clock_timestamp(),
      action = coalesce(locked.action, CASE WHEN locked."isChange" THEN NULL ELSE known.action END)
    FROM locked WHERE known.id = locked.id
    RETURNING known.session_id AS "sessionId", known.instance_key AS "instanceKey", known.instance_name AS "instanceName"`;
  const names = new Map(named.map((one) => [placeOf(one.sessionId, one.instanceKey), one.instanceName]));
  return (sessionId, instanceKey) => names.get(placeOf(sessionId, instanceKey));
};

const placeOf = (sessionId: string, instanceKey: IdKey): string => `${sessionId} ${instanceKey}`;

interface ToldOfInstance {
  readonly sessionId: string;
  readonly instanceKey: IdKey;
  readonly projectState: string;
  /** Undefined: the answer chooses none. */
  readonly action: string | undefined;
  readonly isChange: boolean;
}

/** Of several answers about one instance, the last counts; one that chooses nothing leaves the choice before it. */
const toldOfInstances = (given: readonly GivenAnswer[]): ReadonlyMap<string, ToldOfInstance> => {
  const told = new Map<string, ToldOfInstance>();
  for (const { row, reply, decision } of given) {
    const isChange = decision.kind === 'change';
    const actions = new Map(Object.entries(decision.instanceActions).map(([id, action]) => [keyOf(id), action]));
    const asked = isChange ? decision.changes : toQuestion(row).instanceIds;
    const projectState = `${reply.answer}_${reply.state}`;
    for (const instanceKey of new Set([...asked.map(keyOf), ...(isChange ? [] : actions.keys())])) {
      const place = placeOf(row.sessionId, instanceKey);
      const before = told.get(place);
      const action = actions.get(instanceKey) ?? (isChange ? undefined : before?.action);
      const record = { sessionId: row.sessionId, instanceKey, projectState, action };
      told.set(place, { ...record, isChange: isChange || before?.isChange === true });
    }
  }
  return told;
};
