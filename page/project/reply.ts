/** The reply of a project to a question: its body and its meaning. */
import type { Question } from '../client/types';

export interface ReplyDraft {
  readonly agrees: boolean;
  /** The action of each instance, by its ID; empty: as by default. */
  readonly actions: Readonly<Record<string, string>>;
}

export interface ReplyBody {
  readonly state: string;
  readonly instance_actions?: Record<string, string>;
  readonly instance_action?: string;
}

/** A refusal chooses no action. */
export const replyTo = (question: Question, { agrees, actions }: ReplyDraft): ReplyBody => {
  const state = `${agrees ? 'ACK' : 'NACK'}_${question.state}`;
  const chosen = Object.entries(actions).filter(([, action]) => action !== '');
  if (!agrees || chosen.length === 0) return { state };
  if (question.instance_id === null) return { state, instance_actions: Object.fromEntries(chosen) };
  return { state, instance_action: chosen[0]?.[1] ?? '' };
};

/** The meaning of each answer for the project. */
export const meaningOf = (question: Question, agrees: boolean): string => {
  if (!agrees) return 'You refuse for now. You are asked again after a while, a few times.';
  return question.allowed_actions.length === 0
    ? 'The session may go on as far as you are concerned.'
    : 'The session may act on the instances now, by the actions that you choose.';
};
