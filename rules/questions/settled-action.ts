/** The action by which an instance leaves its present host, when it is known before it begins. */
import type { Action, Instance } from '../decisions/fleet/fleet';
import { actionOf, coveringQuestion } from './chosen-action';
import type { Question } from './question';

/**
 * The action that its project chose, or left to the service; undefined: it was not asked, or has not answered yet.
 *
 * @param questions those of its session about its host
 * @param hasExpired its project did not carry out an own action there in time
 */
export const settledActionOf = (
  instance: Pick<Instance, 'id' | 'defaultAction'>,
  questions: readonly Question[],
  hasExpired: boolean,
): Action | undefined => {
  if (hasExpired) return actionOf(instance);
  const question = coveringQuestion(instance.id, questions);
  return question && actionOf(instance, question);
};
