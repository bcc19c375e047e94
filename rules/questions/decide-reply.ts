/**
 * The meaning of a project's reply for the questions of its session: an answer, a repeat without effect, or a reply to
 * refuse, such as one that comes too late. Clients repeat replies, even after the state has changed, so a repeat is not
 * an error. The form of its body: api/parsing/parse-replies.ts. Its record: prisma/questions/project-replies.ts.
 */
import type { Action } from '../decisions/fleet/fleet';
import { onlyOwnAction } from '../obstacles/immovable';
import { changedAnswer, refuseAfterwards } from './changed-answer';
import { choiceForAnother, choiceForNobody, choicesOf, namesNobody } from './choices';
import type { Question } from './question';
import { misplacedTime, refusalOfTimes } from './refuse-times';
import {
  actionPointer,
  type Answer,
  type ChangedAnswer,
  namedInstance,
  type Reply,
  type ReplyCircumstances,
  type ReplyDecision,
  type ReplyRefusal,
} from './reply';

export type { Reply, ReplyDecision } from './reply';

/** Told, not asked: an acknowledgement is accepted and changes nothing. */
const toldOnly = 'INSTANCE_ACTION_DONE';

const newestFirst = (one: Question, other: Question): number => other.createdAtMs - one.createdAtMs;

/** The project chooses in SCALE_IN, even when the question names an instance, and when the list is empty. */
const isAbout = ({ state, instanceIds }: Question, instanceId: string): boolean =>
  state === 'SCALE_IN' || instanceIds.length === 0 || instanceIds.includes(instanceId);

const namesOnlyOthers = (question: Question, reply: Reply): boolean => {
  const { instanceActions, instanceAction, instanceId, times } = reply;
  if (instanceId !== undefined || instanceAction !== undefined) return false;
  const named = [...Object.keys(instanceActions), ...Object.keys(times?.instanceNotBeforeMs ?? {})];
  return named.length > 0 && !named.some((instanceId) => isAbout(question, instanceId));
};

/**
 * The question that a reply can answer. A question whose event was not yet sent (no reply_at) cannot be meant when an
 * earlier question about the same state was asked, unless that one was refused, is asked again, and is accepted now.
 */
const findOpen = (asked: readonly Question[], reply: Reply): Question | undefined => {
  const open = asked.find(({ status }) => status === 'open');
  if (open === undefined || open.replyAtMs !== undefined) return open;
  const earlier = asked.find((question) => question !== open);
  if (earlier === undefined) return open;
  return earlier.answer === 'NACK' && reply.answer === 'ACK' && sharesInstances(earlier, open) ? open : undefined;
};

/** A question that names no instances is about all. */
const sharesInstances = (earlier: Question, { instanceIds }: Question): boolean =>
  earlier.instanceIds.length === 0 || earlier.instanceIds.some((id) => instanceIds.includes(id));

interface Asked extends ReplyCircumstances {
  readonly question: Question;
}

const refuseAction = (
  { question, names }: Asked,
  reply: Reply,
  [instanceId, action]: readonly [string, string],
): ReplyRefusal => {
  const offered = question.allowedActions.join(', ');
  const cannotMove = question.cannotMove?.[instanceId];
  const instance = namedInstance(instanceId, names);
  const why = cannotMove === undefined ? '' : `: ${onlyOwnAction(cannotMove)}`;
  return {
    kind: 'refuse',
    code: 'ACTION_NOT_OFFERED',
    because: `${action} is not offered for instance ${instance} in ${reply.state}${why}`,
    pointer: actionPointer(reply, instanceId),
    hint: offered === '' ? `send no action in replies to ${reply.state}` : `choose one of ${offered}`,
  };
};

const answerTo = (asked: Asked, reply: Reply): Answer | ReplyRefusal => {
  const { question } = asked;
  const chosen: Record<string, Action> = {};
  const choices = choicesOf(asked, reply);
  if (choices.kind === 'refuse') return choices;
  for (const [instanceId, action] of Object.entries(choices.actions).filter(([id]) => isAbout(question, id))) {
    const offered = question.allowedActions.find((allowed) => allowed === action);
    if (offered === undefined) return refuseAction(asked, reply, [instanceId, action]);
    chosen[instanceId] = offered;
  }
  return { kind: 'answer', questionId: question.id, instanceActions: chosen };
};

const refuseLate = ({ status, closedAtMs, createdAtMs, replyAtMs }: Question, { state }: Reply): ReplyRefusal => {
  const overMs = status === 'unneeded' ? replyAtMs : closedAtMs;
  const closedAt = new Date(overMs ?? createdAtMs).toISOString();
  return {
    kind: 'refuse',
    code: 'TOO_LATE',
    because: `the question about ${state} was closed at ${closedAt}, unanswered`,
    pointer: '/state',
    hint: 'reply before the reply_at of the event; the session goes on without this answer',
  };
};

interface AllAsked extends ReplyCircumstances {
  readonly questions: readonly Question[];
}

/** The reply came to the project's address although instances were asked about one by one, or the other way round. */
const wrongAddressHint = ({ questions, names }: AllAsked, { state, instanceId }: Reply): string | undefined => {
  const asked = questions.find((question) => question.state === state);
  if (asked === undefined) return undefined;
  return instanceId === undefined
    ? `${state} was asked for single instances; reply to the reply_url of each event`
    : `${state} was not asked for instance ${namedInstance(instanceId, names)}; reply to the reply_url of the event`;
};

const refuseNeverAsked = (asked: AllAsked, reply: Reply): ReplyRefusal => {
  const { questions } = asked;
  const open = questions.filter(({ status }) => status === 'open').map(({ state }) => `ACK_${state} or NACK_${state}`);
  const openHint =
    open.length === 0 ? 'no question is open just now' : `open just now: ${[...new Set(open)].join(', ')}`;
  return {
    kind: 'refuse',
    code: 'NEVER_ASKED',
    because: `${reply.state} was never asked of this ${reply.instanceId === undefined ? 'project' : 'instance'} in this session`,
    pointer: '/state',
    hint: wrongAddressHint(asked, reply) ?? openHint,
  };
};

/** An answer whose times the question takes. */
const timely = (asked: Asked, reply: Reply): Answer | ReplyRefusal => {
  const answer = answerTo(asked, reply);
  return answer.kind === 'refuse' ? answer : (refusalOfTimes({ ...asked, reply }) ?? answer);
};

/** The meaning of a reply for a question that is not open any more. */
const replyToSettled = (asked: Asked, reply: Reply): ReplyDecision => {
  const { question, nowMs } = asked;
  const answer = answerTo(asked, reply);
  if (question.answer === undefined) {
    return isStillAnswerable(question, nowMs) ? timely(asked, reply) : refuseLate(question, reply);
  }
  if (answer.kind === 'refuse') return answer;
  const changed = changedAnswer(question, reply, answer);
  if (changed === undefined) return repeatOf(asked, reply);
  if (question.status === 'unneeded') return isStillAnswerable(question, nowMs) ? changed : refuseLate(question, reply);
  return changeOf(asked, reply, changed);
};

const changeOf = (asked: Asked, reply: Reply, changed: ChangedAnswer): ReplyDecision => {
  const { question } = asked;
  // An action that has not begun can still be put off, or let go earlier.
  const isOnlyRetimed = changed.retimed?.length === changed.changes.length;
  if (question.closedAtMs !== undefined && !isOnlyRetimed) return refuseAfterwards(question);
  // The same reply once more is no error, also when its time has come.
  return refusalOfTimes({ ...asked, reply }) ?? changed;
};

/** Its instances are gone, so nobody waits for it, but its project still has the promised time. */
const isStillAnswerable = ({ status, replyAtMs }: Question, nowMs: number): boolean =>
  status === 'unneeded' && (replyAtMs === undefined || nowMs < replyAtMs);

const repeatOf = (asked: Asked, reply: Reply): ReplyDecision =>
  misplacedTime({ ...asked, reply }) ?? { kind: 'repeat' };

/** A reply while a question is open that is about none of the instances that the reply names. */
const replyAboutOthers = (asked: Asked, questions: readonly Question[], reply: Reply): ReplyDecision => {
  if (!namesNobody(questions, reply)) return repeatOf(asked, reply);
  return reply.answer === 'NACK' ? answerTo(asked, reply) : choiceForNobody(asked, reply);
};

/** @param questions all questions of the session to the project so far, in any order */
export const decideReply = (
  questions: readonly Question[],
  reply: Reply,
  circumstances: ReplyCircumstances,
): ReplyDecision => {
  if (reply.state === toldOnly) return { kind: 'repeat' };
  const misplaced = choiceForAnother(reply, circumstances.names);
  if (misplaced !== undefined) return misplaced;
  const asked = questions
    .filter(({ state, instanceId }) => state === reply.state && instanceId === reply.instanceId)
    .sort(newestFirst);
  const open = findOpen(asked, reply);
  if (open !== undefined && !namesOnlyOthers(open, reply)) return timely({ ...circumstances, question: open }, reply);
  const settled = asked.filter(({ status }) => status !== 'open');
  const meant = settled.find((question) => !namesOnlyOthers(question, reply));
  if (meant !== undefined) return replyToSettled({ ...circumstances, question: meant }, reply);
  // Its instances are not asked about any more: a repeat, unless the window ended without an answer.
  if (open !== undefined) return replyAboutOthers({ ...circumstances, question: open }, questions, reply);
  const last = settled[0];
  if (last === undefined) return refuseNeverAsked({ ...circumstances, questions }, reply);
  return last.answer === undefined ? refuseLate(last, reply) : repeatOf({ ...circumstances, question: last }, reply);
};
