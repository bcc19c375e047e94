/**
 * The action of an instance by its project's answer about the whole host (workflow `default`). Admission asks here, and
 * so does the last look before the action begins, since an answer may be changed until then.
 */
import type { Action, Instance } from '../decisions/fleet/fleet';
import { isAsked } from '../decisions/fleet/is-asked';
import { actionOf, countsFor, coveringQuestion } from './chosen-action';
import type { Question } from './question';

/** An OWN_ACTION that its project chose and did not carry out in time. */
export interface ExpiredOwnAction {
  /** The host that the instance is to leave. */
  readonly hostname: string;
  readonly endedAtMs: number;
}

export interface AskedAboutHost {
  readonly instance: Pick<Instance, 'id' | 'host' | 'defaultAction' | 'leadTimeSeconds' | 'cannotMove'>;
  /** The questions about its host, in the present state of its session. */
  readonly questions: readonly Question[];
  /** The time since which the host is drained in this state. */
  readonly sinceMs: number;
  readonly expired: ExpiredOwnAction | undefined;
}

/** Undefined while its question is not settled. */
export const readyAction = ({ instance, questions, sinceMs, expired }: AskedAboutHost): Action | undefined => {
  const question = coveringQuestion(instance.id, questions.filter(countsFor(instance, sinceMs)));
  if (question === undefined && isAsked(instance)) return undefined;
  const hasExpired = hasExpiredSince(expired, instance, question?.createdAtMs ?? 0);
  return actionOf(instance, hasExpired ? undefined : question);
};

/** Counts, for an instance that the cloud cannot move, only questions after the expired action. */
export const hasExpiredSince = (
  expired: ExpiredOwnAction | undefined,
  { host, cannotMove }: Pick<Instance, 'host' | 'cannotMove'>,
  sinceMs: number,
): boolean => {
  return expired?.hostname === host && (cannotMove === undefined || expired.endedAtMs >= sinceMs);
};
