/**
 * What the newest answer says of an action that was granted and is about to begin. A project may change its answer
 * until then: its refusal takes the grant back, another action takes the place of the one that was granted.
 */
import type { Action, Instance } from '../fleet/fleet';
import { actionOf } from './action-of';
import type { Question } from './question';

export interface GrantedAction {
  readonly action: Action;
  /** With its constraints of now. */
  readonly instance: Pick<Instance, 'id' | 'migrationType' | 'leadTimeSeconds'>;
  /** It has a question of its own, and that was settled. */
  readonly isAsked: boolean;
  /** The constraints of its instance are not those any more that it was granted on. */
  readonly isOutdated: boolean;
}

/** @param question the newest one that covers the instance; undefined: the grant rests on no answer */
export function actionByNewestAnswer(granted: GrantedAction, question: Question | undefined): Action | 'refused' {
  const { action, instance, isAsked, isOutdated } = granted;
  if (isRefused(question)) return isNeverAsked(granted) ? action : 'refused';
  if (isAsked) return question === undefined && !isOutdated ? action : actionOf(instance, question);
  return question?.status === 'answered' ? actionOf(instance, question) : action;
}

function isRefused(question: Question | undefined): boolean {
  return question?.status === 'answered' && question.answer === 'NACK';
}

/** What is not asked about cannot be refused (specification, Limits 4). */
function isNeverAsked({ isAsked, instance }: GrantedAction): boolean {
  return !isAsked && instance.leadTimeSeconds === 0;
}
