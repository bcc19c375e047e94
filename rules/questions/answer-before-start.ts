/**
 * The meaning of the newest answer for a granted action that is about to begin. A project may change its answer until
 * then: its refusal takes the grant back, and another action replaces the granted one.
 */
import type { Action, Instance } from '../decisions/fleet/fleet';
import { isAsked } from '../decisions/fleet/is-asked';
import { actionOf } from './chosen-action';
import { isRefused, type Question } from './question';
import { type AskedAboutHost, readyAction } from './ready-by-answer';

export interface GrantedAction {
  readonly action: Action;
  /** Has its present constraints. */
  readonly instance: Pick<Instance, 'id' | 'defaultAction' | 'leadTimeSeconds'>;
  /** True when the constraints of its instance have changed since the grant. */
  readonly isOutdated: boolean;
}

/** @param question the newest one of its own claim */
export const actionByOwnAnswer = (granted: GrantedAction, question: Question | undefined): Action | 'refused' => {
  const { action, instance, isOutdated } = granted;
  if (question && isRefused(question)) return 'refused';
  return question === undefined && !isOutdated ? action : actionOf(instance, question);
};

/**
 * True when an action without its own question was granted on an earlier answer; otherwise nothing is asked (Limits 4).
 */
export const restsOnUnusedAnswer = ({ instance }: Pick<GrantedAction, 'instance'>): boolean => {
  return isAsked(instance);
};

/** @param question about the instance, of an earlier claim whose action never began; undefined: there is none */
export const actionByUnusedAnswer = (
  { action, instance }: GrantedAction,
  question: Question | undefined,
): Action | 'refused' => {
  if (question === undefined) return action;
  return isRefused(question) ? 'refused' : actionOf(instance, question);
};

/** Asked about the host as a whole. While its question is asked again, the action is refused until that is settled. */
export const actionByHostAnswer = (
  { action }: Pick<GrantedAction, 'action'>,
  asked: AskedAboutHost,
): Action | 'refused' => {
  const isAsked = asked.questions.some(({ instanceIds }) => instanceIds.includes(asked.instance.id));
  return isAsked ? (readyAction(asked) ?? 'refused') : action;
};
