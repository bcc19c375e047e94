/**
 * Answers that still count although their action never began: the session stopped, or gave the host back, before that.
 * The manager has said that the instance is ready, and for which action, so it is not asked the same again; or it has
 * refused, and is asked again after the pause.
 */
import type { Admission, Decision } from '../decisions/decision';
import type { Instance } from '../decisions/fleet/fleet';
import { actionOf } from './action-by-answer';
import { askedAgainAtMs, type RefusalLimits } from './after-refusal';
import type { Question } from './question';

export interface UnusedAnswer {
  readonly instance: Pick<Instance, 'id' | 'defaultAction'>;
  readonly question: Question;
}

/**
 * Turns admissions to ask into admissions to move when the instance's question about the same host was answered.
 *
 * @param answered the answers that count, with their instances, by instance
 */
export const withUnusedAnswers = (
  admissions: readonly Admission[],
  answered: ReadonlyMap<string, UnusedAnswer>,
): readonly Admission[] => {
  return admissions.map((admission) => {
    const answer = answered.get(admission.instanceId);
    if (admission.kind !== 'ask' || answer?.question.hostname !== admission.source) return admission;
    return { ...admission, kind: 'move', action: actionOf(answer.instance, answer.question) };
  });
};

interface Pause extends RefusalLimits {
  readonly nowMs: number;
}

/**
 * The decision without the questions about instances for which the project has refused the same question lately.
 *
 * @param refused the refusals that count, by instance
 */
export const pausedAfterRefusals = (
  decision: Decision,
  refused: ReadonlyMap<string, Question>,
  { nowMs, ...limits }: Pause,
): Decision => {
  const askedAgainMs = ({ kind, instanceId, source }: Admission): number => {
    const { hostname, answeredAtMs: refusedAtMs = 0, notBeforeLatestMs: latestMs } = refused.get(instanceId) ?? {};
    return kind === 'ask' && hostname === source
      ? askedAgainAtMs({ refusedAtMs, refusals: 1, latestMs }, limits)
      : nowMs;
  };
  const paused = decision.admit.filter((admission) => askedAgainMs(admission) > nowMs);
  const waiting = paused.map((admission) => ({
    waitingFor: 'answer' as const,
    who: admission.instanceId,
    subject: refused.get(admission.instanceId)?.projectId ?? '',
    untilMs: askedAgainMs(admission),
  }));
  return {
    ...decision,
    admit: decision.admit.filter((admission) => !paused.includes(admission)),
    waiting: [...decision.waiting, ...waiting],
    lookAgainMs: Math.min(decision.lookAgainMs, ...waiting.map(({ untilMs }) => untilMs - nowMs)),
  };
};
