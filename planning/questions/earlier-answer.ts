/**
 * Answers that count although nothing came of them: the session stopped, or gave the host back, before the action of an
 * instance began. Its manager has said that it is ready, and how; it is not asked the same again.
 */
import { actionOf } from './action-of';
import type { Admission } from '../decision';
import type { Question } from './question';

/**
 * Admissions to ask become admissions to move where the instance's question about the same host was answered.
 *
 * @param answered the answers that count, by instance
 */
export function withEarlierAnswers(
  admissions: readonly Admission[],
  answered: ReadonlyMap<string, Question>,
): readonly Admission[] {
  return admissions.map((admission) => {
    const question = answered.get(admission.instanceId);
    if (admission.kind !== 'ask' || question?.hostname !== admission.source) return admission;
    const { instanceId: id, action: migrationType } = admission;
    return { ...admission, kind: 'move', action: actionOf({ id, migrationType }, question) };
  });
}
