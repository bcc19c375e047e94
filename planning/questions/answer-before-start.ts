/**
 * What the newest answer says of an action that was granted and is about to begin. A project may change its answer
 * until then: its refusal takes the grant back, another action takes the place of the one that was granted.
 */
import type { Action, Instance } from '../fleet/fleet';
import { actionOf } from './action-of';
import type { Question } from './question';
import { type AskedAboutHost, readyAction } from './ready-by-answer';

export interface GrantedAction {
  readonly action: Action;
  /** With its constraints of now. */
  readonly instance: Pick<Instance, 'id' | 'defaultAction' | 'leadTimeSeconds'>;
  /** The constraints of its instance are not those any more that it was granted on. */
  readonly isOutdated: boolean;
}

/** @param question the newest one of its own claim */
export function actionByOwnAnswer(granted: GrantedAction, question: Question | undefined): Action | 'refused' {
  const { action, instance, isOutdated } = granted;
  if (isRefused(question)) return 'refused';
  return question === undefined && !isOutdated ? action : actionOf(instance, question);
}

/** Whether one without a question of its own was granted on an earlier answer: else nothing is asked (Limits 4). */
export function restsOnEarlierAnswer({ instance }: Pick<GrantedAction, 'instance'>): boolean {
  return instance.leadTimeSeconds !== 0;
}

/** @param question about the instance, of an earlier claim of which nothing came; undefined: there is none */
export function actionByEarlierAnswer(
  { action, instance }: GrantedAction,
  question: Question | undefined,
): Action | 'refused' {
  if (question === undefined) return action;
  return isRefused(question) ? 'refused' : actionOf(instance, question);
}

/** Asked about the host as a whole; one whose question is asked again is refused until that is settled. */
export function actionByHostAnswer(
  { action }: Pick<GrantedAction, 'action'>,
  asked: AskedAboutHost,
): Action | 'refused' {
  const isAsked = asked.questions.some(({ instanceIds }) => instanceIds.includes(asked.instance.id));
  return isAsked ? (readyAction(asked) ?? 'refused') : action;
}

function isRefused(question: Question | undefined): boolean {
  return question?.status === 'answered' && question.answer === 'NACK';
}
