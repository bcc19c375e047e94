/** The reply of a project to a question: its body and its meaning. */
import { count } from '../../rules/words/times';
import type { Question } from '../client/types';
import { momentAs } from '../parts/time-words';

export interface ReplyDraft {
  readonly agrees: boolean;
  /** The action of each instance, by its ID; empty: as by default. */
  readonly actions: Readonly<Record<string, string>>;
  /** The time before which no instance is impacted, as a field for local times has it; left out or empty: none. */
  readonly notBefore?: string;
}

export interface ReplyBody {
  readonly state: string;
  readonly instance_actions?: Record<string, string>;
  readonly instance_action?: string;
  readonly not_before?: string;
  readonly instance_not_before?: Record<string, string>;
}

/** A refusal chooses no action and no time. */
export const replyTo = (question: Question, { agrees, actions, notBefore = '' }: ReplyDraft): ReplyBody => {
  const answer = { state: `${agrees ? 'ACK' : 'NACK'}_${question.state}` };
  const said = agrees && notBefore !== '' ? { ...answer, not_before: new Date(notBefore).toISOString() } : answer;
  const chosen = Object.entries(actions).filter(([, action]) => action !== '');
  if (!agrees || chosen.length === 0) return said;
  if (question.instance_id === null) return { ...said, instance_actions: Object.fromEntries(chosen) };
  return { ...said, instance_action: chosen[0]?.[1] ?? '' };
};

/** The answer about one of the instances of a question; the others may be impacted at any time, by default. */
export interface ReplyForOne {
  readonly instanceId: string;
  /** Empty: as by default. */
  readonly action: string;
  /** As a field for local times has it; empty: at any time. */
  readonly notBefore: string;
}

export const replyForOne = (question: Question, { instanceId, action, notBefore }: ReplyForOne): ReplyBody => {
  const isAlone = othersIn(question) === 0;
  const answer = replyTo(question, { agrees: true, actions: { [instanceId]: action }, ...(isAlone && { notBefore }) });
  if (isAlone || notBefore === '') return answer;
  return { ...answer, instance_not_before: { [instanceId]: new Date(notBefore).toISOString() } };
};

const othersIn = ({ instance_ids: ids }: Question): number => Math.max(0, ids.length - 1);

export const meaningForOne = (question: Question, { notBefore }: ReplyForOne): readonly string[] => {
  const others = othersIn(question);
  return [
    notBefore === '' ? 'It may be impacted from now on.' : whenInWords('The instance is', question, notBefore),
    ...(others === 0
      ? []
      : [
          `The question is about ${count(others, 'more instance')}: you agree to all, and the others leave at any time, by default.`,
        ]),
  ];
};

/** The meaning of each answer for the project. */
export const meaningOf = (question: Question, { agrees, notBefore = '' }: ReplyDraft): string => {
  if (agrees && notBefore !== '') {
    return whenInWords('The instances are', question, notBefore);
  }
  if (!agrees) return 'You refuse for now. You are asked again after a while, a few times.';
  return question.allowed_actions.length === 0
    ? 'The session may go on as far as you are concerned.'
    : 'The session may act on the instances now, by the actions that you choose.';
};

const whenInWords = (subject: string, { deadline }: Question, notBefore: string): string => {
  const isLate = deadline !== null && new Date(notBefore) > new Date(deadline);
  return (
    `${subject} not impacted before ${momentAs(notBefore)}. Others go first.` +
    (isLate ? ' This is behind the deadline of the session, which will not be over in time.' : '')
  );
};
