/**
 * What a project's reply means for the questions that its session asked it: an answer, a repeat without effect, or
 * something to refuse. Clients repeat replies, also after the state has moved on, so a repeat is no error.
 */
import type { Action } from '../fleet/fleet';
import { onlyOwnAction } from '../limits/reasons';
import type { Question } from './question';

export interface Reply {
  /** The state that is replied to, without ACK_ or NACK_. */
  readonly state: string;
  readonly answer: 'ACK' | 'NACK';
  readonly instanceActions: Readonly<Record<string, string>>;
  /** Set for a reply to an instance-specific question. */
  readonly instanceId?: string | undefined;
}

export type ReplyDecision =
  | {
      readonly kind: 'answer';
      readonly questionId: string;
      /** Only the instances that the question is about, only actions that it offers. */
      readonly instanceActions: Readonly<Record<string, Action>>;
    }
  | { readonly kind: 'repeat' }
  | {
      readonly kind: 'refuse';
      /** Stable, for programs. */
      readonly code: 'NEVER_ASKED' | 'TOO_LATE' | 'ACTION_NOT_OFFERED';
      readonly because: string;
      /** JSON pointer into the reply's body. */
      readonly pointer: string;
      readonly hint: string;
    };

/** Told, not asked: an acknowledgement of it is welcome and changes nothing. */
const toldOnly = 'INSTANCE_ACTION_DONE';

const newestFirst = (one: Question, other: Question): number => other.createdAtMs - one.createdAtMs;

/** An empty list leaves the choice of instances to the project (SCALE_IN). */
const isAbout = (question: Question, instanceId: string): boolean =>
  question.instanceIds.length === 0 || question.instanceIds.includes(instanceId);

const namesOnlyOthers = (question: Question, { instanceActions }: Reply): boolean => {
  const named = Object.keys(instanceActions);
  return named.length > 0 && !named.some((instanceId) => isAbout(question, instanceId));
};

const isAnswered = ({ status, answer }: Question): boolean => status === 'answered' || answer !== undefined;

/**
 * The question that a reply can answer. One whose event was not yet sent (no reply_at) cannot be meant where an
 * earlier question of the same state was asked: the reply repeats the answer to that one.
 */
const findOpen = (asked: readonly Question[]): Question | undefined => {
  const open = asked.find(({ status }) => status === 'open');
  if (open === undefined || open.replyAtMs !== undefined) return open;
  return asked.length === 1 ? open : undefined;
};

const actionPointer = ({ instanceId }: Reply, named: string): string =>
  instanceId === undefined ? `/instance_actions/${named}` : '/instance_action';

const refuseAction = (question: Question, reply: Reply, instanceId: string): ReplyDecision => {
  const offered = question.allowedActions.join(', ');
  const cannotMove = question.cannotMove?.[instanceId];
  const why = cannotMove === undefined ? '' : `: ${onlyOwnAction(cannotMove)}`;
  return {
    kind: 'refuse',
    code: 'ACTION_NOT_OFFERED',
    because: `${reply.instanceActions[instanceId] ?? ''} is not offered for instance ${instanceId} in ${reply.state}${why}`,
    pointer: actionPointer(reply, instanceId),
    hint: offered === '' ? `send no action in replies to ${reply.state}` : `choose one of ${offered}`,
  };
};

/** A NACK chooses nothing; what it names is not looked at. */
const answerTo = (question: Question, reply: Reply): ReplyDecision => {
  const chosen: Record<string, Action> = {};
  const named = reply.answer === 'ACK' ? Object.entries(reply.instanceActions) : [];
  for (const [instanceId, action] of named.filter(([id]) => isAbout(question, id))) {
    const offered = question.allowedActions.find((allowed) => allowed === action);
    if (offered === undefined) return refuseAction(question, reply, instanceId);
    chosen[instanceId] = offered;
  }
  return { kind: 'answer', questionId: question.id, instanceActions: chosen };
};

const refuseLate = (question: Question, { state }: Reply): ReplyDecision => {
  const closedAt = new Date(question.closedAtMs ?? question.createdAtMs).toISOString();
  return {
    kind: 'refuse',
    code: 'TOO_LATE',
    because: `the question about ${state} was closed at ${closedAt}, unanswered`,
    pointer: '/state',
    hint: 'reply before the reply_at of the event; the default behaviour applies to the instances now',
  };
};

/** The reply came by the project's address where instances were asked one by one, or the other way round. */
const wrongAddressHint = (questions: readonly Question[], { state, instanceId }: Reply): string | undefined => {
  const asked = questions.find((question) => question.state === state);
  if (asked === undefined) return undefined;
  return instanceId === undefined
    ? `${state} was asked for single instances; reply to the reply_url of each event`
    : `${state} was not asked for instance ${instanceId}; reply to the reply_url of the event`;
};

const refuseNeverAsked = (questions: readonly Question[], reply: Reply): ReplyDecision => {
  const open = questions.filter(({ status }) => status === 'open').map(({ state }) => `ACK_${state} or NACK_${state}`);
  const openHint =
    open.length === 0 ? 'no question is open just now' : `open just now: ${[...new Set(open)].join(', ')}`;
  return {
    kind: 'refuse',
    code: 'NEVER_ASKED',
    because: `${reply.state} was never asked of this ${reply.instanceId === undefined ? 'project' : 'instance'} in this session`,
    pointer: '/state',
    hint: wrongAddressHint(questions, reply) ?? openHint,
  };
};

/** @param questions all that the session asked the project so far, in any order */
export const decideReply = (questions: readonly Question[], reply: Reply): ReplyDecision => {
  if (reply.state === toldOnly) return { kind: 'repeat' };
  const asked = questions
    .filter(({ state, instanceId }) => state === reply.state && instanceId === reply.instanceId)
    .sort(newestFirst);
  const open = findOpen(asked);
  if (open !== undefined) return namesOnlyOthers(open, reply) ? { kind: 'repeat' } : answerTo(open, reply);
  const settled = asked.filter(({ status }) => status !== 'open');
  const last = settled.find((question) => !namesOnlyOthers(question, reply)) ?? settled[0];
  if (last === undefined) return refuseNeverAsked(questions, reply);
  return isAnswered(last) ? { kind: 'repeat' } : refuseLate(last, reply);
};
